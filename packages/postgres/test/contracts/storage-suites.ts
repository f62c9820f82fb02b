import {
  inboxContract,
  latestTimestampsContract,
  seenKeysContract,
  storageContracts,
} from '@partnerkit/conformance/contracts';
import { describe, test } from 'vitest';
import {
  fromPg,
  type PgClient,
  postgresInbox,
  postgresSeenKeys,
  postgresStorage,
  type SqlDriver,
} from '../../src/index.ts';
import { configured } from '../support/configured-driver.ts';
import { storageFixtures, useDatabase } from '../support/fixtures.ts';
import type { Server } from '../support/global-setup.ts';

/** Every suite that storage is held to, on a real server. */
export const storageSuites = (server: Server): void => {
  const database = useDatabase(server);
  const create = storageFixtures(database, () => postgresStorage(configured(fromPg(database.pool()))));
  for (const [name, contract] of Object.entries(storageContracts)) describe(name, () => contract({ test, create }));
  describe('seen keys', () =>
    seenKeysContract({
      test,
      create: async (settings) => {
        await database.reset(settings);
        return { seen: postgresSeenKeys(configured(fromPg(database.pool()))), elapse: database.elapse };
      },
    }));
  describe('inbox', () =>
    inboxContract({
      test,
      create: async (settings) => {
        await database.reset(settings);
        return { inbox: postgresInbox(configured(fromPg(database.pool()))), elapse: database.elapse };
      },
    }));
  const latest = {
    'the latest timestamps of seen keys': (driver: SqlDriver<PgClient>) => postgresSeenKeys(driver),
    'the latest timestamps of an inbox': (driver: SqlDriver<PgClient>) => postgresInbox(driver),
  };
  for (const [name, make] of Object.entries(latest))
    describe(name, () =>
      latestTimestampsContract({
        test,
        create: async (settings) => {
          await database.reset(settings);
          const driver = configured(fromPg(database.pool()));
          return { latest: make(driver), transaction: driver.transaction, elapse: database.elapse } as never;
        },
      }),
    );
};
