import openKnex, { type Knex } from 'knex';
import { fromKnex } from '../../../src/drivers/knex.ts';
import type { HostTransaction, OpenHost } from './host.ts';

export const knexHost: OpenHost<Knex.Transaction> = (url, maxConnections = 10) => {
  const log = { warn: () => {} };
  const knex = openKnex({ client: 'pg', connection: url, pool: { min: 0, max: maxConnections }, log });
  const own = (tx: Knex.Transaction): HostTransaction<Knex.Transaction> => ({
    tx,
    run: async (statement) => tx.raw(statement),
    savepoint: (work) => tx.transaction((inner) => work(own(inner))),
  });
  return {
    driver: fromKnex(knex),
    run: (tx, statement) => own(tx).run(statement),
    transaction: (work) => knex.transaction((tx) => work(own(tx))),
    end: () => knex.destroy(),
  };
};
