// A folder in which every package of the workspace, and every dependency of one, can be imported as in a project that
// installed them.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readPackages, root } from '../packages.ts';

const foldersIn = (folder) =>
  existsSync(join(root, folder)) ? readdirSync(join(root, folder)).map((name) => join(root, folder, name)) : [];

const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** The folders of the published packages. */
const packages = readPackages().map(({ folder }) => join(root, 'packages', folder));

/** Each importable name, with its folder. */
const installed = () => {
  const found = new Map(packages.map((folder) => [manifestOf(folder).name, folder]));
  for (const folder of [...packages, ...foldersIn('examples'), root]) {
    if (!existsSync(join(folder, 'package.json'))) continue;
    const { dependencies, peerDependencies, devDependencies } = manifestOf(folder);
    for (const name of Object.keys({ ...dependencies, ...peerDependencies, ...devDependencies })) {
      const place = join(folder, 'node_modules', name);
      if (!found.has(name) && existsSync(place)) found.set(name, realpathSync(place));
    }
  }
  return found;
};

/** Creates such a folder; `close` removes it. */
export const openWorkshop = () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'partnerkit-docs-')));
  for (const [name, place] of installed()) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(place, link, 'junction');
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  return { folder, close: () => rmSync(folder, { recursive: true, force: true }) };
};
