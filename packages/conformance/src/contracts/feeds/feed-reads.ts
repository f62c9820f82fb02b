import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { shardOf } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { publish } from '../support/acts.ts';
import { type Cases, whateverTheClocks } from '../support/contract.ts';
import { soon } from '../support/racers.ts';
import { event, newId, ours, theirs } from '../support/records.ts';
import { feedsOf, numbersOf, pulled, pulling } from './pulling.ts';

/** What is read of a feed, and who is woken. */
export const feedReads: Cases<StorageFixture> = {
  'a read begins after a number, and ends at its limit or with enough text': pulling(async ({ read, feed }) => {
    await feed(4, { bodyTail: `,"data":{"id":"o","text":"${'x'.repeat(1_000)}"}}` });
    deepStrictEqual(numbersOf(await read({ after: 1, limit: 2 })), [2, 3]);
    deepStrictEqual(numbersOf(await read({ after: 4 })), []);
    deepStrictEqual(numbersOf(await read({ after: 9 })), []);
    deepStrictEqual(numbersOf(await read({ maxLength: 1 })), [1]);
    deepStrictEqual(numbersOf(await read({ maxLength: 1_500 })), [1, 2]);
    const { last, places } = await read({ limit: 1, places: [3, 1, 9] });
    strictEqual(last, 4);
    deepStrictEqual(places.map(({ number }) => number).toSorted(), [1, 3]);
  }),
  'the places of a feed have the ids of their events': pulling(async ({ read, feed }) => {
    const published = await feed(3);
    const { places } = await read({ limit: 1, places: [2] });
    deepStrictEqual(places, [{ number: 2, eventId: published[1]?.id }]);
  }),
  ...whateverTheClocks(
    'the last cursor is noted with the time of the store',
    pulling(async ({ storage: { feeds }, storeNow, id, endpoint, read, feed }) => {
      await feed(3);
      deepStrictEqual(await feeds.readProgress(feedsOf(ours, id)), [
        { accountId: ours, endpointId: id, last: 3, pruned: 0 },
      ]);
      await feeds.noteAsked(ours, id, 1);
      await feeds.noteAsked(theirs, id, 3);
      await feeds.noteAsked(ours, endpoint.id, 3);
      const before = await storeNow();
      await feeds.noteAsked(ours, id, 2);
      const [progress] = await feeds.readProgress(feedsOf(ours, endpoint.id, id));
      const { asked, ...rest } = progress ?? {};
      deepStrictEqual(rest, { accountId: ours, endpointId: id, last: 3, pruned: 0 });
      ok(asked && asked.number === 2 && asked.at >= Math.floor(before) && asked.at <= Math.ceil(await storeNow()));
      const part = await read();
      deepStrictEqual(part.asked, asked);
      ok(part.now >= asked.at);
    }),
  ),
  'progress is read of feeds of several accounts at once': pulling(
    async ({ storage: { feeds, endpoints }, id, feed }) => {
      await feed(2);
      const other = pulled(theirs);
      await endpoints.insertEndpoint(other, 20);
      const found = await feeds.readProgress([...feedsOf(theirs, other.id, id), ...feedsOf(ours, id, other.id)]);
      deepStrictEqual(
        found.toSorted((a, b) => a.last - b.last),
        [
          { accountId: theirs, endpointId: other.id, last: 0, pruned: 0 },
          { accountId: ours, endpointId: id, last: 2, pruned: 0 },
        ],
      );
    },
  ),
  'a reader is woken after entries were committed, and not once it has stopped': pulling(async (world) => {
    const { storage, read, feed } = world;
    let [wakes, look] = [0, (): void => undefined];
    const stop = await storage.feeds.watchFeeds((shards) => {
      if (shards.includes(shardOf(ours))) wakes++;
      look();
    });
    const woken = new Promise<void>((resolve) => {
      look = () => {
        if (wakes > 0) resolve();
      };
    });
    await publish(storage, [event()]);
    await feed(1);
    await soon(woken, 'a wake for a reader');
    strictEqual((await read()).last, 2);
    stop();
    const other = await new Promise<() => void>((resolve) => {
      let end = (): void => undefined;
      void storage.feeds
        .watchFeeds(() => resolve(end))
        .then((unwatch) => {
          end = unwatch;
          wakes = 0;
          return feed(1);
        });
    });
    strictEqual(wakes, 0);
    other();
  }),
  'only its own account finds an event in a feed': pulling(async ({ storage: { feeds }, id, endpoint, feed }) => {
    const [first, second] = await feed(2);
    ok(first && second);
    strictEqual(await feeds.findEntry(ours, id, second.id), 2);
    for (const [accountId, endpointId, eventId] of [
      [theirs, id, first.id],
      [ours, endpoint.id, first.id],
      [ours, id, newId()],
      [ours, 'no id', 'no id'],
    ] as const)
      strictEqual(await feeds.findEntry(accountId, endpointId, eventId), undefined);
  }),
};
