import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { explainFacts, hour, type NewEvent, type Storage } from '@partnerkit/core';
import type { Cases } from './contract.ts';
import { event, ours, theirs } from './records.ts';
import { child, childEvent, deliver, including, referAll } from './referral-world.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { answered, deliveriesOf, dispatchAll, publish, want } from './world.ts';

/** Commits, dispatches and refers events of the child; the copies are not dispatched. */
const refer = async (storage: Storage<object>, ...published: readonly NewEvent[]): Promise<void> => {
  await deliver(storage, published);
  strictEqual((await referAll(storage)).copies, published.length);
};
const goesTo = async (storage: Storage<object>, accountId: string): Promise<readonly (readonly [string, string])[]> =>
  (await deliveriesOf(storage, accountId)).map(({ endpointId, state }) => [endpointId, state] as const).toSorted();

const outOfReach = { kind: 'failed', reason: 'out_of_reach', took: 0 } as const;

/** What becomes of copies, and how that is explained. @internal */
export const copyCases: Cases<StorageFixture> = {
  'a copy goes to the endpoints that take the events of children, and to no other': async ({ storage }) => {
    const [open, held] = [await including(storage), await including(storage, { state: 'disabled_by_breaker' })];
    await including(storage, { state: 'disabled' });
    await including(storage, { events: ['cancel'] });
    await including(storage, { includeChildren: false });
    await including(storage, { accountId: theirs });
    const own = await including(storage, { accountId: child, includeChildren: false });
    await refer(storage, childEvent());
    await dispatchAll(storage);
    const expected = [[open.id, 'waiting'] as const, [held.id, 'held'] as const].toSorted();
    deepStrictEqual(await goesTo(storage, ours), expected);
    deepStrictEqual(await goesTo(storage, child), [[own.id, 'waiting']]);
    deepStrictEqual(await goesTo(storage, theirs), []);
  },
  'the account’s own events go to all of its endpoints, as before': async ({ storage }) => {
    const both = [await including(storage), await including(storage, { includeChildren: false })];
    await deliver(storage, [event()]);
    deepStrictEqual(
      await goesTo(storage, ours),
      both.map(({ id }) => [id, 'waiting']).toSorted() as unknown as Awaited<ReturnType<typeof goesTo>>,
    );
  },
  'a copy comes with its origin to whoever dispatches, and claims': async ({ storage }) => {
    await including(storage);
    await including(storage, { accountId: child });
    await refer(storage, childEvent(), childEvent());
    await storage.queue.claim(want({ perEndpoint: 1 }));
    const { claimed } = await storage.queue.dispatch(want({ limit: 1 }));
    const all = [...claimed, ...(await storage.queue.claim(want())).claimed];
    const copies = all.filter((each) => each.event.accountId === ours);
    deepStrictEqual(
      copies.map(({ event: { origin } }) => origin),
      [child, child],
    );
    ok(all.every((each) => each.event.accountId !== child || each.event.origin === undefined));
  },
  'a copy that may not be sent any more expires: that counts as no attempt, and blames nobody': async (fixture) => {
    const { storage, elapse } = fixture;
    const { id } = await including(storage);
    await refer(storage, ...Array.from({ length: 6 }, () => childEvent()));
    await dispatchAll(storage);
    const { claimed } = await storage.queue.claim(want());
    strictEqual(claimed.length, 6);
    const turns = await storage.queue.settle(
      claimed.map(({ deliveryId, lease }) => ({ deliveryId, lease, outcome: outOfReach, next: 'out_of_reach' })),
    );
    deepStrictEqual(turns, []);
    for (const each of await deliveriesOf(storage, ours)) {
      deepStrictEqual([each.state, each.attempts], ['expired', 0]);
      const logged = await storage.log.listAttempts(ours, each.id);
      deepStrictEqual(
        logged.map(({ at: _at, ...outcome }) => outcome),
        [outOfReach],
      );
      const explained = explainFacts(await storage.log.findFacts(ours, each.eventId, id), id)._unsafeUnwrap();
      deepStrictEqual([explained.kind, 'why' in explained && explained.why], ['expired', 'out_of_reach']);
    }
    await elapse(hour);
    const own = event();
    await publish(storage, [own]);
    const { claimed: next } = await storage.queue.dispatch(want());
    deepStrictEqual(
      next.map((each) => each.event.id),
      [own.id],
    );
  },
  'a copy is sent again like any event': async ({ storage }) => {
    const { id } = await including(storage);
    await refer(storage, childEvent());
    const { claimed } = await storage.queue.dispatch(want());
    const [first] = claimed;
    ok(first, 'the copy is leased');
    await storage.queue.settle([{ ...first, outcome: answered(200), next: 'delivered' }]);
    strictEqual((await storage.log.sendAgain(ours, first.deliveryId)).kind, 'sent');
    strictEqual((await storage.log.sendAgain(child, first.deliveryId)).kind, 'not_found');
    const [again] = (await storage.queue.claim(want())).claimed;
    deepStrictEqual([again?.event, again?.endpoint.id], [first.event, id]);
  },
  'a replay has the copies for an endpoint that takes the events of children, and for no other': async ({
    storage,
  }) => {
    const [taking, other] = [await including(storage), await including(storage, { includeChildren: false })];
    await refer(storage, childEvent());
    await dispatchAll(storage);
    for (const { deliveryId, lease } of (await storage.queue.claim(want())).claimed)
      await storage.queue.settle([{ deliveryId, lease, outcome: answered(200), next: 'delivered' }]);
    await deliver(storage, [event()]);
    const range = { from: 0, to: Date.UTC(2100, 0, 1) };
    const replayed = async (endpointId: string) => {
      for (const { deliveryId, lease } of (await storage.queue.claim(want())).claimed)
        await storage.queue.settle([{ deliveryId, lease, outcome: answered(200), next: 'delivered' }]);
      return storage.log.replay(ours, endpointId, range);
    };
    deepStrictEqual(await replayed(taking.id), { kind: 'replayed', deliveries: 2 });
    deepStrictEqual(await replayed(other.id), { kind: 'replayed', deliveries: 1 });
  },
  'a copy is explained to the parent, and what waits for one is named by its account': async ({ storage }) => {
    const [taking, other] = [await including(storage), await including(storage, { includeChildren: false })];
    const happened = childEvent();
    const facts = (accountId: string, endpointId: string) => storage.log.findFacts(accountId, happened.id, endpointId);
    const kind = async (endpointId: string) =>
      explainFacts(await facts(ours, endpointId), endpointId).match(
        (explained) => explained.kind,
        ({ code }) => code,
      );
    await publish(storage, [happened]);
    deepStrictEqual((await facts(ours, taking.id)).referring, undefined);
    await dispatchAll(storage);
    deepStrictEqual([(await facts(ours, taking.id)).referring, await kind(taking.id)], [child, 'no_such_event']);
    deepStrictEqual((await facts(child, taking.id)).referring, undefined);
    await referAll(storage);
    deepStrictEqual((await facts(ours, taking.id)).referring, undefined);
    deepStrictEqual([await kind(taking.id), await kind(other.id)], ['not_dispatched_yet', 'not_dispatched_yet']);
    deepStrictEqual((await facts(ours, taking.id)).event?.origin, child);
    await dispatchAll(storage);
    deepStrictEqual([await kind(taking.id), await kind(other.id)], ['waiting', 'children_not_included']);
    deepStrictEqual((await facts(theirs, taking.id)).event, undefined);
    ok(await storage.endpoints.replaceEndpoint({ ...other, includeChildren: true }));
    deepStrictEqual(await kind(other.id), 'children_not_included');
  },
};
