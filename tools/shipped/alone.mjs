import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../packages.ts';
import { runsOn } from './hosts.mjs';
import { foreignPeers, testedWith } from './ranges.mjs';
import { mustRun, onEveryCore, run, toldOnce } from './run.mjs';
import { specifiersOf } from './tarballs.mjs';

const growth = 1.05;
const records = fileURLToPath(new URL('installs.json', import.meta.url));
/** A host on PostgreSQL and Fastify, and what it has beside our packages. */
const host = { name: 'a host on PostgreSQL and Fastify', ours: ['core', 'node', 'postgres', 'fastify'] };
const besides = { postgres: 'pg', fastify: 'fastify', core: 'zod' };

/**
 * What an installation brings.
 * @typedef {{ packages: number, kB: number, native: number }} Figures
 */

const emptyFigures = () => ({ packages: 0, kB: 0, native: 0 });

/** Adds the packages below a folder with their files. Links, and files beside packages, are the package manager's. */
const addFolder = async (folder, figures, holdsPackages, isInPackage) => {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const isScope = holdsPackages && entry.name.startsWith('@');
      const isPackage = holdsPackages && !isScope && !entry.name.startsWith('.');
      if (isPackage) figures.packages += 1;
      await addFolder(path, figures, isScope || entry.name === 'node_modules', isInPackage || isPackage);
    } else if (entry.isFile() && isInPackage) {
      figures.kB += (await stat(path)).size / 1_024;
      if (entry.name.endsWith('.node')) figures.native += 1;
    }
  }
};

/**
 * The packages, their size and their native modules in a project that npm or pnpm installed.
 * @param {string} folder
 * @returns {Promise<Figures>}
 */
export const installedIn = async (folder) => {
  const figures = emptyFigures();
  await addFolder(join(folder, 'node_modules'), figures, true, false);
  return { ...figures, kB: Math.ceil(figures.kB) };
};

const npmFlags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--legacy-peer-deps'];
const managers = {
  npm: (node, folder) =>
    mustRun('npm', ['install', ...npmFlags], {
      cwd: folder,
      // The npm in PATH runs on the first Node.js in it.
      env: { ...process.env, PATH: `${dirname(node.path)}${delimiter}${process.env.PATH}` },
      shell: process.platform === 'win32',
    }),
  pnpm: (node, folder) =>
    mustRun(node.path, [join(root, 'tools/pnpm.mjs'), '-C', folder, 'install', '--ignore-scripts', '--no-lockfile']),
};

/** Installs dependencies in an empty folder, without the peers that they ask for. */
const installIn = async (folder, manager, node, packages, dependencies) => {
  const overrides = Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`]));
  // npm wants an override of a direct dependency to be the same text.
  const manifest = { private: true, dependencies, overrides };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'pnpm-workspace.yaml'), JSON.stringify({ overrides, autoInstallPeers: false }));
  await managers[manager](node, folder);
  return installedIn(folder);
};

/** A package without required peers must work as it was installed. */
const loadFaults = async (folder, node, packed) => {
  const { name, manifest } = packed;
  const required = Object.keys(manifest.peerDependencies ?? {}).filter(
    (peer) => manifest.peerDependenciesMeta?.[peer]?.optional !== true,
  );
  if (required.length > 0) return [];
  const loads = specifiersOf(packed).flatMap((specifier) => [
    ['--input-type=module', '-e', `await import('${specifier}')`],
    ['--input-type=commonjs', '-e', `require('${specifier}')`],
  ]);
  const commands = Object.values(manifest.bin ?? {}).map((file) => [join('node_modules', name, file), '--help']);
  const ended = await Promise.all([...loads, ...commands].map((args) => run(node.path, args, { cwd: folder })));
  return ended.filter(({ code }) => code !== 0).map(({ err }) => `does not load alone: ${err}`);
};

/** What each package brings without its peers, on the oldest Node.js that it runs on and on this one. */
const installEach = async ({ folder, nodes, packages, semver }) => {
  const cases = packages.flatMap((packed) => {
    const usable = nodes.filter(({ version }) => runsOn([packed], undefined, version, semver));
    return [usable[0], usable.at(-1)].flatMap((node) =>
      Object.keys(managers).map((manager) => ({ packed, node, manager })),
    );
  });
  return onEveryCore(cases, async ({ packed, node, manager }) => {
    const place = join(folder, packed.folder, `${manager}-${node.version}`);
    const figures = await installIn(place, manager, node, packages, { [packed.name]: `file:${packed.tarball}` });
    const faults = await loadFaults(place, node, packed);
    return { name: packed.name, where: `${manager}, Node.js ${node.version}`, figures, faults };
  });
};

/** What our packages add to a host that has its framework, its driver and zod. */
const installHost = async ({ folder, nodes, packages }) => {
  const ours = packages.filter((each) => host.ours.includes(each.folder));
  const own = Object.fromEntries(
    ours.flatMap((each) =>
      besides[each.folder] ? [[besides[each.folder], testedWith(each, besides[each.folder])]] : [],
    ),
  );
  const peers = foreignPeers(ours).filter(({ optional }) => !optional);
  const all = {
    ...Object.fromEntries(ours.map(({ name, tarball }) => [name, `file:${tarball}`])),
    ...Object.fromEntries(peers.map(({ packed, peer }) => [peer, testedWith(packed, peer)])),
    ...own,
  };
  const install = (name, dependencies) => installIn(join(folder, name), 'npm', nodes.at(-1), packages, dependencies);
  const [without, including] = [await install('host-without', own), await install('host', all)];
  const figures = Object.fromEntries(Object.entries(including).map(([key, value]) => [key, value - without[key]]));
  return { name: host.name, where: 'npm', figures, faults: [] };
};

const figureFaults = ({ figures, faults }, recorded) => {
  if (!recorded) return [...faults, 'is not recorded: run check:shipped --record'];
  const { packages, kB, native } = figures;
  return [
    ...faults,
    packages !== recorded.packages && `installs ${packages} packages, and ${recorded.packages} are recorded`,
    native !== recorded.native && `installs ${native} native modules, and ${recorded.native} are recorded`,
    kB > recorded.kB * growth && `is ${kB} kB, more than 5 % larger than the recorded ${recorded.kB}`,
  ].filter(Boolean);
};

/** Each dependency has a recorded reason, and each reason a dependency. */
const reasonFaults = ({ name, manifest }, { dependencies: reasons = {} } = {}) => {
  const dependencies = manifest.dependencies ?? {};
  return [
    ...Object.keys(dependencies)
      .filter((each) => !reasons[each])
      .map((each) => `${name} depends on ${each}: write the reason into tools/shipped/installs.json`),
    ...Object.keys(reasons)
      .filter((each) => !(each in dependencies))
      .map((each) => `${name}: installs.json gives a reason for ${each}, which is no dependency`),
  ];
};

/**
 * Installs each package alone in an empty folder, and compares what is there with the recorded figures.
 * @param {{ folder: string, nodes: readonly { version: string, path: string }[], record: boolean }} options
 * @returns {Promise<{ told: string, faults: readonly string[] }>}
 */
export const aloneFaults = async ({ record, ...options }) => {
  const recorded = JSON.parse(await readFile(records, 'utf8'));
  const found = [...(await installEach(options)), await installHost(options)];
  const names = [...new Set(found.map(({ name }) => name))];
  if (record) {
    const figures = names.map((name) => {
      const { dependencies } = recorded[name] ?? {};
      const { figures: first } = found.find((each) => each.name === name);
      return [name, { ...first, ...(dependencies && { dependencies }) }];
    });
    await writeFile(records, `${JSON.stringify(Object.fromEntries(figures), null, 2)}\n`);
  }
  const faults = names.flatMap((name) => {
    const places = found.filter((each) => each.name === name);
    const all = places.flatMap((each) =>
      (record ? each.faults : figureFaults(each, recorded[name])).map((fault) => ({ where: each.where, fault })),
    );
    return toldOnce(all, places.length).map((fault) => `${name}: ${fault}`);
  });
  const reasons = options.packages.flatMap((packed) => reasonFaults(packed, recorded[packed.name]));
  return { told: `${found.length} times`, faults: [...faults, ...reasons] };
};
