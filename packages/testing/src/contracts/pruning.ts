import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { day, hour, minute, type Settlement, type Storage } from '@partnerkit/core';
import { type Cases, whateverTheClocks } from './contract.ts';
import { limits, pruneAll, setState, settleAll, statesOf, world } from './old-world.ts';
import { endpoint, event, ours, theirs } from './records.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { slack } from './store-time.ts';
import { answered, deliveriesOf, dispatchAll, eventIdsOf, events, publish, want } from './world.ts';

const eventsGoInTime = async (fixture: StorageFixture): Promise<void> => {
  const { storage, elapse } = fixture;
  await world(fixture, 2);
  for (const accountId of [ours, theirs]) await settleAll(storage, accountId, 'delivered');
  await elapse(limits.events - slack);
  deepStrictEqual(await pruneAll(storage), []);
  strictEqual((await eventIdsOf(storage, ours)).length, 2);
  await elapse(slack);
  await pruneAll(storage);
  deepStrictEqual([await eventIdsOf(storage, ours), await eventIdsOf(storage, theirs)], [[], []]);
};

/** Publishes an event of one object, settles it, and tells its second. */
const stampOf = async (
  storage: Storage<object>,
  occurredAt: number,
  next: Settlement['next'] = 'delivered',
): Promise<number> => {
  await publish(storage, [event({ objectId: 'one', occurredAt })]);
  const [claimed] = (await dispatchAll(storage, {})).flatMap((each) => each.claimed);
  const [due] = claimed ? [claimed] : (await storage.queue.claim(want())).claimed;
  ok(due, 'it is due');
  await storage.queue.settle([{ ...due, outcome: answered(200), next }]);
  return due.event.timestamp;
};

/** What goes with time. @internal */
export const pruningCases: Cases<StorageFixture> = {
  'events go when they are too old, by when they were dispatched': eventsGoInTime,
  ...whateverTheClocks('events go when they are too old', eventsGoInTime),
  'an event that was not dispatched stays, and is young when it is': async (fixture) => {
    const { storage, elapse } = fixture;
    await world(fixture, 0);
    await publish(storage, [event(), event({ accountId: theirs })]);
    await elapse(2 * limits.events);
    await pruneAll(storage);
    strictEqual((await eventIdsOf(storage, ours)).length, 1);
    await dispatchAll(storage);
    await settleAll(storage, ours, 'delivered');
    await pruneAll(storage);
    strictEqual((await eventIdsOf(storage, ours)).length, 1);
  },
  'no event goes while a delivery of it waits, is attempted, or is held': async (fixture) => {
    const { storage, elapse } = fixture;
    const { own, other } = await world(fixture, 1);
    const held = endpoint({ events: ['cancel'] });
    await storage.endpoints.insertEndpoint(held, 20);
    await publish(storage, [event({ type: 'cancel' })]);
    await dispatchAll(storage);
    await elapse(limits.events - day);
    await setState(storage, held, 'disabled_by_breaker');
    await elapse(2 * day);
    // Of theirs one waits, of ours one is attempted and one is held.
    const { claimed } = await storage.queue.claim(want({ lease: day }));
    await storage.queue.release(claimed.filter((each) => each.endpoint.id === other.id));
    await pruneAll(storage);
    deepStrictEqual([(await eventIdsOf(storage, ours)).length, (await eventIdsOf(storage, theirs)).length], [2, 1]);
    // And retried, and then exhausted.
    const mine = claimed.filter((each) => each.endpoint.id === own.id);
    await storage.queue.settle(mine.map((claim) => ({ ...claim, outcome: answered(500), next: { retryIn: day } })));
    await pruneAll(storage);
    strictEqual((await eventIdsOf(storage, ours)).length, 2);
    await elapse(day);
    await settleAll(storage, ours, 'exhausted');
    await pruneAll(storage);
    strictEqual((await eventIdsOf(storage, ours)).length, 1);
    await elapse(limits.held);
    await pruneAll(storage);
    deepStrictEqual([(await eventIdsOf(storage, ours)).length, (await eventIdsOf(storage, theirs)).length], [0, 1]);
    const { claimed: late } = await storage.queue.claim(want());
    deepStrictEqual(
      late.map((each) => each.endpoint.id),
      [other.id],
    );
  },
  'an event that may not go keeps none that is younger': async (fixture) => {
    const { storage, elapse } = fixture;
    await world(fixture, 5);
    await elapse(hour);
    await publish(storage, events(5));
    await dispatchAll(storage);
    // Theirs wait; of ours the younger are delivered.
    const { claimed } = await storage.queue.claim(want());
    const young = (await eventIdsOf(storage, ours)).slice(5);
    const done = claimed.filter((each) => young.includes(each.event.id));
    await storage.queue.settle(done.map((claim) => ({ ...claim, outcome: answered(200), next: 'delivered' })));
    await storage.queue.release(claimed.filter((each) => !done.includes(each)));
    await elapse(limits.events);
    for (let times = 0; times < 20; times++) await storage.queue.prune({ ...limits, most: 2 });
    strictEqual((await eventIdsOf(storage, ours)).length, 5);
    strictEqual((await eventIdsOf(storage, theirs)).length, 5);
  },
  'a second is not used again, though its event is gone': async (fixture) => {
    const { storage, elapse, storeNow } = fixture;
    await world(fixture, 0);
    const occurredAt = Math.floor((await storeNow()) - minute);
    const first = await stampOf(storage, occurredAt);
    await elapse(limits.events + hour);
    await pruneAll(storage);
    deepStrictEqual(await eventIdsOf(storage, ours), []);
    ok((await stampOf(storage, occurredAt)) > first, 'a receiver would take it for the first one');
  },
  'a second is not used again, though an older event of its object is still there': async (fixture) => {
    const { storage, elapse, storeNow } = fixture;
    await world(fixture, 0);
    const occurredAt = Math.floor((await storeNow()) - minute);
    await stampOf(storage, occurredAt - minute, { retryIn: 2 * limits.events });
    const second = await stampOf(storage, occurredAt);
    await elapse(limits.events + hour);
    await pruneAll(storage);
    strictEqual((await eventIdsOf(storage, ours)).length, 1);
    ok((await stampOf(storage, occurredAt)) > second, 'a receiver would take it for the second one');
  },

  'attempts go when they are too old, and deliveries that ended with their last': async (fixture) => {
    const { storage, elapse } = fixture;
    await world(fixture, 1);
    const [delivery] = await deliveriesOf(storage, ours);
    const logged = async () => (await storage.log.listAttempts(ours, delivery?.id ?? '')).length;
    await settleAll(storage, ours, { retryIn: 3 * day });
    await elapse(3 * day);
    await settleAll(storage, ours, 'delivered');
    await elapse(limits.attempts - 3 * day - hour);
    await pruneAll(storage);
    strictEqual(await logged(), 2);
    await elapse(2 * hour);
    await pruneAll(storage);
    deepStrictEqual([await logged(), await statesOf(storage, ours)], [1, ['delivered']]);
    await elapse(3 * day);
    await pruneAll(storage);
    deepStrictEqual([await logged(), await statesOf(storage, ours)], [0, []]);
    deepStrictEqual(await statesOf(storage, theirs), ['waiting']);
  },
  'a delivery that is not finished stays, with the number of its attempts': async (fixture) => {
    const { storage, elapse } = fixture;
    await world(fixture, 1);
    await settleAll(storage, ours, { retryIn: 2 * limits.attempts });
    await elapse(limits.attempts);
    await pruneAll(storage);
    const [delivery] = await deliveriesOf(storage, ours);
    deepStrictEqual([delivery?.state, delivery?.attempts], ['waiting', 1]);
    deepStrictEqual(await storage.log.listAttempts(ours, delivery?.id ?? ''), []);
    await elapse(limits.attempts);
    strictEqual((await storage.queue.claim(want())).claimed.find((each) => each.event.accountId === ours)?.attempt, 2);
  },
  'deliveries that expired go as those that ended otherwise': async (fixture) => {
    const { storage, elapse } = fixture;
    const { own, other } = await world(fixture, 2);
    await setState(storage, own, 'disabled');
    await elapse(limits.held);
    await pruneAll(storage);
    strictEqual(await storage.endpoints.deleteEndpoint(theirs, other.id), true);
    await elapse(limits.attempts - slack);
    await pruneAll(storage);
    deepStrictEqual([(await statesOf(storage, ours)).length, (await statesOf(storage, theirs)).length], [2, 2]);
    await elapse(slack);
    await pruneAll(storage);
    deepStrictEqual([await statesOf(storage, ours), await statesOf(storage, theirs)], [[], []]);
  },
  'nothing is too old where the time has no end': async (fixture) => {
    const { storage, elapse } = fixture;
    const { other } = await world(fixture, 1);
    await settleAll(storage, ours, 'delivered');
    await setState(storage, other, 'disabled_by_breaker');
    await elapse(1_000 * day);
    const never = Number.MAX_SAFE_INTEGER;
    const pruned = await storage.queue.prune({ held: never, events: never, attempts: never, most: 1_000 });
    deepStrictEqual(pruned, { expired: [], more: false });
    deepStrictEqual([await statesOf(storage, ours), await statesOf(storage, theirs)], [['delivered'], ['held']]);
    strictEqual((await eventIdsOf(storage, ours)).length, 1);
    const [delivery] = await deliveriesOf(storage, ours);
    strictEqual((await storage.log.listAttempts(ours, delivery?.id ?? '')).length, 1);
  },
  'what is young stays, of any kind': async (fixture) => {
    const { storage } = fixture;
    const { own } = await world(fixture, 2);
    await settleAll(storage, ours, 'delivered');
    await setState(storage, own, 'disabled');
    deepStrictEqual(await storage.queue.prune({ ...limits, most: 1 }), { expired: [], more: false });
    strictEqual((await eventIdsOf(storage, ours)).length, 2);
    deepStrictEqual(await statesOf(storage, ours), ['delivered', 'delivered']);
  },
};
