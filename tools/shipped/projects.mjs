import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importsOf } from './contents.mjs';
import { foreignPeers, testedWith } from './ranges.mjs';
import { mustRun } from './run.mjs';
import { specifiersOf } from './tarballs.mjs';

/** As stated in docs/start/packages.md. The newest version is that of the workspace. */
export const oldestTypeScript = '5.5.4';
/** Besides the oldest versions of `engines`, and the one that runs this. */
const newestNode = '26.10.0';

/** The version that a host installs today; we develop with an earlier line. */
const newestNodeTypes = '26.6.6';

const shared = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

const install = async (folder, manifest) => {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, ...manifest }, null, 2));
  await mustRun('npm', ['install', ...shared], { cwd: folder, shell: process.platform === 'win32' });
};

const tarballsOf = (packages) => Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`]));
const overridesOf = (packages) => Object.fromEntries(packages.map(({ name }) => [name, `$${name}`]));

/** Optional peers with types that an entry of ours uses: users of that entry have installed them. */
const namedPeers = async (packages) => {
  const named = await Promise.all(
    foreignPeers(packages)
      .filter(({ optional }) => optional)
      .map(async ({ packed, peer }) => {
        const declarations = packed.files.filter((file) => file.endsWith('.d.ts'));
        const texts = await Promise.all(declarations.map((file) => readFile(join(packed.unpacked, file), 'utf8')));
        return texts.flatMap(importsOf).includes(peer) ? [[peer, testedWith(packed, peer)]] : [];
      }),
  );
  return Object.fromEntries(named.flat());
};

/** The same sources as an ES module and as CommonJS, with one node_modules. */
const addHosts = async (folder, packages) => {
  const entries = packages.flatMap(specifiersOf).map((name, at) => `export * as entry${at} from '${name}';\n`);
  for (const [format, type] of Object.entries({ esm: 'module', cjs: 'commonjs' })) {
    await cp(fileURLToPath(new URL('hosts', import.meta.url)), join(folder, format), { recursive: true });
    await writeFile(join(folder, format, 'entries.ts'), entries.join(''));
    for (const at of [format, `out/${format}`]) {
      await mkdir(join(folder, at), { recursive: true });
      await writeFile(join(folder, at, 'package.json'), JSON.stringify({ type }));
    }
  }
};

/** An empty project with all our packages and the peers of our tests. */
export const newestProject = async (folder, packages) => {
  const find = (name) => packages.find((each) => each.name === `@partnerkit/${name}`);
  const peers = foreignPeers(packages).filter(({ optional }) => !optional);
  await install(folder, {
    dependencies: {
      ...tarballsOf(packages),
      ...Object.fromEntries(peers.map(({ packed, peer }) => [peer, testedWith(packed, peer)])),
      ...(await namedPeers(packages)),
      hono: testedWith(find('web'), 'hono'),
      jose: testedWith(find('node'), 'jose'),
      undici: testedWith(find('node'), 'undici'),
      '@hono/node-server': '2.1.8',
      '@types/express': testedWith(find('express'), '@types/express'),
      '@types/node': newestNodeTypes,
      'oldest-typescript': `npm:typescript@${oldestTypeScript}`,
      semver: '7.8.5',
    },
    overrides: overridesOf(packages),
  });
  await addHosts(folder, packages);
  return createRequire(join(folder, 'package.json'))('semver');
};

/** The same with the oldest accepted peers, and without optional ones. */
export const oldestProject = async (folder, packages, semver) => {
  const peers = foreignPeers(packages).filter(({ optional }) => !optional);
  await install(folder, {
    dependencies: {
      ...tarballsOf(packages),
      ...Object.fromEntries(peers.map(({ peer, range }) => [peer, semver.minVersion(range).version])),
    },
    overrides: overridesOf(packages),
  });
};

/** The oldest Node.js of each line in some `engines`: `['20.19.0', '22.12.0', …]`. */
export const oldestNodes = (packages, semver) => {
  const lines = packages.flatMap(({ manifest }) => new semver.Range(manifest.engines.node).set);
  const floors = lines.map((line) => semver.minVersion(line.join(' ')).version);
  return [...new Set(floors)].sort(semver.compare);
};

/**
 * The Node.js versions to test: the oldest of each `engines`, the newest, and this one.
 * @returns {Promise<readonly { version: string, path: string }[]>}
 */
export const installNodes = async (folder, packages, semver) => {
  const versions = [...new Set([...oldestNodes(packages, semver), newestNode])];
  const { platform, arch } = process;
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  await install(folder, {
    dependencies: Object.fromEntries(versions.map((version) => [`node-${version}`, `npm:${name}@${version}`])),
  });
  const file = platform === 'win32' ? 'bin/node.exe' : 'bin/node';
  const others = versions.map((version) => ({ version, path: join(folder, 'node_modules', `node-${version}`, file) }));
  return [...others, { version: process.versions.node, path: process.execPath }];
};
