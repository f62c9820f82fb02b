import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { DeliveryFilter, EventFilter, NewEvent } from '@partnerkit/core';
import type { Cases } from './contract.ts';
import { allPages, badCursors } from './pages.ts';
import { endpoint, event, newId, ours, theirs } from './records.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { answered, deliveriesOf, dispatchAll, publish, want } from './world.ts';

/** Three endpoints, a number of objects and types, and deliveries in several states; the same for each account. */
const fill = async ({ storage }: StorageFixture, accountId: string): Promise<readonly NewEvent[]> => {
  const endpoints = [['payed'], ['payed', 'cancel'], ['cancel']] as const;
  for (const types of endpoints) await storage.endpoints.insertEndpoint(endpoint({ accountId, events: types }), 20);
  const published = Array.from({ length: 12 }, (_, index) =>
    event({
      accountId,
      objectName: index % 4 === 3 ? 'RequestSecurityDeposit' : 'RequestPayment',
      objectId: `object ${index % 3}`,
      type: index % 2 === 0 ? 'payed' : 'cancel',
    }),
  );
  for (const each of published) {
    await publish(storage, [each]);
    await dispatchAll(storage);
  }
  const { claimed } = await storage.queue.claim(want({ limit: 6 }));
  await storage.queue.settle(
    claimed
      .slice(0, 4)
      .map((claim, index) =>
        index % 2
          ? { ...claim, outcome: answered(200), next: 'delivered' }
          : { ...claim, outcome: answered(500), next: 'exhausted' },
      ),
  );
  // Not dispatched yet.
  const last = event({ accountId, objectId: 'object 0' });
  await publish(storage, [last]);
  return [...published, last];
};

const timeOf = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

const eventFilters = (events: readonly NewEvent[]): readonly EventFilter[] => {
  const [from, to] = [timeOf(events[3]?.id ?? ''), timeOf(events[9]?.id ?? '')];
  return [
    {},
    { objectName: 'RequestSecurityDeposit' },
    { objectId: 'object 0' },
    { objectName: 'RequestPayment', objectId: 'object 1', type: 'cancel' },
    { type: 'payed' },
    { objectId: 'no such object' },
    { from },
    { to },
    { from, to, type: 'cancel' },
    { from: to, to: from },
  ];
};

const fits = (each: NewEvent, filter: EventFilter): boolean =>
  (filter.objectName ?? each.objectName) === each.objectName &&
  (filter.objectId ?? each.objectId) === each.objectId &&
  (filter.type ?? each.type) === each.type &&
  (filter.from === undefined || timeOf(each.id) >= filter.from) &&
  (filter.to === undefined || timeOf(each.id) < filter.to);

/** What filters and orders do to the lists of operators. @internal */
export const filteringCases: Cases<StorageFixture> = {
  'events are filtered by object, type and time, in whatever pages': async (fixture) => {
    const { events } = fixture.storage;
    await fill(fixture, theirs);
    const published = await fill(fixture, ours);
    for (const filter of eventFilters(published)) {
      const expected = published.filter((each) => fits(each, filter)).map(({ id }) => id);
      for (const limit of [1, 4, 100]) {
        const found = await allPages((page) => events.listEvents(ours, page, filter), { limit });
        deepStrictEqual(
          found.map(({ id }) => id),
          expected,
        );
        const reversed = await allPages((page) => events.listEvents(ours, { ...page, newestFirst: true }, filter), {
          limit,
        });
        deepStrictEqual(
          reversed.map(({ id }) => id),
          expected.toReversed(),
        );
      }
      deepStrictEqual(await events.listEvents('acc_nobody', {}, filter), { items: [] });
    }
  },
  'deliveries are filtered by event, object, type and state, in whatever pages': async (fixture) => {
    const { storage } = fixture;
    await fill(fixture, theirs);
    const published = await fill(fixture, ours);
    const all = await deliveriesOf(storage, ours);
    strictEqual(all.length, 24);
    const eventOf = new Map(published.map((each) => [each.id, each]));
    const [some] = all;
    ok(some);
    const filters: readonly DeliveryFilter[] = [
      { eventId: some.eventId },
      { eventId: some.eventId, endpointId: some.endpointId },
      { eventId: newId() },
      { objectId: 'object 1' },
      { objectName: 'RequestSecurityDeposit', endpointId: some.endpointId },
      { objectId: 'object 2', type: 'cancel', state: 'waiting' },
      { type: 'cancel', state: 'delivered' },
      { state: 'exhausted', objectName: 'RequestPayment' },
      { eventId: some.eventId, state: 'held' },
    ];
    for (const filter of filters) {
      const expected = all
        .filter((each) => {
          const of = eventOf.get(each.eventId);
          return (
            of !== undefined &&
            fits(of, filter) &&
            (filter.eventId ?? each.eventId) === each.eventId &&
            (filter.endpointId ?? each.endpointId) === each.endpointId &&
            (filter.state ?? each.state) === each.state
          );
        })
        .map(({ id }) => id);
      for (const newestFirst of [false, true]) {
        const found = await allPages((page) => storage.log.listDeliveries(ours, filter, { ...page, newestFirst }), {
          limit: 3,
        });
        deepStrictEqual(
          found.map(({ id }) => id),
          newestFirst ? expected.toReversed() : expected,
        );
      }
      const foreign = new Set((await deliveriesOf(storage, theirs, filter)).map(({ id }) => id));
      ok(!expected.some((id) => foreign.has(id)));
    }
  },
  'deliveries are filtered by when their event was dispatched': async (fixture) => {
    const { storage } = fixture;
    await fill(fixture, theirs);
    await fill(fixture, ours);
    const all = await deliveriesOf(storage, ours);
    const times = [...new Set(all.map(({ id }) => timeOf(id)))];
    for (const at of [0, ...times, Math.max(...times) + 1]) {
      const [before, after] = [
        await deliveriesOf(storage, ours, { to: at }),
        await deliveriesOf(storage, ours, { from: at }),
      ];
      deepStrictEqual([...before, ...after], all);
      ok(before.every(({ id }) => timeOf(id) < at) && after.every(({ id }) => timeOf(id) >= at));
    }
  },
  'a cursor that is none is answered as such, by every list': async (fixture) => {
    const { clients, endpoints, events, log } = fixture.storage;
    await fill(fixture, theirs);
    await fill(fixture, ours);
    const [own] = (await endpoints.listEndpoints(ours, {})).items;
    ok(own);
    for (const after of badCursors) {
      for (const page of [
        await clients.listClients(ours, { after }),
        await endpoints.listEndpoints(ours, { after }),
        await events.listEvents(ours, { after }),
        await events.listEvents(ours, { after, newestFirst: true }, { type: 'payed' }),
        await log.listDeliveries(ours, {}, { after }),
        await log.listDeliveries(ours, { state: 'held' }, { after, newestFirst: true }),
      ])
        deepStrictEqual(page, { items: [], invalidCursor: true }, after);
      deepStrictEqual(await log.replay(ours, own.id, { from: 0, to: 1, after }), { kind: 'invalid_cursor' }, after);
    }
  },
};
