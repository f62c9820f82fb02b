import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { oldestTypeScript } from './projects.mjs';
import { foreignPeers } from './ranges.mjs';
import { onEveryCore, run, toldOnce } from './run.mjs';

const always = '--strict --target es2022 --lib es2022 --types node --skipLibCheck false --pretty false'.split(' ');
const resolutions = [
  { module: 'node16', resolution: 'node16', formats: ['esm', 'cjs'] },
  { module: 'nodenext', resolution: 'nodenext', formats: ['esm', 'cjs'] },
  { module: 'esnext', resolution: 'bundler', formats: ['esm'] },
];
const files = ['main.ts', 'entries.ts'];

const newest = createRequire(import.meta.url).resolve('@typescript/native/package.json');

/** Errors between declarations of other packages are not ours. */
const ours = (line) => /error TS/.test(line) && !/^node_modules\/(?!@partnerkit\/)/.test(line.replaceAll('\\', '/'));

/** Optional peers that are ES modules only: a CommonJS host cannot use them, nor the entry of ours that needs them. */
const notForThisHost = (packages) => {
  const optional = foreignPeers(packages).filter((each) => each.optional);
  return (line) => line.includes('error TS1479') && optional.some(({ peer }) => line.includes(`import("${peer}")`));
};

const compilersOf = (folder) => [
  { version: oldestTypeScript, tsc: join(folder, 'node_modules/oldest-typescript/bin/tsc') },
  { version: createRequire(newest)('./package.json').version, tsc: join(dirname(newest), 'bin/tsc') },
];

/**
 * Type-checks the hosts and the declarations of every entry with each compiler and resolution, and emits the hosts for
 * Node.js.
 * @returns {Promise<{ told: string, faults: readonly string[] }>}
 */
export const typeFaults = async (folder, packages) => {
  const elsewhere = notForThisHost(packages);
  // Each pair of compiler, resolution and exactness is checked once.
  const cases = compilersOf(folder).flatMap((compiler, older) =>
    resolutions.map((each, nth) => ({ ...compiler, ...each, exact: String((older + nth) % 2 === 0) })),
  );
  const compile = ({ tsc, module, resolution, formats }, more) => {
    const sources = formats.flatMap((format) => files.map((file) => `${format}/${file}`));
    const how = ['--module', module, '--moduleResolution', resolution, ...more];
    return run(process.execPath, [tsc, ...always, ...how, ...sources], { cwd: folder });
  };
  const found = await onEveryCore(cases, async (one) => {
    // Errors of other packages do not prevent the first case from writing.
    const written = one === cases[0] ? ['--rootDir', '.', '--outDir', 'out'] : ['--noEmit'];
    const { code, out, err } = await compile(one, [...written, '--exactOptionalPropertyTypes', one.exact]);
    const lines = out.split('\n').filter((line) => ours(line) && !elsewhere(line));
    const crashed = code !== 0 && !out.includes('error TS') ? [`ended with ${code}: ${out}${err}`] : [];
    const where = `TypeScript ${one.version}, ${one.resolution}, exactOptionalPropertyTypes ${one.exact}`;
    return [...lines, ...crashed].map((fault) => ({ where, fault }));
  });
  return { told: `${cases.length} times`, faults: toldOnce(found.flat(), cases.length) };
};
