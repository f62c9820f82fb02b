import { afterEach, describe, expect, test } from 'vitest';
import { hour, minute, second } from '../../../src/base/runtime/time.ts';
import { memorySender } from '../../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import type { PendingChange } from '../../../src/webhooks/deliveries/delivery-store.ts';
import type { DeliveryRequest } from '../../../src/webhooks/deliveries/sender.ts';
import { type Engine, engine } from '../../../src/webhooks/worker/engine.ts';
import { settled, start, testClock } from '../../support/clock.ts';
import {
  answered,
  deliveriesOf,
  hostOf,
  idOf,
  publish,
  runningWorkers,
  statesOf,
  subscribe,
} from '../../support/deliveries.ts';
import { anyAccount, platform, provenEngine } from '../../support/kit.ts';
import { withoutJitter } from '../../support/random.ts';
import { heldSender } from '../../support/sender.ts';

const workers = runningWorkers();
afterEach(workers.stop);

/** A platform that counts what goes to the queues of the store. */
const world = (ofTest: Engine = engine, more: Pick<Parameters<typeof platform>[0] & object, 'webhooks'> = {}) => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  const counts = { dispatched: 0, most: 0, queued: 0, read: 0 };
  const count = (pending: readonly PendingChange[]): void => {
    counts.queued += pending.filter(({ state }) => state === 'queued').length;
  };
  const deliveries: typeof storage.deliveries = {
    ...storage.deliveries,
    dispatch: (workerId, events, pending, ...rest) => {
      const added = events.reduce((sum, { endpointIds }) => sum + endpointIds.length, 0);
      counts.dispatched += added;
      counts.most = Math.max(counts.most, added);
      count(pending);
      return storage.deliveries.dispatch(workerId, events, pending, ...rest);
    },
    settle: (workerId, settlement) => {
      count(settlement.pending);
      counts.queued += settlement.queued.length;
      return storage.deliveries.settle(workerId, settlement, 0);
    },
    readQueued: async (...args) => {
      const read = await storage.deliveries.readQueued(...args);
      counts.read += read.deliveries.length;
      return read;
    },
  };
  const sender = heldSender();
  const made = platform({
    ...{ engine: ofTest, accounts: anyAccount, clock, sender, storage: { ...storage, deliveries } },
    ...more,
  });
  return { ...made, counts };
};
/** Answers all POSTs until there are no more. Returns them in the order in which they were sent. */
const answerAll = async ({ sender }: ReturnType<typeof world>): Promise<readonly string[]> => {
  const sent: string[] = [];
  while (sender.open.length > 0) {
    sent.push(...sender.open.map(({ post }) => `${hostOf(post)} ${idOf(post)}`));
    sender.answerAll();
    await settled();
  }
  return sent;
};

describe('more deliveries than a worker keeps in memory', () => {
  test.each([1, 64, 300])(
    '%i at a time: a backlog of an endpoint that has answered is not queued in the store',
    async (all) => {
      const made = world(provenEngine);
      await subscribe(made, 'one.example');
      await publish(made, 3_000);
      // Nothing but the number of attempts in flight limits it.
      workers.run(made, { concurrency: all, perAccount: all, perEndpoint: all });
      await settled();
      let sent = 0;
      for (let times = 0; times < 2_000 && sent < 1_500; times++) {
        sent += made.sender.open.length;
        made.sender.answerAll();
        await settled();
      }
      expect(sent).toBeGreaterThanOrEqual(1_500);
      expect(made.counts.queued).toBe(0);
      await answerAll(made);
      expect(made.counts.queued).toBe(0);
    },
  );

  test('of an endpoint whose first attempt has not ended, those above 2,048 are queued in the store', async () => {
    const made = world();
    await subscribe(made, 'one.example');
    await publish(made, 3_000);
    workers.run(made);
    await settled();
    expect([made.sender.open.length, made.counts.dispatched, made.counts.queued]).toEqual([1, 3_000, 951]);
    expect(await answerAll(made)).toHaveLength(3_000);
  });

  test('above 2,048 of one endpoint they go to the queue of the store, and are sent in order', async () => {
    const made = world();
    await subscribe(made, 'one.example');
    await publish(made, 4_500);
    workers.run(made, { perEndpoint: 1 });
    await settled();
    expect(made.counts.dispatched).toBe(4_500);
    expect(made.counts.queued).toBeGreaterThan(2_400);
    // They wait while an earlier one is in the queue, though there is room in memory again.
    const first = [];
    for (let times = 0; times < 1_900; times++) {
      first.push(...made.sender.open.map(({ post }) => `one.example ${idOf(post)}`));
      made.sender.answerAll();
      await settled();
    }
    await publish(made, 10, 'acc_a', 4_500);
    await settled();
    const sent = [...first, ...(await answerAll(made))];
    expect(sent).toEqual(Array.from({ length: 4_510 }, (_, index) => `one.example acc_a/${index}`));
    expect(made.counts.read).toBe(made.counts.queued);
  });

  test('some 10,000 in all, and a few of each endpoint, are kept; the others are sent after them', async () => {
    const made = world();
    const accountIds = Array.from({ length: 20 }, (_, index) => `acc_${index}`);
    for (const accountId of accountIds) {
      await subscribe(made, `${accountId}.example`, accountId);
      await publish(made, 1_000, accountId);
    }
    // One of each account is in flight, and all other deliveries wait for it.
    workers.run(made, { perAccount: 1 });
    await settled();
    expect(made.counts.dispatched).toBe(20_000);
    // As many as one read of the outbox brings may come on top.
    expect(made.counts.dispatched - made.counts.queued).toBeLessThan(10_000 + 512 + 20 * 16 + 64);
    const sent = await answerAll(made);
    expect([sent.length, new Set(sent).size]).toEqual([20_000, 20_000]);
  });

  test('events with many endpoints are dispatched as memory has capacity, and do not pass the queue of the store', async () => {
    const made = world(provenEngine, { webhooks: { maxEndpoints: 100 } });
    for (let index = 0; index < 100; index++) await subscribe(made, `e${index}.example`);
    // It watches, so that only the rest of a page makes it read again.
    workers.run(made, { concurrency: 100, perAccount: 100 });
    await settled();
    await publish(made, 150);
    await settled();
    expect(await answerAll(made)).toHaveLength(15_000);
    expect(made.counts).toEqual({ dispatched: 15_000, most: 10_000, queued: 0, read: 0 });
  });

  test('a delivery that waits in memory for more than 5 s goes to the store, and the watermark advances', async () => {
    const made = world();
    await subscribe(made, 'one.example');
    await publish(made, 20);
    workers.run(made, { perEndpoint: 1 });
    await made.clock.advance(4 * second);
    expect(made.counts.queued).toBe(0);
    await made.clock.advance(3 * second);
    expect(made.counts.queued).toBe(19);
    expect(await answerAll(made)).toEqual(Array.from({ length: 20 }, (_, index) => `one.example acc_a/${index}`));
  });
});

describe('an endpoint whose breaker opens', () => {
  const failing = async (events: number) => {
    const clock = testClock();
    const receiver = { status: 500 };
    const sender = memorySender((post) => answered(hostOf(post) === 'one.example' ? receiver.status : 200));
    const made = platform({ clock, sender, random: withoutJitter() });
    await subscribe(made, 'one.example');
    await publish(made, events);
    workers.run(made, { perEndpoint: 1 });
    await settled();
    expect(sender.posts.map(idOf)).toEqual([0, 1, 2, 3, 4].map((index) => `acc_a/${index}`));
    return { ...made, clock, receiver };
  };

  test('receives nothing while paused; then the delivery with the most attempts, as a probe', async () => {
    const { clock, sender } = await failing(8);
    // The retries are due after 5 s, and wait with the others.
    await clock.advance(minute - second);
    expect(sender.posts).toHaveLength(5);
    await clock.advance(2 * second);
    // Not acc_a/5, which was due before it.
    expect(sender.posts.slice(5).map(idOf)).toEqual(['acc_a/0']);
    // It failed: the next probe comes after five minutes, and again was attempted before.
    await clock.advance(5 * minute);
    expect(sender.posts).toHaveLength(7);
    expect(['acc_a/0', 'acc_a/1']).toContain(idOf(sender.posts[6] as DeliveryRequest));
  });

  test('is probed with the delivery with the most attempts, though its retry falls due at that moment', async () => {
    const made = platform({ random: withoutJitter(), sender: memorySender(() => answered(500)) });
    await subscribe(made, 'one.example');
    await publish(made, 8);
    const worker = made.kit.worker();
    expect(await worker.drain()).toBe(8);
    for (let round = 0; round < 9; round++) {
      made.clock.set(made.clock.now() + 27 * hour);
      expect(await worker.drain()).toBe(1);
    }
    const attempts = (await deliveriesOf(made)).map((delivery) => delivery.attempts);
    expect(attempts.toSorted((a, b) => b - a)).toEqual([10, 1, 1, 1, 1, 1, 1, 1]);
  });

  test('receives all waiting deliveries by due time, once a probe succeeds', async () => {
    const { clock, sender, receiver, kit } = await failing(2_000);
    await clock.advance(30 * second);
    receiver.status = 200;
    await clock.advance(32 * second);
    expect(new Set(await statesOf({ kit }))).toEqual(new Set(['delivered']));
    const order = sender.posts.slice(5).map((post) => Number(idOf(post).split('/')[1]));
    const fresh = Array.from({ length: 1_995 }, (_, index) => index + 5);
    // The retries were due 5 s later.
    expect(order).toEqual([0, ...fresh, 1, 2, 3, 4]);
    expect(clock.now() - start).toBeLessThan(63 * second);
  });

  test('delays no other endpoint of its account', async () => {
    const made = await failing(50);
    await subscribe(made, 'well.example');
    await publish(made, 100, 'acc_a', 1_000);
    await made.clock.advance(second);
    expect(made.sender.posts.filter((post) => hostOf(post) === 'well.example')).toHaveLength(100);
  });
});

test('a delivery in memory is sent after the pause with which its endpoint is read', async () => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  // The clock of the storage was set back after it stored the end of a pause: the pause is longer when it is read.
  let openFor = 0;
  const deliveries: typeof storage.deliveries = {
    ...storage.deliveries,
    readEndpoints: async (...args) => {
      const read = await storage.deliveries.readEndpoints(...args);
      const endpoints = read.endpoints.map((each) =>
        each.health ? { ...each, health: { ...each.health, openFor } } : each,
      );
      return { ...read, endpoints };
    },
  };
  const sender = heldSender();
  const made = platform({ clock, sender, storage: { ...storage, deliveries }, random: withoutJitter() });
  const endpoints = [await subscribe(made, 'one.example'), await subscribe(made, 'two.example')];
  await publish(made, 1);
  workers.run(made, { perAccount: 1 });
  await settled();
  for (let attempts = 0; attempts < 2; attempts++) {
    sender.answerAll(500);
    await settled();
  }
  await clock.advance(6 * second);
  expect(sender.open).toHaveLength(1);
  openFor = minute;
  for (const { id } of endpoints) (await made.kit.endpoints.update('acc_a', id, { label: 'changed' }))._unsafeUnwrap();
  await clock.advance(2 * second);
  sender.answerAll();
  await clock.advance(30 * second);
  expect(sender.open).toHaveLength(0);
  await clock.advance(35 * second);
  expect(sender.open).toHaveLength(1);
  sender.answerAll();
  await clock.advance(second);
  expect(await statesOf(made)).toEqual(['delivered', 'delivered']);
});

test('a delivery that is dispatched while its endpoint is paused is sent after the pause', async () => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  const dispatches: (() => void)[] = [];
  let holdsDispatches = false;
  const deliveries: typeof storage.deliveries = {
    ...storage.deliveries,
    dispatchAnnounced: async (...args) => {
      const dispatched = await storage.deliveries.dispatchAnnounced?.(...args);
      if (holdsDispatches) await new Promise<void>((resolve) => dispatches.push(resolve));
      return dispatched ?? [];
    },
  };
  const made = platform({ clock, sender: heldSender(), storage: { ...storage, deliveries }, random: withoutJitter() });
  const { sender } = made;
  await subscribe(made, 'one.example');
  await publish(made, 1);
  workers.run(made);
  await settled();
  // Its next retry comes after 5 minutes, long after the pause.
  sender.answerAll(500);
  await clock.advance(6 * second);
  holdsDispatches = true;
  await publish(made, 1, 'acc_a', 1);
  await clock.advance(2 * second);
  expect([dispatches.length, sender.open.length]).toEqual([1, 1]);
  sender.open[0]?.answer(503, '90');
  await settled();
  holdsDispatches = false;
  dispatches.pop()?.();
  await clock.advance(80 * second);
  expect(sender.open).toHaveLength(0);
  await clock.advance(15 * second);
  expect(sender.open.map(({ post }) => idOf(post))).toEqual(['acc_a/1']);
  sender.answerAll();
  await clock.advance(second);
  expect(await statesOf(made)).toEqual(['waiting', 'delivered']);
});

test('a delivery that was read while a pause began is sent after it', async () => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  let gate: PromiseWithResolvers<void> | undefined;
  const deliveries: typeof storage.deliveries = {
    ...storage.deliveries,
    readQueued: async (...args) => {
      const read = await storage.deliveries.readQueued(...args);
      await gate?.promise;
      return read;
    },
  };
  const made = platform({ clock, storage: { ...storage, deliveries }, sender: heldSender() });
  const { id } = await subscribe(made, 'one.example');
  workers.run(made);
  await publish(made, 1);
  await clock.advance(second);
  made.sender.answerAll();
  await publish(made, 5, 'acc_a', 1);
  await clock.advance(second);
  expect(made.sender.open).toHaveLength(5);
  gate = Promise.withResolvers();
  const range = { from: 0, to: clock.now() + minute };
  expect((await made.kit.deliveries.replay('acc_a', id, range))._unsafeUnwrap().deliveries).toBe(1);
  await clock.advance(second);
  // The replayed delivery is read and under way. Five failures in a row open the breaker for a minute.
  made.sender.answerAll(500);
  await clock.advance(second);
  gate.resolve();
  gate = undefined;
  await clock.advance(50 * second);
  expect(made.sender.counts.sent).toBe(6);
  await clock.advance(15 * second);
  expect(made.sender.counts.sent).toBe(7);
});
