import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateSqlite, type SqliteConnection } from '../../src/index.ts';

// In memory, where there is such a folder: tests write some ten thousand transactions.
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** How a host opens a file with its library. */
export type Connect = (file: string) => SqliteConnection;

/** A path for a database in a folder of its own, and what deletes the folder. */
export interface TemporaryFile {
  readonly file: string;
  remove(): void;
}

/** {@link TemporaryFile} of a file that does not exist yet. */
export const temporaryFile = (): TemporaryFile => {
  const folder = mkdtempSync(join(parent, 'partnerkit-sqlite-'));
  return { file: join(folder, 'test.db'), remove: () => rmSync(folder, { recursive: true, force: true }) };
};

let template: string | undefined;

/**
 * {@link TemporaryFile} with the tables: a copy takes a tenth of the time that their creation would.
 * @param connect - The library of the process. Default: that of Node.js.
 */
export const migratedFile = (connect?: Connect): TemporaryFile => {
  if (template === undefined) {
    const { file, remove } = temporaryFile();
    const host = connect?.(file);
    migrateSqlite(host ?? file);
    host?.close();
    process.once('exit', remove);
    template = file;
  }
  const made = temporaryFile();
  copyFileSync(template, made.file);
  return made;
};
