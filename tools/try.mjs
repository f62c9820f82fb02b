#!/usr/bin/env node
// Installs the packages of this checkout into a folder, as npm does once they are published. The names are those of
// `npm install`; without names, those of getting started:
//   npm run try -- ../my-app
//   npm run try -- ../my-app @partnerkit/node @partnerkit/postgres @partnerkit/express express pg zod
// It builds what is older than its source. It runs on the Node.js of npm, so it imports nothing that needs a newer one.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const tarballs = join(root, '.pack/try');
const scope = '@partnerkit/';
const page = 'docs/start/getting-started.md';
const isWindows = process.platform === 'win32';

/** Ends with a message for whoever typed the command. */
const refuse = (message) => {
  console.error(message);
  process.exit(2);
};

const run = (command, args, options) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', ...options });
  if (error) refuse(`${command} cannot be started: ${error.message}`);
  if (status !== 0) refuse(`${[command, ...args].join(' ')} ended with ${status}:\n${stdout ?? ''}${stderr ?? ''}`);
};
const pnpm = (...args) =>
  run(process.execPath, [join(root, 'tools/pnpm.mjs'), ...args], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });

const readManifest = (folder) => JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));
const published = readdirSync(join(root, 'packages'))
  .filter((folder) => existsSync(join(root, 'packages', folder, 'package.json')))
  .filter((folder) => !readManifest(folder).private);

/** Packages of this checkout, with those that they install or need beside them. */
const withNeeded = (folders) => {
  const needed = new Set(folders);
  for (const folder of needed) {
    const { dependencies, peerDependencies, peerDependenciesMeta } = readManifest(folder);
    for (const name of Object.keys({ ...dependencies, ...peerDependencies }))
      if (name.startsWith(scope) && !peerDependenciesMeta?.[name]?.optional) needed.add(name.slice(scope.length));
  }
  return [...needed];
};

const timesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs);

/** The files of `exports`, `imports` and `bin` of a manifest that a build writes. */
const builtFiles = (value) => {
  if (typeof value === 'string') return value.startsWith('./dist/') ? [value] : [];
  return Object.values(value ?? {}).flatMap(builtFiles);
};

/** Whether all files of a build are there and newer than the source, of core too: builds contain parts of it. */
const isBuilt = (folder) => {
  const place = join(root, 'packages', folder);
  const { exports, imports, publishConfig } = readManifest(folder);
  const built = builtFiles({ exports, imports, bin: publishConfig?.bin })
    .filter((file) => !file.includes('*'))
    .map((file) => statSync(join(place, file), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  const sources = [...timesIn(join(place, 'src')), ...timesIn(join(root, 'packages/core/src'))];
  return Math.min(...built) > sources.reduce((newest, time) => Math.max(newest, time), 0);
};

const installLine = () => /^npm install (@partnerkit\/.+)$/m.exec(readFileSync(join(root, page), 'utf8'))[1].split(' ');

const [target, ...asked] = process.argv.slice(2);
if (!target || target.startsWith('-'))
  refuse('Usage: npm run try -- <folder> [packages…], such as: npm run try -- ../my-app');
const folder = resolve(process.env.INIT_CWD ?? process.cwd(), target);
if (existsSync(folder) && !statSync(folder).isDirectory()) refuse(`${folder} is not a folder: name another one.`);
if (!relative(root, folder).startsWith('..'))
  refuse(`${folder} lies in this repository: name a folder outside, such as ../my-app.`);

const names = asked.length > 0 ? asked : installLine();
const isOurs = (name) => name.startsWith(scope);
const wanted = names.filter(isOurs).map((name) => name.slice(scope.length));
const unknown = wanted.find((name) => !published.includes(name));
if (unknown) refuse(`There is no ${scope}${unknown}. There are: ${published.map((name) => scope + name).join(', ')}.`);
if (wanted.length === 0)
  refuse(`Name at least one package of partnerkit, such as ${scope}node, or no package for those of ${page}.`);

const started = performance.now();
const needed = withNeeded(wanted);
const filters = (folders) => folders.flatMap((each) => ['--filter', `./packages/${each}`]);
const old = needed.filter((each) => !isBuilt(each));
if (old.length > 0) {
  console.log(`Building ${old.map((each) => scope + each).join(', ')}: about two minutes.`);
  // Of the whole workspace: with a filter, pnpm would install a part of it.
  pnpm('install', '--frozen-lockfile', '--prefer-offline', '--reporter=silent');
  pnpm('run', ...filters(old), 'build');
}
pnpm(...filters(needed), 'pack', '--out', join(tarballs, '%s-%v.tgz'));
const fileOf = (each) => join(tarballs, `partnerkit-${each}-${readManifest(each).version}.tgz`);

mkdirSync(folder, { recursive: true });
const manifest = join(folder, 'package.json');
if (!existsSync(manifest)) writeFileSync(manifest, `${JSON.stringify({ private: true, type: 'module' }, null, 2)}\n`);
const others = names.filter((name) => !isOurs(name));
run('npm', ['install', '--no-audit', '--no-fund', ...needed.map(fileOf), ...others], { cwd: folder, shell: isWindows });

const here = relative(process.env.INIT_CWD ?? process.cwd(), folder) || '.';
const seconds = ((performance.now() - started) / 1_000).toFixed(0);
console.log(`Installed ${[...needed.map((each) => scope + each), ...others].join(', ')} in ${here} (${seconds} s).`);
console.log(`They are tarballs in ${tarballs}: keep that folder, and run this again after a pull.`);
const next = asked.length === 0 ? `${page}, "The platform"` : 'docs/start/wiring.md';
console.log(`Go on with ${next}, of this checkout: cd ${here}`);
const [major, minor] = process.versions.node.split('.').map(Number);
if (asked.length === 0 && (major < 22 || (major === 22 && minor < 18)))
  console.log(`Its programs need Node.js 22.18 or newer; this is ${process.versions.node}.`);
