import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { targetsOf } from '../packages.ts';
import { runsOn } from './hosts.mjs';
import { foreignPeers } from './ranges.mjs';
import { onEveryCore, run, toldOnce } from './run.mjs';
import { specifiersOf } from './tarballs.mjs';

const timeout = 120_000;
const formats = [
  { probe: 'look-esm.mjs', condition: 'import' },
  { probe: 'look-cjs.cjs', condition: 'require' },
];

const targetOf = (packages, specifier, condition) => {
  const { name, manifest } = packages.find((each) => specifiersOf(each).includes(specifier));
  const wanted = targetsOf(manifest.exports).find(
    ({ path, conditions: [first, last] }) =>
      `${name}${path.slice(1)}` === specifier && first === condition && last === 'default',
  );
  return `${name}${wanted.target.slice(1)}`;
};

/** A subpath for a driver may require that driver, which its user has installed. */
const mayLack = (packages, specifier, absent) =>
  specifier.split('/').length > 2 &&
  foreignPeers(packages).some(
    ({ packed, peer, optional }) => optional && specifier.startsWith(`${packed.name}/`) && absent.includes(`'${peer}'`),
  );

/** An entry may need a newer Node.js than its package: it says so, and its name. */
const refusalFaults = (specifier, refused) =>
  refused.startsWith(`${specifier} needs Node.js `) ? [] : [`${specifier} refuses this Node.js by "${refused}"`];

const lookFaults = (packages, { specifier, condition, file, started, left, absent, refused }) => {
  if (refused) return refusalFaults(specifier, refused);
  if (absent) return mayLack(packages, specifier, absent) ? [] : [`${condition} of ${specifier} fails: ${absent}`];
  const target = targetOf(packages, specifier, condition);
  return [
    ...(file.replaceAll('\\', '/').endsWith(`/${target}`) ? [] : [`${condition} of ${specifier} found ${file}`]),
    ...started.map((kind) => `${condition} of ${specifier} starts a ${kind}`),
    ...left.map((name) => `${condition} of ${specifier} leaves the global ${name}`),
  ];
};

const commandFaults = async ({ folder, node, packages }) => {
  const commands = packages.flatMap(({ name, manifest }) =>
    Object.values(manifest.bin ?? {}).map((file) => join(folder, 'node_modules', name, file)),
  );
  const ended = await onEveryCore(commands, async (command) => {
    const { code, out, err } = await run(node.path, [command, '--help'], { cwd: folder, timeout: timeout });
    return code === 0 && out.startsWith('Usage: ') ? [] : [`${command} --help ended with ${code}: ${out}${err}`];
  });
  return ended.flat();
};

const faultsOn = async ({ folder, node, packages }) => {
  const looks = [];
  for (const { probe, condition } of formats) {
    const asked = packages.flatMap(specifiersOf);
    const { code, out, err } = await run(node.path, [probe, ...asked], { cwd: folder, timeout: timeout });
    if (code !== 0 || err !== '') return [`${condition} of all entries ended with ${code}: ${err || 'it hung'}`];
    looks.push(JSON.parse(out).map((look) => ({ ...look, condition })));
  }
  const [imported, required] = looks;
  const differing = imported.filter(({ names }, at) => String(names) !== String(required[at].names));
  return [
    ...differing.map(({ specifier }) => `import and require of ${specifier} give different names`),
    ...looks.flat().flatMap((look) => lookFaults(packages, look)),
    ...(await commandFaults({ folder, node, packages })),
  ];
};

/**
 * `import` and `require` of each entry load the right file, with the same names. Loading starts nothing, adds no
 * globals, prints nothing, and lets the process end. Commands run.
 * @returns {Promise<readonly string[]>}
 */
export const entryFaults = async ({ folder, nodes, packages, semver }) => {
  await cp(fileURLToPath(new URL('probes', import.meta.url)), folder, { recursive: true });
  const found = await onEveryCore(nodes, async (node) => {
    const there = packages.filter((each) => runsOn([each], undefined, node.version, semver));
    const faults = await faultsOn({ folder, node, packages: there });
    return faults.map((fault) => ({ where: `Node.js ${node.version}`, fault }));
  });
  return toldOnce(found.flat(), nodes.length);
};
