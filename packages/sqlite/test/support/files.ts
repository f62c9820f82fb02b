import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { migrateSqlite, type SqliteConnection } from '../../src/index.ts';

// In memory, where there is such a folder: tests write some ten thousand transactions.
const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** How a host opens a file with its library. */
export type Connect = (file: string) => SqliteConnection;

/** A path for a database in a folder of its own, and what deletes the folder. */
export interface TemporaryFile {
  readonly file: string;
  remove(): void;
}

/** A path in a new folder. */
const fileIn = (parent: string): string => join(mkdtempSync(join(parent, 'partnerkit-sqlite-')), 'test.db');

/** {@link TemporaryFile} of a file that does not exist yet. */
export const temporaryFile = (): TemporaryFile => {
  const file = fileIn(memory);
  return { file, remove: () => rmSync(dirname(file), { recursive: true, force: true }) };
};

let template: string | undefined;

/**
 * {@link TemporaryFile} with the tables: a copy takes a tenth of the time that their creation would.
 * @param connect - The library of the process. Default: that of Node.js.
 */
export const migratedFile = (connect?: Connect): TemporaryFile => {
  if (template === undefined) {
    // Where the run deletes it: no process knows the end of the tests.
    const file = fileIn(tmpdir());
    const host = connect?.(file);
    migrateSqlite(host ?? file);
    host?.close();
    template = file;
  }
  const made = temporaryFile();
  copyFileSync(template, made.file);
  return made;
};
