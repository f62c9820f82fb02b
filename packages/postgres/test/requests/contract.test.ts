import { requestStoresContract } from '@partnerkit/testing';
import { describe, inject, test } from 'vitest';
import { postgresRequests, postgresStorage } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';
import type { Server } from '../support/global-setup.ts';

const suite = (server: Server): void => {
  const database = useDatabase(server);
  requestStoresContract({
    test,
    create: async (settings) => {
      await database.reset(settings);
      return {
        storage: postgresStorage(database.pool()),
        stores: postgresRequests(database.pool()),
        elapse: database.elapse,
      };
    },
  });
};

describe('PostgreSQL 18', () => suite(inject('postgres')));

const older = inject('postgres15');
if (older) describe('PostgreSQL 15', () => suite(older));
else test.skip('this machine has no PostgreSQL 15', () => {});
