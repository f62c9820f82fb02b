import { memorySender } from '@partnerkit/core/memory';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { useDatabase } from './fixtures.ts';
import { brokenLaws } from './invariants.ts';
import { addEndpoint, openKit, payed, urlOf } from './kit.ts';

const database = useDatabase(inject('postgres'));

/** Deliveries that are delivered, scheduled for a second attempt, and held; and an event that was not dispatched. */
const sender = memorySender(({ url }) => ({
  kind: 'answered',
  status: url === urlOf('fails') ? 500 : 200,
  body: '',
  durationMs: 1,
}));
beforeAll(async () => {
  await database.reset({ storeAhead: 0 });
  const storage = postgresStorage(database.pool());
  const kit = openKit(storage, { sender });
  const publish = (accountId: string) => kit.events.publish(payed(accountId, `of ${accountId}`), { tx: 'new' });
  for (const account of ['fails', 'works', 'is held'])
    await addEndpoint(kit, account, account, { includeChildren: account === 'works' });
  const [held] = (await storage.endpoints.listEndpoints('is held', {})).items;
  if (held) await storage.endpoints.replaceEndpoint({ ...held, state: 'disabled_by_breaker' });
  for (const account of ['fails', 'works', 'is held']) await publish(account);
  await kit.worker().drain();
  await database.pool().query('update partnerkit.shards set watermark = now()');
  await publish('works');
});

test('a sound database breaks no law, with deliveries of every kind', async () => {
  const { rows } = await database.pool().query(`select (select count(*) from partnerkit.outbox)::int as outbox,
    (select count(*) from partnerkit.pending)::int as pending, (select count(*) from partnerkit.attempts)::int as attempts,
    (select count(*) from partnerkit.health)::int as health`);
  expect(rows).toEqual([{ outbox: 1, pending: 2, attempts: 2, health: 1 }]);
  expect(await brokenLaws(database.pool(), sender.posts)).toEqual([]);
});

test('a body that is not the stored one is found', async () => {
  const [post] = sender.posts;
  const body = post?.body.replace('{', '{ ') ?? '';
  expect(await brokenLaws(database.pool(), [{ body }])).toEqual([
    `every attempt sends the bytes that were stored: ${body}`,
  ]);
});

const pending =
  'account_id, event_id, endpoint_id, replay, shard, state, due_at, attempts, logged, is_abandoned, is_urgent, since';

/** SQL of another id: the last digit is the next one. */
const another = (id: string): string =>
  `overlay(${id}::text placing translate(right(${id}::text, 1), '0123456789abcdef', '123456789abcdef0') from 36)::uuid`;

describe('what breaks a law is found', () => {
  test.each<readonly [law: string, by: string]>([
    ['a delivery that is finished is not pending', "update partnerkit.attempts set state = 'delivered'"],
    ['a delivery that was attempted is pending or finished', 'delete from partnerkit.pending'],
    [
      'an event has one unfinished delivery for an endpoint',
      `insert into partnerkit.pending (${pending}) select ${pending.replace('replay', '1')} from partnerkit.pending`,
    ],
    ['what was dispatched before the mark of its shard has a log or is pending', 'delete from partnerkit.attempts'],
    ['a pending delivery is of a dispatched event of its account', 'delete from partnerkit.dispatches'],
    ['attempts are numbered one after the other', 'update partnerkit.attempts set number = number + 1'],
    [
      'the last row of a log, and no other, says what became of the delivery',
      `insert into partnerkit.attempts (account_id, event_id, endpoint_id, replay, number, at, duration_ms, status)
      select account_id, event_id, endpoint_id, replay, number + 1, at, duration_ms, status from partnerkit.attempts where state is not null`,
    ],
    ['a pending delivery knows its log', 'update partnerkit.pending set logged = logged + 1'],
    ['a delivery is in the shard of its event', 'update partnerkit.pending set shard = (shard + 1) % 128'],
    ['what fails is an endpoint that is enabled', "update partnerkit.endpoints set state = 'disabled'"],
    ['what fails is an endpoint that is enabled', 'delete from partnerkit.endpoints'],
    ['the endpoints that include children are counted', 'update partnerkit.endpoints set include_children = true'],
    [
      'an event was dispatched, or it was not',
      `insert into partnerkit.outbox (shard, account_id, event_id, object_hash)
      select shard, account_id, event_id, object_hash from partnerkit.dispatches`,
    ],
    [
      'no two events of an object share a timestamp',
      `alter table partnerkit.dispatches drop constraint dispatches_timestamp;
      with again as (
        insert into partnerkit.events (account_id, id, object_name, object_id, type, stored_at, body_tail)
        select e.account_id, ${another('id')}, object_name, object_id, type, stored_at, body_tail
        from partnerkit.events e join partnerkit.dispatches d on d.account_id = e.account_id and d.event_id = e.id
      )
      insert into partnerkit.dispatches (account_id, event_id, shard, object_hash, dispatched_at, timestamp, endpoints)
      select account_id, ${another('event_id')}, shard, object_hash, dispatched_at, timestamp, '{}' from partnerkit.dispatches`,
    ],
    ['an event in the outbox, and a dispatched one, is stored', 'delete from partnerkit.events'],
    ['an event is dispatched, or waits for it', 'delete from partnerkit.outbox'],
    [
      'the dispatches of an object have positions in the order of their timestamps',
      `insert into partnerkit.dispatches (account_id, event_id, shard, object_hash, dispatched_at, timestamp, endpoints)
      select account_id, ${another('event_id')}, shard, object_hash, dispatched_at, timestamp - 1, '{}' from partnerkit.dispatches`,
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
