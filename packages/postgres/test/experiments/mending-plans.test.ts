import { firstIdAt, hour, type PruneLimits } from '@partnerkit/core';
import { expect, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { onEachPostgres } from '../support/each-postgres.ts';
import { type TestDatabase, useDatabase } from '../support/fixtures.ts';
import { openPool } from '../support/host-transactions.ts';
import { analyze, forgetAll, rowsReadBy } from '../support/rows-read.ts';

const many = 20_000;
/** So much is replayed and pruned at once. */
const batch = 500;
const tables = ['attempts', 'events', 'later', 'leases', 'parked', 'queue'];
const [one, two, disabled] = ['a', 'b', 'c'].map((last) => `01934c04-c000-7000-8000-00000000000${last}`) as [
  string,
  string,
  string,
];
const begin = Date.now() - 2 * hour;
const kinds = { event: 1, inLine: 2, later: 3, parked: 4, finished: 5 };
type Kind = keyof typeof kinds;

/** The nth of a kind. Each event was dispatched at a time of its own, and its deliveries are named after that. */
const idOf = (kind: Kind, nth: number): string =>
  `${firstIdAt(begin + nth * 10).slice(0, 13)}-7000-800${kinds[kind]}-${String(nth).padStart(12, '0')}`;
const id = (kind: Kind): string =>
  `(left(partnerkit.id_at(at)::text, 13) || '-7000-800${kinds[kind]}-' || lpad(nth::text, 12, '0'))::uuid`;

const endpoints = `
  insert into partnerkit.endpoints (account_id, id, url, events, state, standard_webhooks, include_children, created_at, secret, version)
  select 'ours', id::uuid, 'https://partner.example/', '{payed}', state, false, false, now(), 'sealed', 1
  from (values ('${one}', 'enabled'), ('${two}', 'enabled'), ('${disabled}', 'disabled')) e(id, state);`;

/** Events from one to another; each stands in line for one endpoint, falls due later for the next, and is finished otherwise. */
const fill = (from: number, to: number): string => {
  const rows = `(select nth, to_timestamp(${begin}::float8 / 1000) + nth * interval '10 milliseconds' as at from generate_series(${from}, ${to}) nth) old`;
  return `
  insert into partnerkit.events (account_id, id, object_name, object_id, type, dispatched_at, second, rest)
  select 'ours', ${id('event')}, 'RequestPayment', nth::text, 'payed', at, nth, '}' from ${rows};
  insert into partnerkit.queue (account_id, endpoint_id, due_at, id, event_id, attempts)
  select 'ours', '${one}', at, ${id('inLine')}, ${id('event')}, 0 from ${rows};
  insert into partnerkit.later (account_id, endpoint_id, due_at, id, event_id, attempts)
  select 'ours', '${two}', now() + interval '1 hour', ${id('later')}, ${id('event')}, 1 from ${rows};
  insert into partnerkit.parked (account_id, endpoint_id, due_at, id, event_id, attempts, state, since)
  select 'ours', '${disabled}', at, ${id('parked')}, ${id('event')}, 1, case nth % 2 when 0 then 'held' else 'expired' end, at from ${rows};
  insert into partnerkit.attempts (account_id, delivery_id, lease, abandoned, endpoint_id, event_id, number, at, took, status, state)
  select 'ours', ${id('finished')}, gen_random_uuid(), false, '${two}', ${id('event')}, 1, at, 1, 200, 'delivered' from ${rows};`;
};

const far = 1_000 * hour;
const open = (database: TestDatabase) => {
  const url = new URL(database.url());
  // The plan that a statement keeps once it was used some times, whatever is asked.
  url.searchParams.set('options', `${url.searchParams.get('options')} -c plan_cache_mode=force_generic_plan`);
  const pool = openPool({ connectionString: url.href, max: 1 });
  const { log, queue } = postgresStorage(pool);
  const replay = (endpointId: string) => log.replay('ours', endpointId, { from: begin, to: Date.now() });
  const prune = (limits: Partial<PruneLimits>) =>
    queue.prune({ held: far, attempts: far, events: far, most: batch, ...limits });
  /** What is called, and what it answers; `nth` is of an event of which nothing was sent again yet. */
  const calls = (nth: number): readonly (readonly [string, () => Promise<unknown>, unknown])[] => [
    ['replay to one', () => replay(one), { kind: 'replayed' }],
    ['replay to the other', () => replay(two), { kind: 'replayed' }],
    ['what is in line', () => log.sendAgain('ours', idOf('inLine', nth)), { kind: 'sent' }],
    ['what is finished', () => log.sendAgain('ours', idOf('finished', nth)), { kind: 'unfinished' }],
    ['what falls due later', () => log.sendAgain('ours', idOf('later', nth)), { kind: 'sent' }],
    ['what is held', () => log.sendAgain('ours', idOf('parked', nth + 1)), { kind: 'held' }],
    ['what is not there', () => log.sendAgain('ours', idOf('event', nth)), { kind: 'not_found' }],
    ['prune what was held', () => prune({ held: 0 }), { more: true }],
    ['prune attempts', () => prune({ attempts: 0 }), { more: true }],
  ];
  return { pool, log, prune, calls };
};

onEachPostgres((server) => {
  const database = useDatabase(server);

  test.each(['by plans that are as old', 'by new plans'] as const)(
    `with statistics of two events, whoever mends reads little of the ${many} that are there, %s`,
    async (age) => {
      await database.reset({ storeAhead: 0 });
      await database.pool().query(forgetAll(tables) + endpoints + fill(1, 2) + analyze(tables));
      const old = open(database);
      for (const [, call] of old.calls(1)) await call();
      await old.prune({ events: 0 });
      await database.pool().query(fill(3, many));

      const { pool, log, prune, calls } = age === 'by new plans' ? open(database) : old;
      for (const [name, call, answer] of calls(3)) {
        let given: unknown;
        const read = await rowsReadBy(pool, tables, async () => {
          given = await call();
        });
        expect.soft(given, name).toMatchObject(answer as object);
        expect.soft(read, name).toBeLessThan(10 * batch);
      }
      // Whether its events are needed is asked of all that waits.
      expect.soft(await rowsReadBy(pool, ['events'], () => prune({ events: 0 }))).toBeLessThan(10 * batch);
      // Custom plans: with a plan for two rows that is used for all that is asked, a server reads a table from end to end.
      if (age === 'by new plans') {
        const list = () => log.listDeliveries('ours', { type: 'payed' }, { limit: 10 });
        expect.soft(await rowsReadBy(pool, ['events'], list)).toBeLessThan(10 * batch);
      }
    },
  );
});
