import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert';
import { day } from '@partnerkit/core';
import { type DispatchedEvent, envelopeText, type ListedEvent, type NewEvent } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { allShards, dispatchAll, events, publish, readOutbox, takeShards, worker } from '../support/acts.ts';
import { type Cases, type ContractOptions, concurrently, runCases } from '../support/contract.ts';
import { whileBothOpen, whileOpen } from '../support/open-transaction.ts';
import { idsOf, type Listing, pageCases } from '../support/pages.ts';
import { soon } from '../support/racers.ts';
import { endpoint, event, newId, ours, theirs } from '../support/records.ts';
import { findEvent, wholeEventsOf } from '../support/stored.ts';
import { eventFilterCases } from './event-filters.ts';
import { idempotencyCases } from './idempotency.ts';

/** Another account has an event; only that account may see it. */
const beside =
  (act: (fixture: StorageFixture, other: NewEvent) => Promise<void>) =>
  async (fixture: StorageFixture): Promise<void> => {
    const { storage } = fixture;
    const other = event({ accountId: theirs });
    await publish(storage, [other]);
    await dispatchAll(storage);
    await act(fixture, other);
    strictEqual(await findEvent(storage, ours, other.id), undefined);
    const whole = await wholeEventsOf(storage, theirs);
    deepStrictEqual(
      whole.map((found) => found && { id: found.id, bodyTail: found.bodyTail }),
      [{ id: other.id, bodyTail: other.bodyTail }],
    );
  };

/** An event without its body. */
const listed = ({ bodyTail: _notListed, ...event }: NewEvent): ListedEvent => event;

const listingOf = async ({ storage }: StorageFixture): Promise<Listing> => {
  let added = 0;
  return {
    add: async (accountId, count) => {
      const appended = events(count, { accountId });
      await publish(storage, appended);
      // Some are dispatched, some are not.
      if (added++ % 4 === 0) await dispatchAll(storage);
      return appended.map(({ id }) => id);
    },
    change: () => dispatchAll(storage),
    page: async (accountId, request) => idsOf(await storage.events.listEvents(accountId, request)),
  };
};

const cases: Cases<StorageFixture> = {
  'an event is invisible until its transaction commits': beside(async ({ storage }) => {
    const appended = event();
    await whileOpen(storage, async (open) => {
      deepStrictEqual(await storage.events.append(open.tx, [appended]), [{ kind: 'stored' }]);
      strictEqual(await findEvent(storage, ours, appended.id), undefined);
      deepStrictEqual(await storage.events.listEvents(ours, {}), { items: [] });
      deepStrictEqual(await readOutbox(storage), []);
      await open.commit();
    });
    deepStrictEqual(await findEvent(storage, ours, appended.id), appended);
    strictEqual((await readOutbox(storage)).length, 1);
  }),
  'a rollback removes its events': beside(async ({ storage }) => {
    const appended = event({ idempotencyKey: 'key' });
    await whileOpen(storage, async (open) => {
      await storage.events.append(open.tx, [appended]);
      await open.rollback();
    });
    strictEqual(await findEvent(storage, ours, appended.id), undefined);
    deepStrictEqual(await storage.events.listEvents(ours, {}), { items: [] });
    deepStrictEqual(await readOutbox(storage), []);
    deepStrictEqual(await publish(storage, [event({ idempotencyKey: 'key' })]), [{ kind: 'stored' }]);
  }),
  'an ended transaction accepts no more events': beside(async ({ storage }) => {
    for (const how of ['commit', 'rollback'] as const)
      await whileOpen(storage, async (open) => {
        await open[how]();
        await rejects(storage.events.append(open.tx, [event()]));
      });
    deepStrictEqual(await storage.events.listEvents(ours, {}), { items: [] });
  }),
  'publishers do not wait for each other': concurrently(
    beside(async ({ storage }) => {
      const about = (change: Partial<NewEvent> = {}): NewEvent => event({ objectId: 'one object', ...change });
      await whileBothOpen(storage, async (first, second) => {
        await storage.events.append(first.tx, [about()]);
        await soon(storage.events.append(second.tx, [about()]), 'an event of the same object');
        await soon(storage.events.append(first.tx, [about({ idempotencyKey: 'a' })]), 'an event with a key');
        await soon(storage.events.append(second.tx, [about({ idempotencyKey: 'b' })]), 'an event with another key');
        const foreign = about({ accountId: 'acc_third', idempotencyKey: 'a' });
        await soon(storage.events.append(second.tx, [foreign]), "another account's event with the key");
        await soon(second.commit(), 'the commit of the second');
        await first.commit();
      });
      strictEqual((await storage.events.listEvents(ours, {})).items.length, 4);
    }),
  ),
  'an open transaction blocks no worker, and no change of an endpoint': concurrently(
    beside(async ({ storage }) => {
      const { endpoints, shards, log, events: store } = storage;
      const hook = endpoint();
      await endpoints.insertEndpoint(hook, 20);
      await publish(storage, [event()]);
      await whileOpen(storage, async (open) => {
        await store.append(open.tx, [event({ idempotencyKey: 'key' })]);
        const made = await soon(dispatchAll(storage), 'a dispatch');
        strictEqual(made.length, 1);
        await soon(takeShards(storage), 'a new worker');
        await soon(shards.leave(worker), 'a worker that leaves');
        await soon(log.prune(allShards, { held: day, deleted: day, events: day, limit: 10 }), 'a prune');
        await soon(endpoints.insertEndpoint(endpoint(), 20), 'a new endpoint');
        await soon(endpoints.replaceEndpoint({ ...hook, label: 'changed' }), 'a change of an endpoint');
        await soon(endpoints.deleteEndpoint(ours, hook.id), 'the end of an endpoint');
        await soon(open.commit(), 'the commit');
      });
    }),
  ),
  'an append without a transaction is atomic, and stored when it resolves': beside(async ({ storage }) => {
    const alone: NonNullable<typeof storage.events.appendAlone> =
      storage.events.appendAlone ?? ((appended) => storage.transaction((tx) => storage.events.append(tx, appended)));
    const [one, two, three] = [event(), event({ idempotencyKey: 'key' }), event()];
    deepStrictEqual(await alone([one]), [{ kind: 'stored' }]);
    deepStrictEqual(await alone([two, three]), [{ kind: 'stored' }, { kind: 'stored' }]);
    const conflicting = event({ idempotencyKey: 'key' });
    const [, conflict] = await alone([event(), conflicting, event({ accountId: 'acc_third' })]);
    deepStrictEqual(conflict, { kind: 'conflict', eventId: two.id });
    await rejects(alone([event(), { ...event(), id: one.id }]));
    deepStrictEqual(
      (await storage.events.listEvents(ours, {})).items.map(({ id }) => id),
      [one.id, two.id, three.id],
    );
    deepStrictEqual(await storage.events.listEvents('acc_third', {}), { items: [] });
  }),
  'an append returns one outcome for each event, in order': beside(async ({ storage }) => {
    deepStrictEqual(await publish(storage, []), []);
    const many = events(100).map((each, index) => (index % 3 ? each : { ...each, idempotencyKey: `key ${index}` }));
    deepStrictEqual(
      await publish(storage, many),
      many.map(() => ({ kind: 'stored' })),
    );
    deepStrictEqual(
      await publish(
        storage,
        many.map((each) => ({ ...each, id: newId() })),
      ),
      many.map(({ id }, index) => (index % 3 ? { kind: 'stored' } : { kind: 'replayed', eventId: id })),
    );
  }),

  'an event is read as it was stored, with its dispatch after the dispatch': beside(async ({ storage }) => {
    const full = event({
      objectName: 'RequestSecurityDeposit',
      type: 'cashout_owner_deny_reclamation',
      objectId: 'objet “é” 🏡',
      occurredAt: 1_735_689_600_123,
      idempotencyKey: 'Clé 🗝',
      traceContext: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    });
    const bare = event();
    const traced = event({ traceContext: ' ~'.repeat(256) });
    await publish(storage, [full, bare]);
    await publish(storage, [traced]);
    for (const each of [full, bare, traced]) deepStrictEqual(await findEvent(storage, ours, each.id), each);
    await dispatchAll(storage);
    for (const each of [full, bare, traced]) {
      const found = await findEvent(storage, ours, each.id);
      ok(found && 'timestamp' in found, 'it is dispatched');
      const { timestamp } = found;
      deepStrictEqual(found, { ...each, timestamp, body: envelopeText(timestamp, each.bodyTail) });
    }
  }),
  'the body is stored byte for byte': beside(async ({ storage }) => {
    // Text that a JSON column would rewrite: order, spaces, duplicate keys, numbers, escapes.
    const data = `{"z":1.0,"a" : 1e2,"id":"x","id":"x", "n":0.10,"u":"\\u00e9é\\/🏡\u2028","long":"${'é'.repeat(10_000)}"}`;
    const written = event({ bodyTail: `,"data":${data},"objectName":"RequestPayment","type":"payed"}` });
    await publish(storage, [written]);
    await dispatchAll(storage);
    const found = await findEvent(storage, ours, written.id);
    ok(found && 'body' in found, 'it is dispatched');
    strictEqual(found.bodyTail, written.bodyTail);
    strictEqual(found.body, `{"timestamp":${found.timestamp}${written.bodyTail}`);
  }),
  'only its own account lists an event': beside(async ({ storage }) => {
    const published = event();
    await publish(storage, [published]);
    deepStrictEqual(await storage.events.listEvents(ours, {}), { items: [listed(published)] });
  }),
  'only its own account finds an event, by its id': beside(async ({ storage }) => {
    const published = event();
    await publish(storage, [published]);
    for (const dispatch of [async () => {}, () => dispatchAll(storage)]) {
      await dispatch();
      strictEqual((await findEvent(storage, ours, published.id))?.id, published.id);
      strictEqual(await findEvent(storage, theirs, published.id), undefined);
      for (const unknown of [newId(), '', 'no id', `${published.id}0`])
        strictEqual(await findEvent(storage, ours, unknown), undefined);
    }
  }),
  'a list of events has no bodies': beside(async ({ storage }) => {
    const published = [event({ idempotencyKey: 'key', occurredAt: 1_735_689_600_123 }), event()];
    await publish(storage, published);
    deepStrictEqual(await storage.events.listEvents(ours, {}), { items: published.map(listed) });
    await dispatchAll(storage);
    const { items } = await storage.events.listEvents(ours, {});
    const dispatched = await wholeEventsOf(storage, ours);
    deepStrictEqual(
      items,
      published.map((each, index) => ({
        ...listed(each),
        timestamp: (dispatched[index] as DispatchedEvent).timestamp,
      })),
    );
  }),

  ...eventFilterCases,
  ...idempotencyCases,
  ...pageCases('events', listingOf),
};

/** Tests the obligations of an `EventStore`. */
export const eventStoreContract = (options: ContractOptions<StorageFixture>): void => runCases(cases, options);
