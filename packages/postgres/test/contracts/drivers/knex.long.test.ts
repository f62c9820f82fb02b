import openKnex, { type Knex } from 'knex';
import { afterAll, beforeAll, inject } from 'vitest';
import { fromKnex } from '../../../src/drivers/knex.ts';
import { fromPg } from '../../../src/index.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { types } from '../../support/other-parsers.ts';
import { driverSuites } from './driver-suites.ts';

const database = useDatabase(inject('postgres'));

/** With parsers and names of the host's own. */
let knex: Knex;
beforeAll(() => {
  const upperCased = (row: object) => Object.fromEntries(Object.entries(row).map(([k, v]) => [k.toUpperCase(), v]));
  knex = openKnex({
    client: 'pg',
    connection: { connectionString: database.url(), types },
    wrapIdentifier: (name, original) => original(name.toLowerCase()),
    postProcessResponse: (result) => ({ ...result, rows: result.rows.map(upperCased) }),
  });
});
afterAll(() => knex.destroy());

driverSuites(database, () => fromKnex(knex, { listen: fromPg(database.pool()) }));
