import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import {
  day,
  type EpochMs,
  hour,
  minute,
  type NewEvent,
  type StampedEvent,
  type Storage,
  second,
} from '@partnerkit/core';
import { type Cases, whateverTheClocks } from './contract.ts';
import { allPages } from './pages.ts';
import { race } from './racers.ts';
import { endpoint, event, ours, theirs } from './records.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { slack } from './store-time.ts';
import { dispatchAll, publish, want } from './world.ts';

const happened = 1_735_689_600;

const stampedEvents = async ({ events }: Storage<object>, accountId: string): Promise<readonly StampedEvent[]> =>
  (await allPages((page) => events.listEvents(accountId, page))).map((found) => {
    ok('timestamp' in found, 'every event is stamped');
    return found;
  });
const secondsOf = async (storage: Storage<object>, accountId: string): Promise<readonly number[]> =>
  (await stampedEvents(storage, accountId)).map(({ timestamp }) => timestamp);

const sorted = (seconds: readonly number[]): readonly number[] => seconds.toSorted((a, b) => a - b);

/** One object, in each of two accounts. */
const about = (change: Partial<NewEvent> = {}): readonly [NewEvent, NewEvent] => [
  event({ objectId: 'object', ...change }),
  event({ objectId: 'object', accountId: theirs, ...change }),
];

/** Asserts that each was stamped with the present of the store, which was between the two. */
const assertPresent = (seconds: readonly number[], from: EpochMs, to: EpochMs): void => {
  for (const timestamp of seconds) {
    ok(timestamp >= Math.floor(from / second), `${timestamp} is before the store's present, ${from}`);
    ok(timestamp <= Math.floor(to / second), `${timestamp} is after the store's present, ${to}`);
  }
};

const stampedNow = async ({ storage, storeNow }: StorageFixture, change: Partial<NewEvent>): Promise<void> => {
  const from = await storeNow();
  await publish(storage, about(change));
  await dispatchAll(storage);
  const to = await storeNow();
  assertPresent([...(await secondsOf(storage, ours)), ...(await secondsOf(storage, theirs))], from, to);
};

/** The second of an event (`stampSecond`), on which a receiver may deduplicate. @internal */
export const stampingCases: Cases<StorageFixture> = {
  'an event has the second in which it happened': async ({ storage }) => {
    await publish(storage, [
      ...about({ occurredAt: happened * second }),
      event({ occurredAt: (happened - 100) * second + 999 }),
      event({ occurredAt: 0 }),
    ]);
    await dispatchAll(storage);
    deepStrictEqual(sorted(await secondsOf(storage, ours)), [0, happened - 100, happened]);
    deepStrictEqual(await secondsOf(storage, theirs), [happened]);
  },
  'an event that does not say when it happened has the second in which it was stored': async (fixture) => {
    const { storage, storeNow, elapse } = fixture;
    await stampedNow(fixture, {});
    await publish(storage, [event({ objectId: 'other' }), event({ objectId: 'other', accountId: theirs })]);
    await elapse(hour);
    await dispatchAll(storage);
    for (const accountId of [ours, theirs]) {
      const age = (await storeNow()) - ((await secondsOf(storage, accountId))[1] ?? 0) * second;
      ok(age >= hour && age < hour + slack, `it was stored an hour ago, and is ${age} ms old`);
    }
  },
  'an event that says it will happen has the second of its dispatch': async (fixture) => {
    const later = Math.floor(await fixture.storeNow()) + day;
    await stampedNow(fixture, { occurredAt: later });
  },
  ...whateverTheClocks('an event has a second of the store', (fixture) => stampedNow(fixture, {})),
  ...whateverTheClocks('an event of the host’s present is never ahead of the store', async (fixture, storeAhead) => {
    const { storage, storeNow } = fixture;
    const hostNow = Math.floor(await storeNow()) - storeAhead;
    const from = await storeNow();
    await publish(storage, about({ occurredAt: hostNow }));
    await dispatchAll(storage);
    const seconds = [...(await secondsOf(storage, ours)), ...(await secondsOf(storage, theirs))];
    if (storeAhead > 0) for (const timestamp of seconds) strictEqual(timestamp, Math.floor(hostNow / second));
    else assertPresent(seconds, from, await storeNow());
  }),

  'the seconds of one object strictly increase, whatever happened when': async ({ storage }) => {
    const ages = [0, 0, -50, 3, 3, 10, 2];
    for (const age of ages) {
      await publish(storage, about({ occurredAt: (happened + age) * second }));
      await dispatchAll(storage);
    }
    const expected = [0, 1, 2, 3, 4, 10, 11].map((after) => happened + after);
    deepStrictEqual(await secondsOf(storage, ours), expected);
    deepStrictEqual(await secondsOf(storage, theirs), expected);
  },
  'the seconds of one object strictly increase within one dispatch, oldest first': async ({ storage }) => {
    for (let count = 0; count < 5; count++) await publish(storage, about({ occurredAt: happened * second }));
    await dispatchAll(storage);
    const expected = [0, 1, 2, 3, 4].map((after) => happened + after);
    deepStrictEqual(await secondsOf(storage, ours), expected);
    deepStrictEqual(await secondsOf(storage, theirs), expected);
  },
  'an object is its data.id, whatever its name and the type': async ({ storage }) => {
    const same = { objectId: 'object', occurredAt: happened * second };
    await publish(storage, [
      event(same),
      event({ ...same, objectName: 'RequestSecurityDeposit' }),
      event({ ...same, type: 'cancel' }),
      event({ ...same, objectId: 'Object' }),
      event({ ...same, objectId: 'object ' }),
      event({ ...same, accountId: theirs }),
    ]);
    await dispatchAll(storage);
    const expected = [happened, happened, happened, happened + 1, happened + 2];
    deepStrictEqual(sorted(await secondsOf(storage, ours)), expected);
    deepStrictEqual(await secondsOf(storage, theirs), [happened]);
  },
  'many publishers and dispatchers at once: no two events of an object share a second': async ({ storage }) => {
    await race(async (index) => {
      await publish(storage, about({ occurredAt: happened * second }));
      await storage.queue.dispatch(want({ worker: `worker-${index}`, limit: 0 }));
      await publish(storage, about({ occurredAt: happened * second }));
    });
    await race((index) => storage.queue.dispatch(want({ worker: `worker-${index}`, limit: 0 })));
    await dispatchAll(storage);
    // None is lost and no second is left out: the last one is never more than one after the one before.
    const expected = Array.from({ length: 40 }, (_, index) => happened + index);
    for (const accountId of [ours, theirs]) deepStrictEqual(sorted(await secondsOf(storage, accountId)), expected);
  },
  'a delivery waits while its second is more than 5 seconds ahead, and is told of': async (fixture) => {
    const { storage, storeNow, elapse } = fixture;
    for (const accountId of [ours, theirs]) await storage.endpoints.insertEndpoint(endpoint({ accountId }), 20);
    const now = Math.floor(await storeNow());
    await publish(storage, Array.from({ length: 40 }, () => about({ occurredAt: now })).flat());
    const dispatched = await dispatchAll(storage, {});
    const told = new Map(dispatched.flatMap(({ ahead }) => ahead.map(({ eventId, ...rest }) => [eventId, rest])));
    const due = new Set(dispatched.flatMap(({ claimed }) => claimed.map((delivery) => delivery.event.id)));
    const stamped = [...(await stampedEvents(storage, ours)), ...(await stampedEvents(storage, theirs))];
    // The clock runs on a little while this is done: nothing is said of those in between.
    const early = stamped.filter(({ timestamp }) => timestamp * second <= now + 4 * second);
    const late = stamped.filter(({ timestamp }) => timestamp * second >= now + 20 * second);
    deepStrictEqual([early.length, late.length > 0], [10, true]);
    for (const { id } of early) ok(due.has(id) && !told.has(id), 'the first seconds wait for nothing');
    for (const { id, accountId } of late) {
      ok(!due.has(id), 'what is ahead waits');
      const { by = 0, ...whose } = told.get(id) ?? {};
      deepStrictEqual(whose, { accountId });
      ok(by > 0 && by <= 40 * second, `it waits ${by} ms`);
    }
    await elapse(minute);
    const rest = (await storage.queue.claim(want({ worker: 'worker-2' }))).claimed.map(({ event }) => event.id);
    for (const { id } of late) ok(rest.includes(id), 'it is due in the end');
  },
};
