import {
  type FixtureSettings,
  inboxContract,
  latestTimestampsContract,
  rowStoreContract,
  type StorageFixture,
  seenKeysContract,
  storageContracts,
} from '@partnerkit/conformance/contracts';
import { rowInbox, rowSeenKeys, rowStorage, rowTables, systemRandom } from '@partnerkit/core/adapter';
import { beforeAll, describe, inject, test } from 'vitest';
import { fromPg } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';
import { createTables, emptyTables, postgresRows } from './postgres-rows.ts';
import { prefix } from './shape.ts';

const database = useDatabase(inject('postgres'));
const rows = () => postgresRows(fromPg(database.pool()));
const setClock = (storeAhead: number) =>
  database.pool().query(`update fake.clock set ahead = ${storeAhead} * interval '1 millisecond'`);

describe('rows of PostgreSQL', () => {
  rowStoreContract({
    test,
    create: async ({ storeAhead }) => {
      await setClock(storeAhead);
      return {
        storeNow: database.now,
        open: async (tables) => {
          await database.pool().query(createTables(tables));
          return rows() as never;
        },
      };
    },
  });
});

describe('storage over rows of PostgreSQL', () => {
  beforeAll(() => database.pool().query(createTables(rowTables)));
  const reset = async ({ storeAhead }: FixtureSettings): Promise<void> => {
    await database.pool().query(emptyTables(rowTables));
    await setClock(storeAhead);
  };
  const probe = async (): Promise<string> => {
    const dumps = rowTables.map(({ name }) => database.pool().query(`select t::text as row from ${prefix}${name} t`));
    return (await Promise.all(dumps)).flatMap((found) => found.rows.map(({ row }) => row)).join('\n');
  };
  const create = async (settings: FixtureSettings): Promise<StorageFixture> => {
    await reset(settings);
    return { storage: rowStorage(rows()) as never, elapse: database.elapse, storeNow: database.now, probe };
  };
  for (const [name, suite] of Object.entries(storageContracts))
    describe(name, () => suite({ test, create: create as never }));
  seenKeysContract({
    test,
    create: async (settings) => {
      await reset(settings);
      return { seen: rowSeenKeys(rows(), systemRandom), elapse: database.elapse };
    },
  });
  inboxContract({
    test,
    create: async (settings) => {
      await reset(settings);
      return { inbox: rowInbox(rows(), systemRandom), elapse: database.elapse };
    },
  });
  for (const make of [rowSeenKeys, rowInbox])
    describe(make.name, () =>
      latestTimestampsContract({
        test,
        create: async (settings) => {
          await reset(settings);
          const store = rows();
          return {
            latest: make(store, systemRandom),
            transaction: store.transaction,
            elapse: database.elapse,
          } as never;
        },
      }),
    );
});
