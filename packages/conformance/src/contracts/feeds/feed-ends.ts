import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { day } from '@partnerkit/core';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import {
  allShards,
  answered,
  dispatched,
  dropEvents,
  events,
  keyOf,
  logged,
  markSettled,
  pending,
  publish,
  readOutbox,
  worker,
} from '../support/acts.ts';
import type { Cases } from '../support/contract.ts';
import { ours } from '../support/records.ts';
import { findEvent } from '../support/stored.ts';
import { everything, feedsOf, idsOf, namesOf, numbersOf, pulling } from './pulling.ts';

/** How entries and feeds end. */
export const feedEnds: Cases<StorageFixture> = {
  'a dispatch for an endpoint that is gone is stored all the same': pulling(async ({ storage, id, feed }) => {
    strictEqual(await storage.endpoints.deleteEndpoint(ours, id), true);
    const published = await feed(1);
    ok(published[0] && (await findEvent(storage, ours, published[0].id)));
    strictEqual(await storage.feeds.readFeed(ours, id, everything), undefined);
  }),
  'an entry is pruned with its event: the last one is remembered, and numbers continue': pulling(async (world) => {
    const { storage, id, read, feed } = world;
    const old = await feed(3);
    await world.elapse(2 * day);
    const young = await feed(1);
    await markSettled(world);
    await storage.log.prune(allShards, { held: 9 * day, deleted: 9 * day, events: day, limit: 100 });
    const part = await read({ places: [1] });
    deepStrictEqual([part.last, part.pruned, idsOf(part)], [4, 3, namesOf(young)]);
    deepStrictEqual(part.places, [{ number: 3, eventId: old[2]?.id }]);
    deepStrictEqual(numbersOf(await read({ after: 1 })), [4]);
    strictEqual(await storage.feeds.findEntry(ours, id, old[0]?.id ?? ''), undefined);
    await feed(1);
    strictEqual((await read()).last, 5);
  }),
  'an event that is pruned before an older one moves the begin of the feed': pulling(async (world) => {
    const { storage, id, endpoint: push, read } = world;
    const published = events(2);
    await publish(storage, published);
    const [older, younger] = (await readOutbox(storage)).map((each) =>
      dispatched(each, { endpointIds: [push.id], pullEndpointIds: [id] }),
    );
    ok(older && younger);
    const [waiting, delivered] = [keyOf(older.event, push.id), keyOf(younger.event, push.id)];
    await storage.deliveries.dispatch(worker, [older, younger], [pending(waiting)], 0);
    await world.settle({ attempts: [logged(delivered, 1, answered(200), 'delivered')] });
    await dropEvents(world);
    const part = await read();
    deepStrictEqual([part.pruned, numbersOf(part)], [2, []]);
    deepStrictEqual(part.places, [{ number: 2, eventId: published[1]?.id }]);
  }),
  'an endpoint that is stored again continues its numbers until its last entry is pruned': pulling(async (world) => {
    const { storage, id, read, feed } = world;
    const found = await storage.endpoints.findEndpoint(ours, id);
    ok(found);
    const again = async (): Promise<void> => {
      strictEqual(await storage.endpoints.deleteEndpoint(ours, id), true);
      strictEqual(await storage.feeds.readFeed(ours, id, everything), undefined);
      deepStrictEqual(await storage.feeds.readProgress(feedsOf(ours, id)), []);
      strictEqual(await storage.endpoints.insertEndpoint(found, 20), true);
    };
    await feed(2);
    await again();
    await feed(1);
    strictEqual((await read()).last, 3);
    await dropEvents(world);
    strictEqual((await read()).pruned, 3);
    await again();
    await feed(1);
    deepStrictEqual(numbersOf(await read()), [1]);
  }),
  'the feed of a deleted endpoint ends with its last entry': pulling(async (world) => {
    const { storage, id, read, feed } = world;
    const found = await storage.endpoints.findEndpoint(ours, id);
    ok(found);
    await feed(2);
    strictEqual(await storage.endpoints.deleteEndpoint(ours, id), true);
    await dropEvents(world);
    strictEqual(await storage.endpoints.insertEndpoint(found, 20), true);
    const { now: _now, ...part } = await read();
    deepStrictEqual(part, { last: 0, pruned: 0, places: [], entries: [] });
  }),
};
