import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the workspace. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

export const readJson = async (path) => JSON.parse(await readFile(path, 'utf8'));

/**
 * The published packages, as they are in the workspace.
 * `folder` is the name below packages/, `source` the parsed package.json.
 * @returns {Promise<readonly { name: string, folder: string, source: Record<string, any> }[]>}
 */
export const published = async () => {
  const folders = await readdir(join(root, 'packages'));
  // Git leaves the folder of a removed package if it contains ignored files.
  const there = folders.filter((folder) => existsSync(join(root, 'packages', folder, 'package.json')));
  const all = await Promise.all(
    there.sort().map(async (folder) => {
      const source = await readJson(join(root, 'packages', folder, 'package.json'));
      return { name: source.name, folder, source };
    }),
  );
  return all.filter(({ source }) => !source.private);
};

/** The targets of `exports`: `[{ path: '.', conditions: ['import', 'types'], target: './dist/index.d.ts' }, …]`. */
export const targetsOf = (exports = {}) => {
  const walk = (path, value, conditions) =>
    typeof value === 'string'
      ? [{ path, conditions, target: value }]
      : Object.entries(value).flatMap(([condition, inner]) => walk(path, inner, [...conditions, condition]));
  return Object.entries(exports).flatMap(([path, value]) => walk(path, value, []));
};

/** Every file that is imported or started directly, such as `packages/core/dist/index.js`. */
export const startable = async () =>
  (await published()).flatMap(({ folder, source }) => {
    const imported = targetsOf(source.exports).filter(({ conditions }) => conditions.join() === 'import,default');
    const commands = Object.values(source.publishConfig.bin ?? {});
    return [...imported.map(({ target }) => target), ...commands].map(
      (target) => `packages/${folder}/${target.slice(2)}`,
    );
  });
