import {
  type FixtureSettings,
  inboxContract,
  latestTimestampsContract,
  rowStoreContract,
  type StorageFixture,
  seenKeysContract,
  storageContracts,
} from '@partnerkit/conformance/contracts';
import { rowInbox, rowSeenKeys, rowTables, systemRandom, type Table } from '@partnerkit/core/adapter';
import { beforeAll, describe, test } from 'vitest';
import type { PgClient } from '../../src/index.ts';
import { storageOver } from '../../src/rows/storage.ts';
import type { PostgresRows } from '../../src/rows/store.ts';
import { emptyTables, schema } from './rows-database.ts';

/** A database with tables of rows, whose clock is turned. */
export interface RowsTarget {
  /** @param tables - Those of the schema. @defaultValue all of core */
  open(tables?: readonly Table[]): PostgresRows<PgClient>;
  /** Makes the tables anew. */
  create(tables: readonly Table[]): Promise<void>;
  /** Runs a statement. */
  run(text: string): Promise<readonly object[]>;
  setClock(ahead: number): Promise<void>;
  elapse(time: number): Promise<void>;
  now(): Promise<number>;
}

/** Fixtures of storage over the tables, which are empty at first. */
const rowFixtures = ({ open, run, setClock, elapse, now }: RowsTarget) => {
  const reset = async ({ storeAhead }: FixtureSettings): Promise<void> => {
    for (const text of emptyTables()) await run(text);
    await setClock(storeAhead);
  };
  const probe = async (): Promise<string> => {
    const dumps = rowTables.map(({ name }) => run(`select t::text as row from "${schema}".${name} t`));
    return (await Promise.all(dumps))
      .flat()
      .map((row) => Reflect.get(row, 'row'))
      .join('\n');
  };
  return {
    reset,
    storage: async (settings: FixtureSettings): Promise<StorageFixture> => {
      await reset(settings);
      return { storage: storageOver(open()) as never, elapse, storeNow: now, probe };
    },
  };
};

/** Holds rows to their contract. */
export const rowsSuite = ({ open, create, setClock, now }: RowsTarget): void =>
  rowStoreContract({
    test,
    create: async ({ storeAhead }) => {
      await setClock(storeAhead);
      return {
        storeNow: now,
        open: async (tables) => {
          await create(tables);
          return open(tables) as never;
        },
      };
    },
  });

/** Holds storage over rows, with what receivers need, to every contract. */
export const storageSuites = (target: RowsTarget): void => {
  const { open, create, elapse } = target;
  beforeAll(() => create(rowTables));
  const { storage, reset } = rowFixtures(target);
  for (const [name, suite] of Object.entries(storageContracts))
    describe(name, () => suite({ test, create: storage as never }));
  seenKeysContract({
    test,
    create: async (settings) => {
      await reset(settings);
      return { seen: rowSeenKeys(open(), systemRandom), elapse };
    },
  });
  inboxContract({
    test,
    create: async (settings) => {
      await reset(settings);
      return { inbox: rowInbox(open(), systemRandom), elapse };
    },
  });
  for (const make of [rowSeenKeys, rowInbox])
    describe(make.name, () =>
      latestTimestampsContract({
        test,
        create: async (settings) => {
          await reset(settings);
          const store = open();
          return { latest: make(store, systemRandom), transaction: store.transaction, elapse } as never;
        },
      }),
    );
};
