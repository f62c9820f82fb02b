import { inboxContract, seenKeysContract, storageContracts } from '@partnerkit/conformance/contracts';
import { describe, test } from 'vitest';
import { fromPg, postgresInbox, postgresSeenKeys, postgresStorage } from '../../src/index.ts';
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
};
