import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';
import { defineConfig, type Options } from 'tsup';

type Targets = Record<string, string | { source?: string }>;

// The entries are read from `exports` and `imports`, so a build can never differ from what package.json promises.
const manifest: { exports: Targets; imports?: Targets; bin?: Record<string, string> } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);
const entry = Object.fromEntries(
  Object.entries({ ...manifest.exports, ...manifest.imports }).flatMap(([path, target]) =>
    // What lies outside of `src` is built by its package.
    typeof target === 'string' || !target.source?.startsWith('./src/')
      ? []
      : [[path === '.' ? 'index' : path.replace(/^(\.\/|#)/, ''), target.source]],
  ),
);
const commands = Object.fromEntries(
  Object.values(manifest.bin ?? {}).map((source) => [parse(source).name, source] as const),
);
const names = Object.keys(commands);

/** Loading neverthrow has no effect, which its package.json does not say: what uses none of it bundles none of it. */
const withoutEffects: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'without-effects',
  setup: ({ onResolve, resolve }) =>
    onResolve({ filter: /^neverthrow$/ }, async ({ path, kind, importer, resolveDir, pluginData }) =>
      pluginData === 'asked'
        ? undefined
        : { ...(await resolve(path, { kind, importer, resolveDir, pluginData: 'asked' })), sideEffects: false },
    ),
};

/** Puts the texts of migrations in place of the module that reads them: bundlers of hosts include no other files. */
const withMigrations: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'with-migrations',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]migrations[\\/]texts\.ts$/ }, ({ path }) => {
      const folder = dirname(path);
      const names = readdirSync(folder).filter((file) => file.endsWith('.sql'));
      const texts = names.map((file) => [parse(file).name, readFileSync(join(folder, file), 'utf8')]);
      const contents = `const texts = ${JSON.stringify(Object.fromEntries(texts))};
        export const textOf = (name) => texts[name];`;
      return { contents, loader: 'js' };
    }),
};

const options: Options = {
  format: ['esm', 'cjs'],
  // What `imports` names stays a file of its own.
  external: [/^#/],
  target: 'node20',
  platform: 'node',
  dts: true,
  sourcemap: true,
  clean: names.map((name) => `!${name}.js*`),
  treeshake: true,
  esbuildPlugins: [withoutEffects, withMigrations],
  splitting: false,
  removeNodeProtocol: false,
  tsconfig: 'tsconfig.json',
};

export default defineConfig([
  // A package of commands alone has no entry.
  ...(Object.keys(entry).length > 0 ? [{ ...options, entry }] : []),
  // Nobody imports a command.
  ...(names.length > 0 ? [{ ...options, entry: commands, format: 'esm', dts: false, clean: false } as const] : []),
]);
