import openKnex, { type Knex } from 'knex';
import { fromKnex } from '../../../src/drivers/knex.ts';
import type { OpenHost } from './host.ts';

export const knexHost: OpenHost<Knex.Transaction> = (connection, max = 10) => {
  const knex = openKnex({ client: 'mysql2', connection, pool: { min: 0, max }, log: { warn: () => {} } });
  return {
    driver: fromKnex<Knex.Transaction>(knex),
    transaction: (work) => knex.transaction((tx) => work({ tx, run: async (statement) => tx.raw(statement) })),
    end: () => knex.destroy(),
  };
};
