import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** The entries of a build, with the zod that it has for itself. */
export interface Build {
  readonly core: typeof import('../../src/index.ts');
  readonly adapter: typeof import('../../src/adapter.ts');
  readonly memory: typeof import('../../src/memory.ts');
  readonly requests: typeof import('../../src/requests.ts');
  readonly z: typeof import('zod').z;
}

const source = (name: string): string => fileURLToPath(new URL(`../../src/${name}.ts`, import.meta.url));
const entries = ['index', 'adapter', 'memory', 'requests'];

/**
 * Builds core as it is shipped, each entry for itself, as ESM and as CommonJS. Each build has a copy of zod and of
 * neverthrow, as pnpm installs them for two dependents.
 */
export const openBuilds = async (): Promise<{
  readonly esm: Build;
  readonly cjs: Build;
  readonly close: () => Promise<void>;
}> => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'partnerkit-copies-')));
  const require = createRequire(import.meta.url);
  const load = async (format: 'esm' | 'cjs'): Promise<Build> => {
    const end = format === 'esm' ? '.mjs' : '.cjs';
    await build({
      entryPoints: {
        ...Object.fromEntries(entries.map((entry) => [entry, source(entry)])),
        zod: fileURLToPath(import.meta.resolve('zod')),
      },
      outdir: join(folder, format),
      outExtension: { '.js': end },
      bundle: true,
      platform: 'node',
      format,
      conditions: ['source'],
      logLevel: 'error',
    });
    const open = (entry: string) => {
      const file = join(folder, format, `${entry}${end}`);
      return format === 'cjs' ? require(file) : import(pathToFileURL(file).href);
    };
    const [core, adapter, memory, requests] = await Promise.all(entries.map(open));
    return { core, adapter, memory, requests, z: (await open('zod')).z };
  };
  return {
    esm: await load('esm'),
    cjs: await load('cjs'),
    close: () => rm(folder, { recursive: true, force: true }),
  };
};
