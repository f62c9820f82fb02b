import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Figure } from '../measure.ts';
import { atMost, figure, inTurns, type Side } from '../postgres/turns.ts';

const core = fileURLToPath(new URL('../../packages/core/', import.meta.url));
const tsup = fileURLToPath(new URL('../../node_modules/.bin/tsup', import.meta.url));
/** In an ignored folder, where the dependencies of core are found. */
const built = `${core}node_modules/.bench`;

/** In a separate process without cached modules. */
const loading =
  (what: 'zod' | 'kit'): Side =>
  async () => {
    const child = fork(new URL('./load.ts', import.meta.url), [what, built], { execArgv: [] });
    let durationMs: number | undefined;
    child.on('message', (message) => {
      durationMs = message as number;
    });
    const [code] = await once(child, 'exit');
    if (durationMs === undefined) throw new Error(`Loading ${what} ended with ${code}.`);
    return 1_000 / durationMs;
  };

/** The start of a host: loading the published files of the package, and creating a kit. */
export async function* start(): AsyncGenerator<Figure> {
  await promisify(execFile)(tsup, ['--config', '../../tsup.config.ts', '--no-dts', '--out-dir', built], { cwd: core });
  // The imports of the published package: without them, `#documentation` names nothing.
  const imports = { '#documentation': './documentation.js' };
  await writeFile(`${built}/package.json`, JSON.stringify({ type: 'module', imports }));
  const rates = await inTurns({ zod: loading('zod'), kit: loading('kit') }, 11);
  yield figure('import and createPartnerkit, of import zod', atMost(1.5), rates.kit, rates.zod);
}
