import { memorySender } from '@partnerkit/core/memory';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';
import { brokenLaws } from '../support/invariants.ts';
import { addEndpoint, openKit, payed, urlOf } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));
const minute = 60_000;

/** A delivery of each kind: in line, of a later time, leased, held, and done after a second attempt. */
const sender = memorySender(({ url }) => ({
  kind: 'answered',
  status: url === urlOf('fails') ? 500 : 200,
  body: '',
  took: 1,
}));
beforeAll(async () => {
  const storage = postgresStorage(database.pool());
  const kit = openKit(storage, { sender });
  const worker = kit.worker();
  const publish = (accountId: string) => kit.events.publish(payed(accountId, `of ${accountId}`), { tx: 'new' });
  for (const account of ['fails', 'works', 'is held', 'is leased', 'is in line'])
    await addEndpoint(kit, account, account);
  for (const account of ['fails', 'works', 'is held']) await publish(account);
  await worker.drain();
  const [held] = (await storage.endpoints.listEndpoints('is held', {})).items;
  await publish('is held');
  const want = { worker: 'w', perEndpoint: 9, perAccount: 9, lease: minute, schedule: [minute] };
  await storage.queue.dispatch({ ...want, limit: 0 });
  if (held) await storage.endpoints.replaceEndpoint({ ...held, state: 'disabled_by_breaker' });
  await publish('is leased');
  await storage.queue.dispatch({ ...want, limit: 1 });
  await publish('is in line');
  await storage.queue.dispatch({ ...want, limit: 0 });
});

const counts = async (): Promise<Readonly<Record<string, number>>> => {
  const { rows } = await database.pool().query(`select (select count(*) from partnerkit.queue)::int as queue,
    (select count(*) from partnerkit.later)::int as later, (select count(*) from partnerkit.leases)::int as leases,
    (select count(*) from partnerkit.parked)::int as parked, (select count(*) from partnerkit.attempts)::int as attempts`);
  return rows[0];
};

test('a sound database breaks no law, with deliveries in every table', async () => {
  expect(await counts()).toEqual({ queue: 1, later: 1, leases: 1, parked: 1, attempts: 3 });
  expect(await brokenLaws(database.pool(), sender.posts)).toEqual([]);
});

test('a body that is not the stored one is found', async () => {
  const [post] = sender.posts;
  const body = post?.body.replace('{', '{ ') ?? '';
  expect(await brokenLaws(database.pool(), [{ body }])).toEqual([
    `every attempt sends the bytes that were stored: ${body}`,
  ]);
});

const copyTo = (table: string) =>
  `insert into partnerkit.${table} (account_id, endpoint_id, due_at, id, event_id, attempts)
  select account_id, endpoint_id, now(), id, event_id, attempts from partnerkit.leases`;

describe('what breaks a law is found', () => {
  test.each<readonly [law: string, by: string]>([
    ['a delivery stands in one place', copyTo('queue')],
    ['a delivery stands in one place', copyTo('later')],
    ['a delivery that was attempted stands somewhere', 'delete from partnerkit.later'],
    [
      'an event has one delivery for an endpoint',
      `insert into partnerkit.queue select account_id, endpoint_id, now(), gen_random_uuid(), event_id, 0 from partnerkit.leases`,
    ],
    [
      'a delivery is of a dispatched event of its account, as long as it is not finished',
      'delete from partnerkit.events',
    ],
    ['what is in line is due', `update partnerkit.queue set due_at = now() + interval '1 minute'`],
    ['what waits is for an endpoint that is enabled', `update partnerkit.endpoints set state = 'disabled'`],
    ['what waits is for an endpoint that is enabled', 'delete from partnerkit.endpoints'],
    ['what is held is for an endpoint that is disabled', `update partnerkit.endpoints set state = 'enabled'`],
    ['what is held is for an endpoint that is disabled', 'delete from partnerkit.endpoints'],
    ['attempts are numbered one after the other', 'update partnerkit.attempts set number = number + 1'],
    ['a delivery counts its attempts', 'update partnerkit.later set attempts = attempts + 1'],
    ['what fails is an endpoint that is enabled', `update partnerkit.endpoints set state = 'disabled'`],
    ['what fails is an endpoint that is enabled', 'delete from partnerkit.endpoints'],
    [
      'an event was dispatched, or it was not',
      `insert into partnerkit.outbox (account_id, id, object_name, object_id, type, stored_at, rest)
      select account_id, id, object_name, object_id, type, dispatched_at, rest from partnerkit.events`,
    ],
    [
      'no two events of an object share a second',
      `alter table partnerkit.events drop constraint events_second;
      insert into partnerkit.events select account_id, gen_random_uuid(), object_name, object_id, type, occurred_at, dispatched_at,
        idempotency_key, second, rest from partnerkit.events`,
    ],
  ])('%s: %s', async (law, by) => {
    const client = await database.pool().connect();
    try {
      await client.query('begin');
      await client.query(by);
      expect(await brokenLaws(client)).toContainEqual(expect.stringContaining(`${law}: `));
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});
