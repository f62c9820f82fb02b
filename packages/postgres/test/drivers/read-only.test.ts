import { expect, inject, test } from 'vitest';
import { fromPg } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';
import { openPool } from '../support/host-transactions.ts';

const { url } = useDatabase(inject('postgres'));

/** The server of each connection of a pool: its process ends with the connection. */
const servedBy = 'select pg_backend_pid() as pid';

test.each([
  { name: 'a connection whose server is read-only is closed', readOnly: 'on', isKept: false },
  { name: 'a connection whose statement failed otherwise is kept', readOnly: 'off', isKept: true },
])('$name', async ({ readOnly, isKept }) => {
  const { transaction, queryIn, query } = fromPg(openPool({ connectionString: url(), max: 1 }));
  const [before] = await query(servedBy, []);
  // As a primary that became a standby refuses what writes.
  const work = transaction(async (tx) => {
    await queryIn(tx, `set local transaction_read_only = ${readOnly}`, []);
    await queryIn(tx, 'create table partnerkit.workers (id int)', []);
  });
  await expect(work).rejects.toMatchObject({ code: readOnly === 'on' ? '25006' : '42P07' });
  const [after] = await query(servedBy, []);
  expect(after?.['pid'] === before?.['pid']).toBe(isKept);
});
