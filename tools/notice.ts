import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';

/** What this reads of the metafile of esbuild. */
interface Metafile {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}

/** The folder of the package that a module belongs to; `undefined` for our own modules. */
const folderOf = (file: string): string | undefined => {
  const parts = resolve(file).split(sep);
  const at = parts.lastIndexOf('node_modules') + 1;
  return at === 0 ? undefined : parts.slice(0, at + (parts[at]?.startsWith('@') ? 2 : 1)).join(sep);
};

const licenceOf = (folder: string): string => {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (!file) throw new Error(`${name} is bundled, and has no licence to copy.`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
};

/** The folders of the packages of others that a build contains. */
export const bundledFolders = ({ outputs }: Metafile = { outputs: {} }): readonly string[] =>
  Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 && folderOf(file)) || []),
  );

/** The text of a file that names packages with their licences. */
export const noticeOf = (folders: Iterable<string>): string =>
  ['This package contains code of other packages.\n', ...[...folders].toSorted().map(licenceOf)].join('\n');
