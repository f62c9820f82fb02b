import { rowStoreContract } from '@partnerkit/testing/contracts';
import { describe, inject, test } from 'vitest';
import { fromMysql2 } from '../src/index.ts';
import { mysqlStore } from '../src/storage.ts';
import { createDatabase, hasServer, type TestDatabase } from './support/database.ts';
import { turnedTime } from './support/turned-time.ts';

describe.skipIf(!hasServer)('rows of MariaDB', () => {
  rowStoreContract({
    test,
    create: async ({ storeAhead }) => {
      let database: TestDatabase | undefined;
      return {
        storeNow: async () => database?.now() ?? 0,
        open: async (tables) => {
          database = await createDatabase(inject('mysql') ?? '', tables);
          await database.elapse(storeAhead);
          return mysqlStore(fromMysql2(database.pool), { pollMs: Number.POSITIVE_INFINITY, now: turnedTime });
        },
        close: async () => database?.drop(),
      };
    },
  });
});
