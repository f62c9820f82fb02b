import { inject } from 'vitest';
import { fromPg } from '../../src/index.ts';
import { fullDialect } from '../../src/rows/dialect.ts';
import { useDatabase } from '../support/fixtures.ts';
import type { RowsTarget } from './row-suites.ts';
import { atLevel, createTables, rowsOver } from './rows-database.ts';

/** A snapshot that is older than another's row ends in a duplicate key. */
const withoutReadCommitted = fullDialect('test', { conflicts: ['40001', '40P01', '23505'] });

/** Rows on a server of the tests, whose transactions have this level. */
export const serverRows = (level?: string): RowsTarget => {
  const database = useDatabase(inject('postgres'));
  return {
    open: (tables) =>
      rowsOver(atLevel(fromPg(database.pool()), level), {
        ...(tables && { tables }),
        ...(level && { dialect: withoutReadCommitted }),
      }),
    create: (tables) => createTables(database.pool(), { tables }),
    run: async (text) => (await database.pool().query(text)).rows,
    setClock: async (ahead) => {
      await database.pool().query(`update fake.clock set ahead = ${ahead} * interval '1 millisecond'`);
    },
    elapse: database.elapse,
    now: database.now,
  };
};
