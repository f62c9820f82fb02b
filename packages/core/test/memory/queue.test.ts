import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Claim, ClaimRequest } from '../../src/deliveries/delivery-queue.ts';
import { retrySchedule } from '../../src/deliveries/retry-schedule.ts';
import { memoryStorage } from '../../src/memory/storage.ts';
import { minute } from '../../src/runtime/time.ts';
import { testClock } from '../support/clock.ts';
import { platform } from '../support/kit.ts';
import { historyRuns } from '../support/runs.ts';

const want = (change: Partial<ClaimRequest> = {}): ClaimRequest => ({
  worker: 'w1',
  limit: 100,
  perEndpoint: 100,
  perAccount: 100,
  lease: minute,
  schedule: retrySchedule,
  ...change,
});
const outcome = { kind: 'answered', status: 500, body: '', took: 1 } as const;
const world = async (endpoints: number, events: number, accountId = 'acc_a') => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  const { kit } = platform({ clock, storage });
  const add = async (account: string, count: number, published: number) => {
    for (let index = 0; index < count; index++) {
      (await kit.endpoints.create(account, { url: `https://e${index}.example/`, events: ['payed'] }))._unsafeUnwrap();
    }
    for (let index = 0; index < published; index++) {
      const event = {
        accountId: account,
        objectName: 'RequestPayment',
        type: 'payed',
        data: { id: `${account}/${index}` },
      } as const;
      await kit.events.publish(event, { tx: 'new' });
    }
  };
  await add(accountId, endpoints, events);
  return { clock, storage, queue: storage.queue, kit, add };
};

describe('assertNeverUnderTwoLeases', () => {
  test('whatever workers claim, settle, release and let lapse', async () => {
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          act: fc.constantFrom('claim' as const, 'dispatch' as const),
          worker: fc.nat({ max: 2 }),
          limit: fc.nat({ max: 6 }),
        }),
      },
      {
        weight: 4,
        arbitrary: fc.record({
          act: fc.constantFrom('settle' as const, 'deliver' as const, 'release' as const),
          which: fc.nat(),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ act: fc.constant('pass' as const), time: fc.constantFrom(1_000, 20_000, 61_000) }),
      },
      { weight: 1, arbitrary: fc.record({ act: fc.constantFrom('disable' as const, 'enable' as const) }) },
    );
    let claims = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 50 }), async (steps) => {
        const { clock, storage, queue, kit } = await world(2, 4);
        const [endpoint] = (await kit.endpoints.list('acc_a'))._unsafeUnwrap().items;
        const held: (Claim & {
          readonly worker: string;
          readonly endpointId: string;
          readonly attempt: number;
          until: number;
        })[] = [];
        for (const each of steps) {
          const now = clock.now();
          if (each.act === 'claim' || each.act === 'dispatch') {
            const asked = want({ worker: `w${each.worker}`, limit: each.limit, perEndpoint: 2, perAccount: 3 });
            const { claimed } = await (each.act === 'claim' ? queue.claim(asked) : queue.dispatch(asked));
            expect(claimed.length).toBeLessThanOrEqual(each.limit);
            claims += claimed.length;
            for (const { deliveryId, lease, endpoint: of, attempt } of claimed) {
              expect(held.filter((other) => other.deliveryId === deliveryId && other.until > now)).toEqual([]);
              expect(held.map((other) => other.lease)).not.toContain(lease);
              expect(of.state).toBe('enabled');
              expect(attempt).toBeLessThanOrEqual(10);
              held.push({ deliveryId, lease, worker: asked.worker, endpointId: of.id, attempt, until: now + minute });
            }
            const living = held.filter(({ until }) => until > now);
            for (const { endpointId, worker } of living) {
              expect(living.filter((other) => other.endpointId === endpointId).length).toBeLessThanOrEqual(2);
              expect(living.filter((other) => other.worker === worker).length).toBeLessThanOrEqual(3);
            }
          } else if (each.act === 'pass') {
            clock.set(now + each.time);
          } else if (each.act === 'disable' || each.act === 'enable') {
            (await kit.endpoints[each.act]('acc_a', endpoint?.id as string))._unsafeUnwrap();
          } else if ('which' in each) {
            const claim = held[each.which % Math.max(held.length, 1)];
            if (!claim) continue;
            const retry = claim.attempt < 10 ? { retryIn: 500 } : 'exhausted';
            const next = each.act === 'deliver' ? 'delivered' : retry;
            if (each.act === 'release') await queue.release([claim]);
            else await queue.settle([{ ...claim, outcome, next }]);
            // Settled, or stale all along: it holds nothing from now on.
            claim.until = Math.min(claim.until, now);
          }
        }
        // Nothing is lost: in the end everything is delivered.
        (await kit.endpoints.enable('acc_a', endpoint?.id as string))._unsafeUnwrap();
        for (let times = 0; times < 40; times++) {
          clock.set(clock.now() + 2 * minute);
          const claimed = [...(await queue.dispatch(want())).claimed, ...(await queue.claim(want())).claimed];
          await queue.settle(claimed.map((claim) => ({ ...claim, outcome, next: 'delivered' as const })));
        }
        const { items } = await storage.log.listDeliveries('acc_a', {}, { limit: 100 });
        expect(items.filter(({ state }) => state === 'waiting' || state === 'held')).toEqual([]);
        for (const { attempts } of items) expect(attempts).toBeLessThanOrEqual(10);
      }),
      historyRuns,
    );
    expect(claims).toBeGreaterThan(2 * historyRuns.numRuns);
  });
});

describe('dispatch', () => {
  test('says how many events there were, and leases what fits', async () => {
    const { queue } = await world(2, 3);
    const dispatched = await queue.dispatch(want({ limit: 4 }));
    expect([dispatched.events, dispatched.claimed.length, dispatched.ahead]).toEqual([3, 4, []]);
    expect(await queue.dispatch(want())).toEqual({
      claimed: [],
      abandoned: [],
      events: 0,
      ahead: [],
      traced: [],
      referring: false,
    });
    expect((await queue.claim(want())).claimed).toHaveLength(2);
  });

  test('at most 500 events at once, oldest first', async () => {
    const { queue } = await world(0, 501);
    expect((await queue.dispatch(want())).events).toBe(500);
    expect((await queue.dispatch(want())).events).toBe(1);
  });

  test('two at once take each event once', async () => {
    const { queue } = await world(1, 10);
    const both = await Promise.all([queue.dispatch(want({ worker: 'w1' })), queue.dispatch(want({ worker: 'w2' }))]);
    expect(both.map(({ events }) => events).toSorted()).toEqual([0, 10]);
    expect(both.flatMap(({ claimed }) => claimed)).toHaveLength(10);
  });
});

describe('claim', () => {
  test('serves accounts and endpoints in turns', async () => {
    const { queue, add } = await world(2, 10);
    await add('acc_b', 1, 10);
    await queue.dispatch(want({ limit: 0 }));
    const { claimed } = await queue.claim(want({ limit: 9 }));
    const counts = new Map<string, number>();
    for (const { endpoint } of claimed) counts.set(endpoint.id, (counts.get(endpoint.id) ?? 0) + 1);
    expect([...counts.values()]).toEqual([3, 3, 3]);
  });

  test('oldest first within an endpoint', async () => {
    const { queue } = await world(1, 20);
    await queue.dispatch(want({ limit: 0 }));
    const ids = (await queue.claim(want())).claimed.map(({ event }) => event.objectId);
    expect(ids).toEqual(Array.from({ length: 20 }, (_, index) => `acc_a/${index}`));
  });

  test('a cap of an account counts for one worker, that of an endpoint for all', async () => {
    const { queue } = await world(2, 20);
    await queue.dispatch(want({ limit: 0 }));
    const caps = { perEndpoint: 4, perAccount: 6 };
    expect((await queue.claim(want({ ...caps, worker: 'w1' }))).claimed).toHaveLength(6);
    expect((await queue.claim(want({ ...caps, worker: 'w1' }))).claimed).toHaveLength(0);
    expect((await queue.claim(want({ ...caps, worker: 'w2' }))).claimed).toHaveLength(2);
    expect((await queue.claim(want({ ...caps, worker: 'w3' }))).claimed).toHaveLength(0);
  });

  test('what was given back is there at once, and counts as no attempt', async () => {
    const { queue } = await world(1, 1);
    const { claimed } = await queue.dispatch(want());
    await queue.release(claimed);
    await queue.release(claimed);
    const { claimed: again } = await queue.claim(want());
    expect(again.map(({ attempt, deliveryId }) => [attempt, deliveryId])).toEqual([[1, claimed[0]?.deliveryId]]);
    expect(again[0]?.lease).not.toBe(claimed[0]?.lease);
  });
});

describe('watch', () => {
  test('rings after a commit of events, not after a rollback, and until it is told to stop', async () => {
    const { queue, storage, kit } = await world(1, 0);
    let rings = 0;
    const stop = await queue.watch(() => {
      rings++;
    });
    const event = { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', data: { id: 'p' } } as const;
    await storage.transaction(async (tx) => {
      await kit.events.publish(event, { tx });
      expect(rings).toBe(0);
    });
    expect(rings).toBe(1);
    await storage
      .transaction(async (tx) => {
        await kit.events.publish(event, { tx });
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    await storage.transaction(async () => undefined);
    expect(rings).toBe(1);
    stop();
    await kit.events.publish(event, { tx: 'new' });
    expect(rings).toBe(1);
  });
});

test('a settlement of a delivery that is not there is no error', async () => {
  const { queue } = await world(0, 0);
  const none = { deliveryId: 'none', lease: 'l' };
  await expect(queue.settle([{ ...none, outcome, next: 'delivered' }])).resolves.toEqual([]);
  await expect(queue.release([none])).resolves.toBeUndefined();
});
