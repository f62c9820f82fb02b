import { type ClaimedDelivery, day, type EndpointTurn, hour, minute, type Settlement } from '@partnerkit/core';
import { memorySender } from '@partnerkit/core/memory';
import { describe, expect, inject, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { names } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { brokenLaws } from '../support/invariants.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));

const open = async () => {
  await database.reset({ storeAhead: 0 });
  const storage = postgresStorage(database.pool());
  const kit = openKit(storage, { sender: memorySender(), mostEndpoints: 100 });
  return { storage, kit, queue: storage.queue };
};
type Open = Awaited<ReturnType<typeof open>>;

const want = { worker: 'w', limit: 1_000, perEndpoint: 1_000, perAccount: 1_000, lease: minute, schedule: [minute] };
const muchLater = { retryIn: 30 * day };
const settled = (claims: readonly ClaimedDelivery[], status: number, next: Settlement['next']) =>
  claims.map((claim) => ({ ...claim, outcome: { kind: 'answered' as const, status, body: '', took: 1 }, next }));

const publish = ({ kit }: Open, accountId: string, count: number, prefix = 'p') =>
  kit.events.publishMany(
    names(count, prefix).map((name) => payed(accountId, name)),
    { tx: 'new' },
  );
const dispatchAll = async ({ queue }: Open): Promise<void> => {
  while ((await queue.dispatch({ ...want, limit: 0 })).events > 0);
};
const health = async (): Promise<number> => {
  const { rows } = await database.pool().query('select count(*)::int as count from partnerkit.health');
  return rows[0].count;
};

test('an endpoint has a row of health while it fails, and none before and after', async () => {
  const made = await open();
  await addEndpoint(made.kit, 'ours', 'one');
  await publish(made, 'ours', 3);
  await dispatchAll(made);
  const [first, second, third] = (await made.queue.claim(want)).claimed;
  if (!first || !second || !third) throw new Error('Three are due.');
  await made.queue.settle(settled([first], 200, 'delivered'));
  expect(await health()).toBe(0);
  await made.queue.settle(settled([second], 500, muchLater));
  expect(await health()).toBe(1);
  await made.queue.settle(settled([third], 200, 'delivered'));
  expect(await health()).toBe(0);
});

describe('what waits for a paused endpoint', () => {
  /** How many pages a claim reads that finds nothing to lease, beside an endpoint for which so many wait. */
  const pagesRead = async (waiting: number): Promise<number> => {
    const made = await open();
    await addEndpoint(made.kit, 'ours', 'paused');
    await publish(made, 'ours', 5, 'failing-');
    await dispatchAll(made);
    await made.queue.settle(settled((await made.queue.claim(want)).claimed, 500, muchLater));
    await publish(made, 'ours', waiting);
    await dispatchAll(made);
    await database.pool().query('vacuum (analyze) partnerkit.queue, partnerkit.leases, partnerkit.later');
    const claim = `select partnerkit.claim('w', 64, 8, 64, 60000, '', '00000000-0000-0000-0000-000000000000', '{1000}', null)`;
    const client = await database.pool().connect();
    try {
      // Once for the plans.
      await client.query(claim);
      const { rows } = await client.query(`explain (analyze, buffers, format json) ${claim}`);
      const plan = rows[0]['QUERY PLAN'][0].Plan;
      return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    } finally {
      client.release();
    }
  };

  test('costs a claim the same, be it ten deliveries or ten thousand', async () => {
    const few = await pagesRead(10);
    expect(few).toBeGreaterThan(0);
    expect(await pagesRead(10_000)).toBeLessThanOrEqual(few + 20);
  });
});

test('many settle, disable, enable and delete at once: nobody is refused, and each turn is told once', async () => {
  const made = await open();
  const endpoints = await Promise.all(names(12, 'e').map((name) => addEndpoint(made.kit, 'ours', name)));
  await publish(made, 'ours', 40);
  await dispatchAll(made);
  const { claimed } = await made.queue.claim(want);
  expect(claimed).toHaveLength(480);
  // Long ago all of them began to fail; so whoever settles now may have to disable.
  await made.queue.settle(settled(claimed.slice(0, 240), 500, muchLater));
  await database
    .pool()
    .query(`update partnerkit.health set since = since - interval '6 days', exhausted = true, failures = 9,
    openings = 0, open_until = '-infinity'`);
  const rest = claimed.slice(240).sort((a, b) => (a.lease < b.lease ? -1 : 1));
  const batches = Array.from({ length: 12 }, (_, index) => rest.filter((_claim, place) => place % 12 === index));
  const turns: EndpointTurn[] = [];
  const settling = batches.map(async (batch, index) => {
    const [status, next] = index % 3 === 0 ? ([410, 'gone'] as const) : ([500, muchLater] as const);
    // Told twice, as by a worker that lost the answer.
    const settlements = settled(batch, status, next);
    for (const told of await Promise.all([made.queue.settle(settlements), made.queue.settle(settlements)]))
      turns.push(...told);
  });
  const changing = endpoints.slice(0, 4).map(async (id, index) => {
    const changed = await (index < 2 ? made.kit.endpoints.disable('ours', id) : made.kit.endpoints.delete('ours', id));
    return changed.isOk() || changed.error.code;
  });
  const claiming = Array.from({ length: 4 }, () => made.queue.claim({ ...want, limit: 5 }));
  await Promise.all([...settling, ...changing, ...claiming]);
  for (const id of endpoints.slice(4)) {
    const told = turns.filter((turn) => turn.endpointId === id);
    expect(told.map(({ kind }) => kind)).toEqual(['endpoint_disabled']);
    expect((await made.kit.endpoints.find('ours', id))._unsafeUnwrap().state).toBe('disabled_by_breaker');
  }
  for (const id of endpoints.slice(0, 4))
    expect(turns.filter((turn) => turn.endpointId === id).length).toBeLessThanOrEqual(1);
  expect(await brokenLaws(database.pool())).toEqual([]);
});

test('what expired in other tables goes too: keys, tokens', async () => {
  const made = await open();
  const keyed = (key: string) => ({ tx: 'new' as const, idempotencyKey: key });
  await made.kit.events.publish(payed('ours', 'p1'), keyed('old'));
  const seconds = async (): Promise<number> => Math.floor((await database.now()) / 1_000);
  await made.storage.clients.revokeToken('old', (await seconds()) + 60);
  await database.elapse(31 * day);
  await made.kit.events.publish(payed('ours', 'p2'), keyed('new'));
  await database.pool().query(`insert into partnerkit.revoked_tokens values ('new', now() + interval '1 minute')`);
  const limits = { held: day, events: day, attempts: day, most: 100 };
  expect(await made.queue.prune(limits)).toEqual({ expired: [], more: false });
  const { rows } = await database
    .pool()
    .query(`select (select string_agg(key, ' ') from partnerkit.idempotency_keys) as keys,
    (select string_agg(jti, ' ') from partnerkit.revoked_tokens) as tokens`);
  expect(rows).toEqual([{ keys: 'new', tokens: 'new' }]);
});

test('pruning beside workers: nothing that is unfinished goes, and no law is broken', async () => {
  const made = await open();
  await addEndpoint(made.kit, 'ours', 'one');
  await addEndpoint(made.kit, 'ours', 'two');
  const limits = { held: hour, events: hour, attempts: day, most: 7 };
  for (let round = 0; round < 6; round++) {
    await publish(made, 'ours', 30, `round-${round}-`);
    await database.elapse(20 * minute);
    const work = async (worker: string): Promise<void> => {
      await made.queue.dispatch({ ...want, worker, limit: 20 });
      const { claimed } = await made.queue.claim({ ...want, worker, limit: 20 });
      const ends = [
        settled(claimed.slice(0, 8), 200, 'delivered'),
        settled(claimed.slice(8, 14), 500, { retryIn: hour }),
      ];
      await made.queue.settle(ends.flat());
      await made.queue.release(claimed.slice(14));
    };
    await Promise.all([work('a'), work('b'), ...Array.from({ length: 6 }, () => made.queue.prune(limits))]);
    expect(await brokenLaws(database.pool())).toEqual([]);
  }
});
