import {
  inboxContract,
  latestTimestampsContract,
  movedRequestsContract,
  seenKeysContract,
  storageContracts,
} from '@partnerkit/conformance/contracts';
import { rowInbox, rowSeenKeys, systemClock, systemRandom } from '@partnerkit/core/adapter';
import { describe, test } from 'vitest';
import { fromMysql2 } from '../../src/index.ts';
import { mysqlRows } from '../../src/rows/rows.ts';
import { storageFixtures, type TestDatabase } from './database.ts';
import { turnedTime } from './turned-time.ts';

/** Holds storage, and what receivers need, to every contract. */
export const storageSuites = (database: { readonly get: () => TestDatabase }): void => {
  const create = storageFixtures(database);
  for (const [name, suite] of Object.entries(storageContracts))
    describe(name, () => suite({ test, create: create as never }));
  movedRequestsContract({ test, create: create as never, objects: 10_000 });

  const rows = () => mysqlRows(fromMysql2(database.get().pool), { clock: systemClock, now: turnedTime });
  describe('receiver', () => {
    seenKeysContract({
      test,
      create: async (settings) => {
        await database.get().reset(settings);
        return { seen: rowSeenKeys(rows(), systemRandom), elapse: database.get().elapse };
      },
    });
    inboxContract({
      test,
      create: async (settings) => {
        await database.get().reset(settings);
        return { inbox: rowInbox(rows(), systemRandom), elapse: database.get().elapse };
      },
    });
    for (const make of [rowSeenKeys, rowInbox])
      describe(make.name, () =>
        latestTimestampsContract({
          test,
          create: async (settings) => {
            await database.get().reset(settings);
            const { run, join, transaction } = rows();
            const latest = make({ run, join }, systemRandom);
            return { latest, transaction, elapse: database.get().elapse } as never;
          },
        }),
      );
  });
};
