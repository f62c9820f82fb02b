import { rowStoreContract } from '@partnerkit/conformance/contracts';
import type { Pool } from 'mysql2/promise';
import { describe, inject, test } from 'vitest';
import { fromMysql2 } from '../src/index.ts';
import { mysqlStore } from '../src/storage.ts';
import { configuredPool, otherForms } from './support/configured-pool.ts';
import { createDatabase, hasServer, type TestDatabase } from './support/database.ts';
import { turnedTime } from './support/turned-time.ts';

/** On a pool that a host has configured in every way that storage overrides. */
describe.skipIf(!hasServer)('rows of MariaDB', () => {
  rowStoreContract({
    test,
    create: async ({ storeAhead }) => {
      let database: TestDatabase | undefined;
      let pool: Pool | undefined;
      return {
        storeNow: async () => database?.now() ?? 0,
        open: async (tables) => {
          database = await createDatabase(inject('mysql') ?? '', tables);
          await database.elapse(storeAhead);
          pool = configuredPool(database.url, otherForms, 'sql_select_limit = 1').promise();
          return mysqlStore(fromMysql2(pool), { pollMs: Number.POSITIVE_INFINITY, now: turnedTime });
        },
        close: async () => {
          await pool?.end();
          await database?.drop();
        },
      };
    },
  });
});
