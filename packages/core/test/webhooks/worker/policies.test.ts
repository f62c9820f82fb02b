import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { day, hour, minute, second } from '../../../src/base/runtime/time.ts';
import { partnerSettingsOf } from '../../../src/kit/partner-settings.ts';
import { memorySender } from '../../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import { type DeliveryPolicy, maxTimeout } from '../../../src/webhooks/delivery-rules/delivery-policy.ts';
import { retrySchedule } from '../../../src/webhooks/delivery-rules/retry-policy.ts';
import { workerLease } from '../../../src/webhooks/worker/worker.ts';
import { testClock } from '../../support/clock.ts';
import {
  answered,
  deliveriesOf,
  idOf,
  publish,
  runningWorkers,
  statesOf,
  subscribe,
} from '../../support/deliveries.ts';
import { anyAccount, platform } from '../../support/kit.ts';
import { withoutJitter } from '../../support/random.ts';
import { historyRuns } from '../../support/runs.ts';

/** A platform whose receivers fail, and that can be restarted with another policy: one storage, clock and sender. */
const restartable = () => {
  const clock = testClock();
  const shared = {
    ...{ clock, storage: memoryStorage({ clock }), random: withoutJitter() },
    ...{ sender: memorySender(() => answered(500)), accounts: anyAccount },
  };
  return {
    ...shared,
    under: (delivery?: Partial<DeliveryPolicy>) =>
      platform({ ...shared, ...(delivery ? { webhooks: { delivery } } : {}) }),
  };
};

/** Makes a number of attempts of one delivery under the default policy. */
const attempted = async (count: number) => {
  const made = restartable();
  const before = made.under();
  await subscribe(before, 'one.example');
  await publish(before, 1);
  const worker = before.kit.worker();
  for (const wait of [0, ...retrySchedule].slice(0, count)) {
    made.clock.set(made.clock.now() + wait);
    expect(await worker.drain()).toBe(1);
  }
  return made;
};

describe('a kit restarted with another schedule', () => {
  test('that is shorter: a delivery beyond its end is exhausted by its next failure, at its stored due time', async () => {
    const { clock, under } = await attempted(7);
    const after = under({ retrySchedule: [second, second, second, second] });
    const worker = after.kit.worker();
    clock.set(clock.now() + 14 * hour - 1);
    expect(await worker.drain(), 'never early').toBe(0);
    expect(await deliveriesOf(after)).toMatchObject([{ state: 'waiting', attempts: 7 }]);
    clock.set(clock.now() + 1);
    expect(await worker.drain()).toBe(1);
    expect(await deliveriesOf(after)).toMatchObject([{ state: 'exhausted', attempts: 8 }]);
    clock.set(clock.now() + 30 * day);
    expect(await worker.drain()).toBe(0);
  });

  test('that is longer: attempt 10 is not the last', async () => {
    const { clock, under } = await attempted(9);
    const after = under({ retrySchedule: [...retrySchedule, hour] });
    clock.set(clock.now() + 24 * hour);
    expect(await after.kit.worker().drain()).toBe(1);
    expect(await deliveriesOf(after)).toMatchObject([{ state: 'waiting', attempts: 10 }]);
    clock.set(clock.now() + hour);
    expect(await after.kit.worker().drain()).toBe(1);
    expect(await deliveriesOf(after)).toMatchObject([{ state: 'exhausted', attempts: 11 }]);
  });

  test('that is empty: each delivery has one attempt', async () => {
    const made = restartable().under({ retrySchedule: [] });
    await subscribe(made, 'one.example');
    await publish(made, 1);
    expect(await made.kit.worker().drain()).toBe(1);
    expect(await deliveriesOf(made)).toMatchObject([{ state: 'exhausted', attempts: 1 }]);
  });

  test('any times in a row: each attempt follows the schedule of the worker that ended the one before', async () => {
    const delay = fc.constantFrom(second, 5 * minute, 30 * minute, 2 * hour);
    const schedule = fc.array(delay, { maxLength: 6 });
    // Longer than every pause of the breaker.
    const wait = fc.integer({ min: 16 * minute, max: 3 * hour });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(schedule, wait), { minLength: 2, maxLength: 8 }), async (restarts) => {
        const { clock, under, sender } = restartable();
        const first = under();
        await subscribe(first, 'one.example');
        await publish(first, 1);
        let [attempts, dueAt, state] = [0, clock.now(), 'waiting'];
        for (const [delays, time] of restarts) {
          clock.set(clock.now() + time);
          const isDue = state === 'waiting' && dueAt <= clock.now();
          if (isDue) {
            const next = delays[attempts++];
            if (next === undefined) state = 'exhausted';
            else dueAt = clock.now() + next;
          }
          const restarted = under({ retrySchedule: delays });
          expect(await restarted.kit.worker().drain()).toBe(isDue ? 1 : 0);
          expect(await deliveriesOf(restarted)).toMatchObject([{ state, attempts }]);
        }
        expect(sender.posts).toHaveLength(attempts);
      }),
      historyRuns,
    );
  });
});

describe('workers with different policies, in a rolling deployment', () => {
  const workers = runningWorkers();
  afterEach(() => workers.stop());
  const accountIds = Array.from({ length: 16 }, (_, index) => `acc_${index}`);

  /** Two workers over one storage; each serves about half of the accounts, each of which gets one event. */
  const deploying = async () => {
    const { clock, under, sender } = restartable();
    const old = under({ retrySchedule: [10 * second] });
    const young = under({ retrySchedule: [20 * second, 20 * second] });
    for (const accountId of accountIds) await subscribe(old, `${accountId}.example`, accountId);
    const [worker] = [workers.run(old), workers.run(young)];
    for (let seconds = 0; seconds < 10; seconds++) await clock.advance(second);
    expect(worker.state().shards).toBe(64);
    for (const accountId of accountIds) await publish(old, 1, accountId);
    await clock.advance(2 * second);
    expect(sender.posts).toHaveLength(accountIds.length);
    const finish = async () => {
      for (let seconds = 0; seconds < 60; seconds++) await clock.advance(second);
      const deliveries = (await Promise.all(accountIds.map((id) => deliveriesOf(old, id)))).flat();
      expect(deliveries.map(({ state }) => state)).toEqual(accountIds.map(() => 'exhausted'));
      const sent = (id: string) => sender.posts.filter((post) => idOf(post) === `${id}/0`).length;
      expect(accountIds.map(sent)).toEqual(deliveries.map(({ attempts }) => attempts));
      return new Set(deliveries.map(({ attempts }) => attempts));
    };
    return { worker, finish };
  };

  test('each account follows the policy of its worker; nothing is lost or repeated', async () => {
    const { finish } = await deploying();
    expect(await finish()).toEqual(new Set([2, 3]));
  });

  test('when the old worker stops, the new policy holds from the next attempt on', async () => {
    const { worker, finish } = await deploying();
    await worker.stop();
    expect(await finish()).toEqual(new Set([3]));
  });
});

test('the timeout is the deadline of each attempt, and leaves a lease that is renewed late', async () => {
  const { under, sender } = restartable();
  const made = under({ timeout: 2_000 });
  await subscribe(made, 'one.example');
  await publish(made, 1);
  await made.kit.worker().drain();
  expect(sender.posts.map(({ deadline }) => deadline)).toEqual([2_000]);
  expect(workerLease - maxTimeout).toBe(5 * second);
});

test('an endpoint that fails is disabled by the values in force at its next failure', async () => {
  const { clock, under } = restartable();
  const made = under({ retrySchedule: [hour] });
  await subscribe(made, 'one.example');
  await publish(made, 2);
  await made.kit.worker().drain();
  clock.set(clock.now() + hour);
  await made.kit.worker().drain();
  expect(await statesOf(made)).toEqual(['exhausted', 'exhausted']);
  const { kit } = under({ disableAfter: { failing: hour, failures: 5 } });
  const state = async () => (await kit.endpoints.list('acc_a'))._unsafeUnwrap().items[0]?.state;
  await kit.worker().drain();
  expect(await state(), 'without a failure').toBe('enabled');
  await publish(made, 1);
  await kit.worker().drain();
  expect(await state()).toBe('disabled_by_breaker');
});

test('handlers keep the default schedule', async () => {
  const made = restartable().under({ retrySchedule: [] });
  let calls = 0;
  const handle = async () => {
    calls++;
    throw new Error('broken');
  };
  const worker = made.kit.worker({ handlers: { ledger: { events: ['payed'], handle } } });
  await worker.drain();
  await publish(made, 1);
  await worker.drain();
  made.clock.set(made.clock.now() + minute);
  await worker.drain();
  expect(calls).toBe(2);
});

test('a deleted endpoint stays for the longest timeout that another worker may have', async () => {
  const { clock, storage, under } = restartable();
  const made = under({ timeout: 1_000 });
  const { prune } = storage.log;
  const ages = new Set<number>();
  Object.assign(storage.log, {
    prune: (...[shards, limits]: Parameters<typeof prune>) => {
      ages.add(limits.deleted);
      return prune(shards, limits);
    },
  });
  await made.kit.worker().drain();
  clock.set(clock.now() + minute);
  expect([...ages]).toEqual([2 * maxTimeout + workerLease]);
});

test('a development sender tries again after at most 5 seconds', async () => {
  const { kit } = platform({
    sender: { ...memorySender(), development: true },
    webhooks: { delivery: { retrySchedule: [hour, 1_000] } },
  });
  expect(partnerSettingsOf(kit)?.webhooks.retries).toEqual([5_000, 1_000]);
  expect(JSON.stringify(kit.openApi({ title: 'Partner API' }))).toContain('up to 2 times over about 60 minutes.');
});

test('what partners are told is what holds', () => {
  const { kit } = restartable().under({
    retrySchedule: [minute, hour],
    timeout: 5_000,
    disableAfter: { failing: 2 * day },
  });
  expect(partnerSettingsOf(kit)?.webhooks).toMatchObject({
    retries: [minute, hour],
    deadline: 5_000,
    disableAfter: { failing: 2 * day, failures: 10 },
  });
  const document = JSON.stringify(kit.openApi({ title: 'Partner API' }));
  expect(document).toContain('It is sent again, up to 2 times over about 61 minutes.');
});

test.each([
  [{ retrySchedule: 5_000 }, 'webhooks.delivery.retrySchedule must be a list of at most 50 delays in milliseconds'],
  [{ retrySchedule: Array(51).fill(second) }, 'webhooks.delivery.retrySchedule must be a list of at most 50 delays'],
  [{ retrySchedule: [0] }, 'webhooks.delivery.retrySchedule[0] must be a whole number from 1.'],
  [{ retrySchedule: [30 * day, 1] }, 'webhooks.delivery.retrySchedule must have at most 30 days together'],
  [{ timeout: 999 }, 'webhooks.delivery.timeout must be a whole number of milliseconds from 1000 to 15000'],
  [{ timeout: 15_001 }, 'webhooks.delivery.timeout must be a whole number of milliseconds from 1000 to 15000'],
  [{ disableAfter: { failing: 0 } }, 'webhooks.delivery.disableAfter.failing must be a whole number from 1.'],
  [{ disableAfter: { failures: 1.5 } }, 'webhooks.delivery.disableAfter.failures must be a whole number from 1.'],
  [{ disableAfter: { days: 5 } }, 'webhooks.delivery.disableAfter'],
  [{ retries: [] }, 'webhooks.delivery'],
])('%j is refused at start', (delivery, message) => {
  expect(() => restartable().under(delivery as never)).toThrow(message);
});
