import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { day, type EpochMs, hour, type NewEvent, type StampedEvent, second } from '@partnerkit/core';
import type { Cases } from './contract.ts';
import { race } from './racers.ts';
import { endpoint, event, ours, theirs } from './records.ts';
import {
  accountsThatRefer,
  allReferring,
  child,
  childEvent,
  deliver,
  including,
  referAll,
  stampedOf,
  withParents,
} from './referral-world.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { deliveriesOf, dispatchAll, eventIdsOf, publish, want } from './world.ts';

/** One object of the child, `count` times. */
const ofOneObject = (count: number, occurredAt?: EpochMs): readonly NewEvent[] =>
  Array.from({ length: count }, () =>
    childEvent({ objectId: 'object', ...(occurredAt === undefined ? {} : { occurredAt }) }),
  );
const bodies = (events: readonly StampedEvent[]): readonly string[] => events.map(({ body }) => body);

/** What waits for parents, and the copies that they get. @internal */
export const referringCases: Cases<StorageFixture> = {
  'nothing waits for parents while no endpoint takes the events of children': async ({ storage }) => {
    await including(storage, { includeChildren: false });
    await including(storage, { state: 'disabled', accountId: theirs });
    const dispatched = await deliver(storage, [childEvent(), event(), event({ accountId: theirs })]);
    deepStrictEqual([dispatched.some(({ referring }) => referring), await accountsThatRefer(storage)], [false, []]);
  },
  'while one does, the events of all accounts wait, but for test events and copies': async ({ storage }) => {
    await including(storage, { state: 'disabled_by_breaker' });
    await publish(storage, [childEvent(), event({ accountId: theirs })]);
    strictEqual((await storage.queue.dispatch(want())).referring, true);
    deepStrictEqual(await accountsThatRefer(storage), [child, theirs]);
    deepStrictEqual(await referAll(storage), { events: 2, copies: 1 });
    const other = await including(storage, { accountId: child });
    const dispatched = await deliver(storage, [childEvent({ onlyTo: other.id })]);
    deepStrictEqual([dispatched.some(({ referring }) => referring), await accountsThatRefer(storage)], [false, []]);
    strictEqual((await deliveriesOf(storage, ours)).length, 1, 'the copy was dispatched');
  },
  'accounts that wait are listed in the order of their ids, each once, however many events they have': async ({
    storage,
  }) => {
    await including(storage);
    const accounts = ['acc_b', 'acc_B', 'acc_ä', 'acc_a', 'acc_b 2'];
    await deliver(
      storage,
      [...accounts, ...accounts, ...accounts].map((accountId) => event({ accountId })),
    );
    deepStrictEqual(await accountsThatRefer(storage), accounts.toSorted());
    deepStrictEqual(
      (await storage.referrals.listReferring(2)).map(({ accountId }) => accountId),
      accounts.toSorted().slice(0, 2),
    );
  },
  'a copy is its event under the parent: id, object, bytes and trace; the child’s stays as it was': async ({
    storage,
  }) => {
    await including(storage);
    const happened = childEvent({ traceContext: 'the trace', idempotencyKey: 'key', occurredAt: 1_735_689_600_500 });
    await deliver(storage, [happened]);
    const [before] = await stampedOf(storage, child);
    await referAll(storage);
    deepStrictEqual(await eventIdsOf(storage, theirs), []);
    const waits = await storage.events.findEvent(ours, happened.id);
    ok(waits && !('body' in waits), 'the copy was not dispatched yet');
    await dispatchAll(storage);
    const { idempotencyKey: _key, ...rest } = before as StampedEvent;
    const copy = { ...rest, accountId: ours, origin: child, occurredAt: rest.timestamp * second };
    deepStrictEqual(await stampedOf(storage, ours), [copy]);
    deepStrictEqual(await storage.events.findEvent(ours, happened.id), copy);
    deepStrictEqual(await stampedOf(storage, child), [before]);
    // The key is the child's.
    await publish(storage, [event({ idempotencyKey: 'key' })]);
    strictEqual((await eventIdsOf(storage, ours)).length, 2);
  },
  'copies have the bytes of their events, though their seconds run ahead of the clock': async (fixture) => {
    const { storage, storeNow } = fixture;
    await including(storage);
    await deliver(storage, ofOneObject(30, Math.floor(await storeNow())));
    await referAll(storage);
    await dispatchAll(storage);
    deepStrictEqual(bodies(await stampedOf(storage, ours)), bodies(await stampedOf(storage, child)));
  },
  'where the parent has used a second of the object, the copy has a later one': async ({ storage, storeNow }) => {
    await including(storage);
    const occurredAt = Math.floor(await storeNow()) - hour;
    await deliver(storage, [event({ objectId: 'object', occurredAt }), ...ofOneObject(3, occurredAt)]);
    await referAll(storage);
    await dispatchAll(storage);
    const seconds = (await stampedOf(storage, ours)).map(({ timestamp }) => timestamp);
    const first = Math.floor(occurredAt / second);
    deepStrictEqual(seconds, [first, first + 1, first + 2, first + 3]);
  },
  'the copies of one object come in the order of its events, however many there are': async ({ storage }) => {
    await including(storage);
    for (let times = 0; times < 3; times++) await deliver(storage, ofOneObject(230));
    deepStrictEqual(await referAll(storage), { events: 690, copies: 690 });
    await dispatchAll(storage);
    const order = async (accountId: string): Promise<readonly string[]> =>
      (await stampedOf(storage, accountId)).toSorted((a, b) => a.timestamp - b.timestamp).map(({ id }) => id);
    deepStrictEqual(await order(ours), await order(child));
    strictEqual((await order(ours)).length, 690);
  },
  'there is no copy where no endpoint of the parent takes it': async ({ storage }) => {
    await including(storage, { events: ['cancel'] });
    await including(storage, { state: 'disabled' });
    await including(storage, { includeChildren: false });
    await including(storage, { accountId: theirs });
    await deliver(storage, [childEvent()]);
    deepStrictEqual(await referAll(storage), { events: 1, copies: 0 });
    deepStrictEqual([await eventIdsOf(storage, ours), await accountsThatRefer(storage)], [[], []]);
  },
  'the events of an account without a parent wait no more': async ({ storage }) => {
    await including(storage);
    await including(storage, { accountId: theirs });
    await deliver(storage, [childEvent()]);
    deepStrictEqual(await referAll(storage, {}), { events: 1, copies: 0 });
    deepStrictEqual(await accountsThatRefer(storage), []);
    deepStrictEqual([await eventIdsOf(storage, ours), await eventIdsOf(storage, theirs)], [[], []]);
  },
  'each account is referred to its own parent': async ({ storage }) => {
    await including(storage);
    await including(storage, { accountId: theirs });
    const [own, other] = [childEvent(), event({ accountId: 'acc_their_child' })];
    await deliver(storage, [own, other]);
    await referAll(storage, { [child]: ours, acc_their_child: theirs });
    deepStrictEqual([await eventIdsOf(storage, ours), await eventIdsOf(storage, theirs)], [[own.id], [other.id]]);
  },
  'an answer decides nothing that came after its question': async ({ storage }) => {
    await including(storage);
    const [early, late] = [childEvent(), childEvent()];
    await deliver(storage, [early]);
    const asked = await withParents(storage);
    await deliver(storage, [late]);
    deepStrictEqual(await storage.referrals.refer(asked), { events: 1, copies: 1 });
    deepStrictEqual([await eventIdsOf(storage, ours), await accountsThatRefer(storage)], [[early.id], [child]]);
  },
  'what was referred is not referred again, and what was only asked for still waits': async ({ storage }) => {
    await including(storage);
    await deliver(storage, [childEvent()]);
    await withParents(storage);
    const asked = await withParents(storage);
    deepStrictEqual(await storage.referrals.refer(asked), { events: 1, copies: 1 });
    deepStrictEqual(await storage.referrals.refer(asked), { events: 0, copies: 0 });
    await dispatchAll(storage);
    strictEqual((await deliveriesOf(storage, ours)).length, 1);
  },
  'whoever comes at once, each event has one copy': async ({ storage }) => {
    await including(storage);
    await publish(storage, [...ofOneObject(20), ...Array.from({ length: 20 }, () => childEvent())]);
    await race(async (index) => {
      await storage.queue.dispatch(want({ worker: `worker-${index}`, limit: 0 }));
      await storage.referrals.refer(await withParents(storage));
    });
    await dispatchAll(storage);
    await referAll(storage);
    await dispatchAll(storage);
    deepStrictEqual((await eventIdsOf(storage, ours)).toSorted(), (await eventIdsOf(storage, child)).toSorted());
    strictEqual((await deliveriesOf(storage, ours)).length, 40);
  },
  'what waits for a parent is not pruned': async ({ storage, elapse }) => {
    await storage.endpoints.insertEndpoint(endpoint({ includeChildren: true, events: ['cancel'] }), 20);
    const waits = childEvent();
    await deliver(storage, [waits]);
    await elapse(31 * day);
    const limits = { held: 14 * day, events: 30 * day, attempts: 30 * day, most: 1_000 };
    await storage.queue.prune(limits);
    deepStrictEqual(await eventIdsOf(storage, child), [waits.id]);
    strictEqual((await allReferring(storage)).length, 1);
    await referAll(storage);
    await storage.queue.prune(limits);
    deepStrictEqual(await eventIdsOf(storage, child), []);
  },
};
