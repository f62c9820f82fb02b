import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { atMostSlower, compared, inTurns, type Line, type Sample, type Side } from '../measure.ts';
import type { Sized } from '../sizes.ts';

const core = fileURLToPath(new URL('../../packages/core/', import.meta.url));
const tsup = fileURLToPath(new URL('../../node_modules/.bin/tsup', import.meta.url));
/** In an ignored folder, where the dependencies of core are found. */
const built = `${core}node_modules/.bench`;

/** In a separate process without cached modules. */
const loading =
  (what: 'zod' | 'kit' | 'login'): Side =>
  async () => {
    const child = fork(new URL('./load.ts', import.meta.url), [what, built], { execArgv: [] });
    let loaded: Sample | undefined;
    child.on('message', (message) => {
      loaded = message as Sample;
    });
    const [code] = await once(child, 'exit');
    if (loaded === undefined) throw new Error(`Loading ${what} ended with ${code}.`);
    return loaded;
  };

/** The start of a host: loading the published files of the package, creating a kit, and the first login. */
export async function* start(sized: Sized): AsyncGenerator<Line> {
  await promisify(execFile)(tsup, ['--config', '../../tsup.config.ts', '--no-dts', '--out-dir', built], { cwd: core });
  // The imports of the published package: without them, these names lead nowhere.
  const imports = { '#documentation': './documentation.js', '#result': './result.js' };
  await writeFile(`${built}/package.json`, JSON.stringify({ type: 'module', imports }));
  const sides = { zod: loading('zod'), kit: loading('kit'), login: loading('login') };
  const { zod, kit, login } = await inTurns(sides, sized(11, 1));
  yield compared('import and `createPartnerkit`', kit, 'import of zod', zod, atMostSlower(1.5));
  // What is made when it is first used is paid here.
  yield compared('the same, an API key and its login', login, 'import of zod', zod);
}
