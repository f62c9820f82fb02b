import { fileURLToPath } from 'node:url';
import { createDatabase } from '@partnerkit/workshop/services';
import { expect, inject, onTestFinished, test } from 'vitest';
import { kills, sendTwice } from '../../../receiver/test/processes/platform.ts';
import { openPool } from '../support/host-transactions.ts';

const command = fileURLToPath(new URL('./receiver-process.ts', import.meta.url));

const openDatabase = async () => {
  const server = inject('postgres');
  const { url, drop } = await createDatabase(server, server.template);
  onTestFinished(drop);
  const pool = openPool({ connectionString: url, max: 2 });
  const address = new URL(url);
  // The server is never killed here: commits need not reach the disk.
  address.searchParams.set('options', '-c synchronous_commit=off');
  return { url: address.href, pool };
};

test('ten receivers that are killed one after the other take effect exactly once for each event that is sent twice', async () => {
  const { url, pool } = await openDatabase();
  await pool.query('create table effects (key text not null)');
  // Also under load, and so of the living: what marks in its own transaction needs no lease to be right.
  const elapse = async (): Promise<void> => {
    await pool.query(`begin; lock table partnerkit.seen_keys;
      update partnerkit.seen_keys set expires_at = expires_at - interval '1 hour' where lease is not null; commit`);
  };
  const lapsing: Promise<void>[] = [];
  const onKill = (): void => void lapsing.push(elapse());
  const { keys, killed, answers } = await sendTwice({ command, task: { url }, seed: 20_250_611, elapse, onKill });
  await Promise.all(lapsing);

  expect(killed).toBe(kills);
  expect(answers.get(503)).toBeGreaterThan(0);
  const { rows } = await pool.query('select key from effects order by key collate "C"');
  expect(rows.map(({ key }) => key)).toEqual(keys.toSorted());
});
