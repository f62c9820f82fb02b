import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { Dispatched, Endpoint, Storage } from '@partnerkit/core';
import type { Cases } from './contract.ts';
import { whileOpen } from './open-transaction.ts';
import { race } from './racers.ts';
import { endpoint, event, ours, theirs } from './records.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { deliveriesOf, dispatchAll, events, publish, want } from './world.ts';

const insert = async <const T extends readonly Partial<Endpoint>[]>(
  { endpoints }: Storage<object>,
  ...changes: T
): Promise<{ readonly [K in keyof T]: Endpoint }> => {
  const inserted = changes.map((change) => endpoint(change));
  for (const each of inserted) await endpoints.insertEndpoint(each, 100);
  return inserted as unknown as { readonly [K in keyof T]: Endpoint };
};

/** Where the deliveries of both accounts go, and how they stand. */
const fanOut = async (storage: Storage<object>): Promise<readonly (readonly [string, string])[]> =>
  [...(await deliveriesOf(storage, ours)), ...(await deliveriesOf(storage, theirs))].map(
    ({ endpointId, state }) => [endpointId, state] as const,
  );

const countEvents = (dispatched: readonly Dispatched[]): number =>
  dispatched.reduce((sum, { events }) => sum + events, 0);

/** What becomes of a committed event. @internal */
export const dispatchingCases: Cases<StorageFixture> = {
  'there is one delivery for each matching endpoint of the account': async ({ storage }) => {
    const [payed, both, , foreign] = await insert(
      storage,
      { events: ['payed'] },
      { events: ['cancel', 'payed'] },
      { events: ['cancel'] },
      { accountId: theirs, events: ['payed'] },
    );
    const published = event();
    await publish(storage, [published]);
    const { events: count, claimed, ahead } = await storage.queue.dispatch(want());
    deepStrictEqual([count, ahead], [1, []]);
    deepStrictEqual(claimed.map((delivery) => delivery.endpoint.id).toSorted(), [payed.id, both.id].toSorted());
    deepStrictEqual((await fanOut(storage)).map(([id]) => id).toSorted(), [payed.id, both.id].toSorted());
    await publish(storage, [event({ accountId: theirs })]);
    deepStrictEqual(
      (await storage.queue.dispatch(want())).claimed.map((delivery) => delivery.endpoint.id),
      [foreign.id],
    );
  },
  'none for an endpoint that its partner disabled, a held one where the breaker did': async ({ storage }) => {
    const [, paused, , foreign] = await insert(
      storage,
      { state: 'disabled' },
      { state: 'disabled_by_breaker' },
      { accountId: theirs, state: 'disabled' },
      { accountId: theirs },
    );
    await publish(storage, [event(), event({ accountId: theirs })]);
    const { claimed } = await storage.queue.dispatch(want());
    deepStrictEqual(
      claimed.map((delivery) => delivery.endpoint.id),
      [foreign.id],
    );
    deepStrictEqual(
      (await fanOut(storage)).toSorted(),
      [
        [paused.id, 'held'],
        [foreign.id, 'waiting'],
      ].toSorted(),
    );
    deepStrictEqual((await storage.queue.claim(want())).claimed, []);
  },
  'an endpoint receives nothing that was dispatched before it came': async ({ storage }) => {
    await publish(storage, [event(), event({ accountId: theirs })]);
    await dispatchAll(storage);
    await insert(storage, {}, { accountId: theirs });
    await dispatchAll(storage);
    deepStrictEqual(await fanOut(storage), []);
  },
  'an event is dispatched once, whoever comes and however often': async ({ storage }) => {
    await insert(storage, {}, {}, { accountId: theirs });
    await publish(storage, [...events(10), ...events(5, { accountId: theirs })]);
    const raced = await race((index) => storage.queue.dispatch(want({ worker: `worker-${index}`, limit: 3 })));
    strictEqual(countEvents([...raced, ...(await dispatchAll(storage))]), 15);
    const ids = [...(await deliveriesOf(storage, ours)), ...(await deliveriesOf(storage, theirs))].map(
      ({ eventId, endpointId }) => `${eventId} ${endpointId}`,
    );
    strictEqual(ids.length, 25);
    strictEqual(new Set(ids).size, 25);
  },
  'an event that was committed late is not skipped': async ({ storage }) => {
    await insert(storage, {}, { accountId: theirs });
    const [early, late] = [event(), event({ accountId: theirs })];
    await whileOpen(storage, async (first, second) => {
      await storage.events.append(first.tx, [early]);
      await storage.events.append(second.tx, [late]);
      await second.commit();
      deepStrictEqual(
        (await storage.queue.dispatch(want())).claimed.map((each) => each.event.id),
        [late.id],
      );
      await first.commit();
    });
    deepStrictEqual(
      (await storage.queue.dispatch(want())).claimed.map((each) => each.event.id),
      [early.id],
    );
    strictEqual((await storage.queue.dispatch(want())).events, 0);
  },
  'all that was committed is dispatched in the end': async ({ storage }) => {
    await insert(storage, {}, { accountId: theirs });
    await publish(storage, events(300));
    await publish(storage, events(300, { accountId: theirs }));
    strictEqual(countEvents(await dispatchAll(storage)), 600);
    strictEqual((await deliveriesOf(storage, ours)).length, 300);
    strictEqual((await deliveriesOf(storage, theirs)).length, 300);
  },
  'accounts are dispatched in turn: thousands of events of some delay no event of another': async ({ storage }) => {
    const crowds = ['acc_crowd_1', ours, 'acc_crowd_2'];
    for (const accountId of [...crowds, theirs]) await insert(storage, { accountId });
    for (const accountId of crowds) await publish(storage, events(1_100, { accountId }));
    for (const name of ['first', 'second']) {
      const single = event({ accountId: theirs, objectId: name });
      await publish(storage, [single]);
      const { claimed } = await storage.queue.dispatch(want({ limit: 8, perAccount: 2 }));
      ok(
        claimed.some(({ event: leased }) => leased.id === single.id),
        'the single event is in the next dispatch, and leased by it',
      );
      deepStrictEqual(
        (await storage.queue.dispatch(want())).claimed.filter(({ event: leased }) => leased.accountId === theirs),
        [],
      );
    }
    await dispatchAll(storage);
    for (const accountId of crowds) strictEqual((await deliveriesOf(storage, accountId)).length, 1_100);
  },
  'of more accounts than a dispatch has room for, each has its turn': async ({ storage }) => {
    const accounts = Array.from({ length: 30 }, (_, index) => `acc_turn_${index}`);
    for (const accountId of accounts) {
      await insert(storage, { accountId });
      await publish(storage, events(40, { accountId }));
    }
    // So few, that a dispatch of any store comes to its end before all accounts had their turn.
    const seen = new Set<string>();
    for (let dispatches = 0; dispatches < 4; dispatches++) {
      await storage.queue.dispatch(want({ limit: 10 }));
      for (const accountId of accounts) if ((await deliveriesOf(storage, accountId)).length > 0) seen.add(accountId);
    }
    deepStrictEqual([...seen].toSorted(), accounts.toSorted());
  },
  'events of one account are dispatched oldest first, whoever else has some': async ({ storage }) => {
    for (const accountId of [ours, theirs]) await insert(storage, { accountId });
    const own = events(700, { objectId: 'one object' });
    await publish(storage, own);
    await publish(storage, events(700, { accountId: theirs }));
    await dispatchAll(storage);
    const places = new Map(own.map(({ id }, place) => [id, place]));
    const delivered = (await deliveriesOf(storage, ours)).map(({ eventId }) => places.get(eventId));
    deepStrictEqual(
      delivered,
      own.map((_, place) => place),
    );
  },
  'at most so many are leased as were asked for; the rest waits': async ({ storage }) => {
    await insert(storage, {}, { accountId: theirs });
    await publish(storage, [...events(5), ...events(5, { accountId: theirs })]);
    const { claimed } = await storage.queue.dispatch(want({ limit: 3 }));
    strictEqual(claimed.length, 3);
    await dispatchAll(storage);
    strictEqual((await fanOut(storage)).length, 10);
    const rest = (await storage.queue.claim(want())).claimed;
    strictEqual(rest.length, 7);
    strictEqual(new Set([...claimed, ...rest].map(({ deliveryId }) => deliveryId)).size, 10);
    await publish(storage, [event()]);
    deepStrictEqual((await storage.queue.dispatch(want({ limit: 0 }))).claimed, []);
  },
  'the trace that an event was published in goes with it to whoever dispatches, and claims': async ({ storage }) => {
    await insert(storage, {}, { accountId: theirs });
    const [own, foreign] = [
      event({ traceContext: 'of ours' }),
      event({ accountId: theirs, traceContext: 'of theirs' }),
    ];
    await publish(storage, [own, event(), foreign]);
    const { traced, claimed } = await storage.queue.dispatch(want({ limit: 1 }));
    deepStrictEqual(
      traced.toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1)),
      [own, foreign].map(({ accountId, id, traceContext }) => ({ accountId, eventId: id, traceContext })),
    );
    const contexts = [...claimed, ...(await storage.queue.claim(want())).claimed].map(
      ({ event: { accountId, traceContext } }) => [accountId, traceContext].join(' '),
    );
    deepStrictEqual(contexts.toSorted(), [`${ours} `, `${ours} of ours`, `${theirs} of theirs`].toSorted());
    deepStrictEqual((await storage.queue.dispatch(want())).traced, []);
  },
  'only what fits the caps is leased': async ({ storage }) => {
    await insert(storage, {}, {}, { accountId: theirs });
    await publish(storage, [...events(5), ...events(5, { accountId: theirs })]);
    const caps = { perEndpoint: 2, perAccount: 3 };
    const leased = (await dispatchAll(storage, caps)).flatMap(({ claimed }) => claimed);
    strictEqual(leased.filter((each) => each.event.accountId === ours).length, 3);
    strictEqual(leased.filter((each) => each.event.accountId === theirs).length, 2);
    // Those leases count for whatever is dispatched later.
    await publish(storage, [...events(5), ...events(5, { accountId: theirs })]);
    for (const { claimed } of await dispatchAll(storage, caps)) deepStrictEqual(claimed, []);
  },
  'a number that no cap comes to is no cap': async ({ storage }) => {
    await insert(storage, {}, { accountId: theirs });
    await publish(storage, [...events(5), ...events(5, { accountId: theirs })]);
    const most = Number.MAX_SAFE_INTEGER;
    const uncapped = { limit: most, perEndpoint: most, perAccount: most };
    const { claimed } = await storage.queue.dispatch(want(uncapped));
    strictEqual(claimed.length, 10);
    await storage.queue.release(claimed);
    strictEqual((await storage.queue.claim(want(uncapped))).claimed.length, 10);
  },
  'a claim carries the event, the endpoint as it is now, and the number of its attempt': async ({ storage }) => {
    const [own, foreign] = await insert(storage, { label: 'old' }, { accountId: theirs });
    const published = [event(), event({ accountId: theirs })] as const;
    await publish(storage, published);
    await dispatchAll(storage);
    await storage.endpoints.replaceEndpoint({ ...own, label: 'new' });
    for (const claimed of (await storage.queue.claim(want())).claimed) {
      const isOurs = claimed.event.accountId === ours;
      deepStrictEqual(claimed.endpoint, isOurs ? { ...own, label: 'new', version: 2 } : foreign);
      deepStrictEqual(
        claimed.event,
        await storage.events.findEvent(isOurs ? ours : theirs, published[isOurs ? 0 : 1].id),
      );
      strictEqual(claimed.attempt, 1);
      ok('body' in claimed.event);
    }
  },
};
