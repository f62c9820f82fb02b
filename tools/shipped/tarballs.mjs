import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readPackages, root } from '../packages.ts';
import { mustRun } from './run.mjs';

/** The pnpm version of the workspace. */
export const pnpm = (...args) => mustRun(process.execPath, [join(root, 'tools/pnpm.mjs'), ...args]);

/**
 * A published package, in the workspace and as packed.
 * @typedef {object} Packed
 * @property {string} name
 * @property {string} folder its name below packages/
 * @property {Record<string, any>} source package.json of the workspace
 * @property {string} tarball
 * @property {string} unpacked the folder `package` of the tarball
 * @property {Record<string, any>} manifest package.json of the tarball
 * @property {readonly string[]} files every file of it, as `dist/index.js`
 */

const filesIn = async (folder) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
};

/**
 * Packs the built packages, or takes existing tarballs of `from`.
 * @param {string} into a folder
 * @param {string | undefined} from
 * @returns {Promise<readonly Packed[]>}
 */
export const packAll = async (into, from) => {
  const packages = readPackages();
  const tarballs = from ?? join(into, 'tarballs');
  if (!from) await pnpm('-r', '--filter', './packages/*', 'pack', '--out', join(tarballs, '%s-%v.tgz'));
  return Promise.all(
    packages.map(async (each) => {
      const tarball = join(tarballs, `${each.name.slice(1).replace('/', '-')}-${each.source.version}.tgz`);
      if (!existsSync(tarball)) throw new Error(`${each.name} was not packed: there is no ${tarball}.`);
      const unpacked = join(into, 'unpacked', each.folder, 'package');
      await mkdir(unpacked, { recursive: true });
      await mustRun('tar', ['-xzf', tarball, '-C', dirname(unpacked)]);
      const manifest = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8'));
      return { ...each, tarball, unpacked, manifest, files: await filesIn(unpacked) };
    }),
  );
};

/**
 * All import specifiers of servers: `['@partnerkit/core', '@partnerkit/core/memory', …]`. A module for browsers has no
 * condition `import`.
 */
export const specifiersOf = ({ name, manifest }) =>
  Object.entries(manifest.exports)
    .filter(([, target]) => typeof target !== 'string' && target.import !== undefined)
    .map(([path]) => `${name}${path.slice(1)}`);
