import { hour } from '@partnerkit/core';
import { firstIdAt, type PruneLimits, type ShardedKey, shardOf } from '@partnerkit/core/adapter';
import { expect, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { onEachPostgres } from '../support/each-postgres.ts';
import { type TestDatabase, useDatabase } from '../support/fixtures.ts';
import { openPool } from '../support/host-transactions.ts';
import { analyze, forgetAll, rowsReadBy } from '../support/rows-read.ts';

const many = 20_000;
/** How many rows each call is about, or fewer. */
const batch = 500;
const figures = 'figures of endpoints are read';
/**
 * They read 20,000 attempts of the account, and count 10,000 deliveries of each of two endpoints. Of tables that are
 * twice as large, the server prefers to read and sort all; from larger ones it reads no more than this.
 */
const maxOfFigures = 42_000;
const asOfLargeTables = (isOn: boolean): string =>
  ['seqscan', 'bitmapscan', 'sort'].map((name) => `set enable_${name} = ${isOn ? 'off' : 'on'};`).join(' ');
const tables = ['attempts', 'dispatches', 'events', 'outbox', 'parent_propagation', 'pending'];
const queues = ['outbox', 'parent_propagation', 'pending'];
/** A connection reports what it read up to ten seconds late: a later call would be blamed for it. */
const countNow = 'select pg_stat_force_next_flush();';
const account = 'ours';
const shard = shardOf(account);
const begin = Date.now() - 2 * hour;
const [delivered, failing, disabled] = ['a', 'b', 'c'].map((last) => `01934c04-c000-7000-8000-00000000000${last}`) as [
  string,
  string,
  string,
];

const eventId = (nth: number): string =>
  `${firstIdAt(begin + nth).slice(0, 13)}-7000-8000-${String(nth).padStart(12, '0')}`;
const keyOf = (nth: number, endpointId: string): ShardedKey => ({
  shard,
  accountId: account,
  eventId: eventId(nth),
  endpointId,
  replay: 0,
});

const endpoints = `
  insert into partnerkit.endpoints
    (account_id, id, kind, url, events, state, state_since, standard_webhooks, include_children, created_at, secret, version)
  select '${account}', id::uuid, 'push', 'https://partner.example/', '{payed}', state, now(), false, false, now(), 'sealed', 1
  from (values ('${delivered}', 'enabled'), ('${failing}', 'enabled'), ('${disabled}', 'disabled')) e(id, state);`;

/**
 * Events from one to another, each with three deliveries: one arrived, one failed and is scheduled or queued, one is
 * held. And as many events in the outbox, and on their way to a parent.
 */
const fill = (from: number, to: number): string => {
  const rows = `(
    select n, lpad(to_hex(${begin} + n), 12, '0') as time, to_timestamp(${begin}::float8 / 1000) + n * interval '1 millisecond' as at
    from generate_series(${from}, ${to}) n
  ) old`;
  const id = "(time || '70008000' || lpad(n::text, 12, '0'))::uuid";
  const pending = (endpoint: string, state: string, attempts: number): string => `
  insert into partnerkit.pending
    (account_id, event_id, endpoint_id, replay, shard, state, due_at, attempts, logged, is_abandoned, is_urgent, since)
  select '${account}', ${id}, '${endpoint}', 0, ${shard}, ${state}, at, ${attempts}, ${attempts}, false, false, at from ${rows}
  on conflict do nothing;`;
  return `
  insert into partnerkit.events (account_id, id, object_name, object_id, type, stored_at, body_tail)
  select '${account}', ${id}, 'RequestPayment', n::text, 'payed', at, repeat('x', 500) from ${rows};
  insert into partnerkit.dispatches (account_id, event_id, shard, object_hash, dispatched_at, timestamp, endpoints)
  select '${account}', ${id}, ${shard}, n, at, n, array['${delivered}', '${failing}', '${disabled}']::uuid[] from ${rows};
  insert into partnerkit.attempts (account_id, event_id, endpoint_id, replay, number, at, duration_ms, status, state)
  select '${account}', ${id}, endpoint, 0, 1, at, 1, status, state
  from ${rows}, (values ('${delivered}'::uuid, 200, 'delivered'), ('${failing}', 500, null)) a(endpoint, status, state);
  ${pending(failing, "case n % 2 when 0 then 'scheduled' else 'queued' end", 1)}
  ${pending(disabled, "'queued'", 0)}
  with new as (
    insert into partnerkit.events (account_id, id, object_name, object_id, type, stored_at, body_tail)
    select '${account}', gen_random_uuid(), 'RequestPayment', 'new-' || n, 'payed', now(), repeat('x', 500) from ${rows}
    returning id, object_id
  )
  insert into partnerkit.outbox (shard, account_id, event_id, object_hash)
  select ${shard}, '${account}', id, hashtextextended(object_id, 0) from new;
  insert into partnerkit.parent_propagation (shard, account_id, event_id, object_name, type)
    select ${shard}, '${account}', ${id}, 'RequestPayment', 'payed' from ${rows};`;
};
const settledNow = 'update partnerkit.shards set watermark = now();';

const far = 1_000 * hour;
const worker = 'worker';

const open = (database: TestDatabase) => {
  const pool = openPool({ connectionString: database.url(), max: 1 });
  const { deliveries, log, parents, events } = postgresStorage(pool);
  const nothing = { after: 0, attempts: [], pending: [], queued: [], finished: [], health: [], transitions: [] };
  let settlements = 0;
  const replay = () => log.replay(account, delivered, { from: begin, to: Date.now() });
  const recover = () => log.replay(account, delivered, { from: begin, to: Date.now(), onlyFailed: true });
  const prune = (limits: Partial<PruneLimits>) =>
    log.prune([shard], { held: far, deleted: far, events: far, limit: batch, ...limits });
  const dispatch = async (ranges: number) => {
    const shards = Array.from({ length: ranges }, (_, nth) => ({ shard: (shard + nth) % 128 }));
    const read = await deliveries.readOutbox(shards, batch, 0);
    const dispatched = read.events.map((event, nth) => ({
      event,
      timestamp: Math.floor(Date.now() / 1_000) + nth,
      endpointIds: [delivered],
      propagates: false,
    }));
    expect(await deliveries.dispatch(worker, dispatched, [], 0)).toBe('stored');
    const attempts = dispatched.map(({ event }) => ({
      ...{
        accountId: account,
        eventId: event.id,
        endpointId: delivered,
        replay: 0,
        number: 1,
        state: 'delivered' as const,
      },
      outcome: { kind: 'answered' as const, status: 200, body: '', durationMs: 1 },
    }));
    await deliveries.settle(worker, { number: ++settlements, ...nothing, attempts }, 0);
  };
  const announced = async () => {
    const read = await deliveries.readOutbox([{ shard }], 1, 0);
    const ended = {
      ...keyOf(1, delivered),
      id: eventId(1),
      objectName: 'o',
      objectId: 'o',
      type: 'payed',
      storedAt: 1,
    };
    const [event = ended] = read.events;
    const timestamp = Math.floor(Date.now() / 1_000) + many;
    const { endpointVersion } = read;
    const made = { event, timestamp, endpointIds: [delivered], endpointVersion };
    expect(await deliveries.dispatchAnnounced?.(worker, [made], 0)).toHaveLength(event === ended ? 0 : 1);
  };
  const failed = (nth: number) => {
    const keys = Array.from({ length: 100 }, (_, more) => keyOf(nth + more, failing));
    return deliveries.settle(
      worker,
      {
        number: ++settlements,
        ...nothing,
        attempts: keys.map((key) => ({
          ...key,
          number: 2,
          outcome: { kind: 'failed', reason: 'timeout', durationMs: 1 },
        })),
        pending: keys.map((key) => ({ ...key, state: 'scheduled', dueIn: hour, attempts: 2, logged: 2 })),
        health: [{ accountId: account, endpointId: failing, version: 1 }],
      },
      0,
    );
  };
  const propagate = async () => {
    const waiting = await parents.readPropagated([{ shard }], batch);
    expect(
      await parents.propagate(
        worker,
        waiting.map((each) => ({ ...each, parentId: 'parent' })),
      ),
    ).toBe('stored');
  };
  const queue = (order: 'due' | 'attempts') => ({ shard, accountId: account, endpointId: failing, limit: 64, order });
  /** `nth` is of an event of which nothing was settled yet. */
  const calls = (nth: number): readonly (readonly [string, () => Promise<unknown>])[] => [
    ['an event is published', () => events.appendAlone?.([]) ?? Promise.resolve()],
    ['events of one shard are dispatched and settled', () => dispatch(1)],
    ['events of all shards are dispatched and settled', () => dispatch(128)],
    ['an announced event is dispatched', announced],
    ['failures are settled', () => failed(nth)],
    ['what is due is read', () => deliveries.readDue([shard], 64, [keyOf(nth + 200, failing)], 0)],
    ['what was queued first is read', () => deliveries.readQueued([queue('due')], [], 0)],
    ['what was attempted most is read', () => deliveries.readQueued([queue('attempts')], [], 0)],
    ['endpoints are read', () => deliveries.readEndpoints([account], 0)],
    ['accounts with queued deliveries are found', () => deliveries.readQueuedAccounts([{ shard }], 16)],
    [
      'a shard is taken over',
      () => deliveries.recover(worker, [{ shard, watermark: Date.now() - 1, wasAbandoned: false }]),
    ],
    ['events are propagated', propagate],
    ['events are replayed', replay],
    ['failed events are replayed', recover],
    ['an arrived delivery is sent again', () => log.sendAgain(keyOf(nth + 300, delivered))],
    ['a delivery that waits is sent again', () => log.sendAgain(keyOf(nth + 300, failing))],
    [figures, () => log.readStatistics(account, [failing, disabled], { from: 0, width: hour })],
    ['a delivery is explained', () => log.readExplainSnapshot(account, eventId(nth + 300), failing)],
    ['held deliveries are pruned', () => prune({ held: 0 })],
    ['events are pruned', () => prune({ events: hour })],
  ];
  const lists: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['deliveries are listed', () => log.listDeliveries(account, {}, { limit: 10 })],
    ['deliveries of a type are listed', () => log.listDeliveries(account, { type: 'payed' }, { limit: 10 })],
    ['deliveries that wait are listed', () => log.listDeliveries(account, { state: 'waiting' }, { limit: 10 })],
    ['events are listed', () => events.listEvents(account, { limit: 10 })],
    ['events of a type are listed', () => events.listEvents(account, { limit: 10 }, { type: 'payed' })],
    ['events of an object are listed', () => events.listEvents(account, { limit: 10 }, { objectId: '1' })],
  ];
  return { pool, calls, lists };
};

onEachPostgres((server, version) => {
  const database = useDatabase(server);

  const ofTwo = [fill(1, 2), analyze(tables)];
  /** A queue that was long and has two rows, on the last of its pages: the planner expects no rows on the others. */
  const ofDrained = [
    fill(3, many),
    fill(1, 2),
    ...queues.map(
      (table) =>
        `delete from partnerkit.${table} where ctid not in (select ctid from partnerkit.${table} order by ctid desc limit 2)`,
    ),
    ...queues.map((table) => `vacuum (analyze) partnerkit.${table}`),
    'truncate partnerkit.dispatches, partnerkit.attempts',
    'delete from partnerkit.events where id not in (select event_id from partnerkit.outbox)',
  ];
  test.each([
    ['statistics of two events, by plans that are as old', ofTwo, true],
    ['statistics of two events, by new plans', ofTwo, false],
    ['statistics of queues that were drained, after one full page', ofDrained, true],
    ['no statistics, by plans for empty tables', [], true],
  ])(`with %s, no call reads more than a part of ${many} rows`, async (_, statistics, isOld) => {
    await database.reset({ storeAhead: 0 });
    await database.pool().query(`${forgetAll(tables)} ${endpoints}`);
    for (const statement of statistics) await database.pool().query(statement);
    await database.pool().query(`${settledNow}
      insert into partnerkit.workers (id, expires_at) values ('${worker}', 'infinity');
      update partnerkit.shards set owner = '${worker}'`);
    const old = open(database);
    // After five executions a server may keep a plan.
    for (let times = 0; times < 7; times++) for (const [, call] of old.calls(1)) await call();
    await database.pool().query(`${fill(3, many)} ${settledNow} ${countNow}`);

    const { pool, calls } = isOld ? old : open(database);
    if (statistics === ofDrained) await postgresStorage(pool).deliveries.readOutbox([{ shard }], batch, 0);
    for (const [name, call] of calls(3)) {
      await pool.query(asOfLargeTables(name === figures));
      const read = await rowsReadBy(pool, tables, call);
      // A known limit: before PostgreSQL 17 a probe reads all that its endpoint has queued, until the next analysis.
      if (version < 17 && statistics.length > 0 && name === 'what was attempted most is read')
        expect(read).toBeLessThan(many);
      else expect.soft(read, name).toBeLessThan(name === figures ? maxOfFigures : 20 * batch);
    }
  });

  test(`with statistics of them, no list reads more than a part of ${many} rows`, async () => {
    await database.reset({ storeAhead: 0 });
    const first = open(database);
    await database.pool().query(`${forgetAll(tables)} ${endpoints}`);
    for (let times = 0; times < 7; times++) for (const [, list] of first.lists) await list();
    await database.pool().query(`${fill(1, many)} ${settledNow} ${analyze(tables)} ${countNow}`);
    for (const { pool, lists } of [first, open(database)]) {
      for (const [name, list] of lists)
        expect.soft(await rowsReadBy(pool, tables, list), name).toBeLessThan(20 * batch);
    }
  });
});
