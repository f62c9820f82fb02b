import { afterEach, expect, test } from 'vitest';
import { type AnnouncedDispatch, type DeliveryStore, shardOf } from '../../../src/adapter.ts';
import { second } from '../../../src/base/runtime/time.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import { createAnnouncements } from '../../../src/webhooks/worker/memory/announcements.ts';
import { settled, testClock } from '../../support/clock.ts';
import { idOf, publish, runningWorkers, statesOf, subscribe } from '../../support/deliveries.ts';
import { platform } from '../../support/kit.ts';

const workers = runningWorkers();
afterEach(workers.stop);

type Calls = { reads: number; readonly batches: (readonly AnnouncedDispatch[])[] };

/** An idle worker, and what it asks of the store from then on. */
const idleWorker = async (change: (store: Required<DeliveryStore>) => Partial<DeliveryStore> = () => ({})) => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  const store = storage.deliveries as Required<DeliveryStore>;
  const calls: Calls = { reads: 0, batches: [] };
  const changed = { ...store, ...change(store) };
  const { dispatchAnnounced } = changed;
  const deliveries: DeliveryStore = {
    ...changed,
    readOutbox: (...args) => {
      calls.reads++;
      return changed.readOutbox(...args);
    },
    ...(dispatchAnnounced && {
      dispatchAnnounced: (workerId, events, notBefore) => {
        calls.batches.push(events);
        return dispatchAnnounced(workerId, events, notBefore);
      },
    }),
  };
  const made = platform({ clock, storage: { ...storage, deliveries } });
  await subscribe(made, 'one.example');
  // Then the account is in memory.
  await publish(made, 1);
  workers.run(made, { pollEvery: 1_000 * second });
  await clock.advance(2 * second);
  expect(made.sender.posts).toHaveLength(1);
  Object.assign(calls, { reads: 0 });
  return { ...made, calls, posts: () => made.sender.posts.slice(1) };
};

test('an idle worker dispatches an announced event with one call, and reads nothing', async () => {
  const { calls, posts, ...made } = await idleWorker();
  await publish(made, 1, 'acc_a', 1);
  await settled();
  expect(posts().map(idOf)).toEqual(['acc_a/1']);
  expect(calls.reads).toBe(0);
  expect(calls.batches).toMatchObject([[{ event: { objectId: 'acc_a/1', shard: shardOf('acc_a') } }]]);
  await made.clock.advance(2 * second);
  expect(await statesOf(made)).toEqual(['delivered', 'delivered']);
});

test('of events of one account the first is dispatched so, and the others are read at once', async () => {
  const { calls, posts, ...made } = await idleWorker();
  await publish(made, 3, 'acc_a', 1);
  await settled();
  expect(posts().map(idOf).toSorted()).toEqual(['acc_a/1', 'acc_a/2', 'acc_a/3']);
  expect(calls.batches.flat()).toHaveLength(1);
});

test('the event of an account that is not in memory is read', async () => {
  const { calls, posts, ...made } = await idleWorker();
  await publish(made, 1, 'acc_b');
  await settled();
  expect([calls.reads, calls.batches]).toEqual([1, []]);
  expect(posts()).toEqual([]);
});

test('an event that the store refuses is read at once', async () => {
  const { calls, posts, ...made } = await idleWorker(() => ({ dispatchAnnounced: async () => [] }));
  await publish(made, 1, 'acc_a', 1);
  await settled();
  expect(posts().map(idOf)).toEqual(['acc_a/1']);
  expect(calls.reads).toBe(1);
});

test('an endpoint that was created since receives the event, too', async () => {
  const { posts, ...made } = await idleWorker();
  await subscribe(made, 'two.example');
  await publish(made, 1, 'acc_a', 1);
  await settled();
  expect(
    posts()
      .map(({ url }) => new URL(url).host)
      .toSorted(),
  ).toEqual(['one.example', 'two.example']);
});

test('a store that dispatches no announced events is read', async () => {
  const { posts, ...made } = await idleWorker(() => ({ dispatchAnnounced: undefined }) as object);
  await publish(made, 1, 'acc_a', 1);
  await settled();
  expect(posts().map(idOf)).toEqual(['acc_a/1']);
});

test('a call that does not answer is given up; the event is sent by the next session', async () => {
  let isFrozen = true;
  const { posts, ...made } = await idleWorker(({ dispatchAnnounced }) => ({
    dispatchAnnounced: async (...args) => {
      const found = await dispatchAnnounced(...args);
      return isFrozen ? new Promise(() => undefined) : found;
    },
  }));
  await publish(made, 1, 'acc_a', 1);
  await made.clock.advance(16 * second);
  const errors = made.signals.filter(({ kind }) => kind === 'worker_error');
  expect(errors).toEqual([
    { kind: 'worker_error', during: 'dispatch', error: { name: 'PortTimeout', code: 'no_answer' }, count: 1 },
  ]);
  isFrozen = false;
  await made.clock.advance(60 * second);
  expect(posts().map(idOf)).toEqual(['acc_a/1']);
});

test('events that were dispatched are not taken again, one of each account is taken, and eight in all', () => {
  const event = (accountId: string, id: string) => ({
    ...{ id, accountId, shard: shardOf(accountId), objectName: 'o', objectId: id, type: 'payed', storedAt: 1 },
  });
  const announcements = createAnnouncements();
  const [first, second, before] = [event('acc_a', '1'), event('acc_a', '2'), event('acc_b', '3')];
  // Its announcement comes late, and is the first of all.
  announcements.dispatched([before]);
  expect(announcements.add([before])).toEqual([]);
  expect(announcements.take()).toEqual([]);
  expect(announcements.add([first, first, second])).toEqual([shardOf('acc_a')]);
  announcements.dispatched([first]);
  expect(announcements.take()).toEqual([]);
  expect(announcements.add([first, second])).toEqual([]);
  expect(announcements.take()).toEqual([second]);
  const many = Array.from({ length: 9 }, (_, nth) => event(`acc_${nth}`, 'x'));
  expect(announcements.add(many)).toEqual([shardOf('acc_8')]);
  expect(announcements.take()).toHaveLength(8);
});
