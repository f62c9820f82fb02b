import { ok, strictEqual } from 'node:assert';
import { minute } from '@partnerkit/core';
import { type ShardWake, type Storage, shardOf } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { publish } from '../support/acts.ts';
import type { Cases } from '../support/contract.ts';
import { whileOpen } from '../support/open-transaction.ts';
import { soon } from '../support/racers.ts';
import { event, ours, theirs } from '../support/records.ts';

/** Watches a store, and records its wake signals. */
export const listen = async ({ shards }: Storage<object>) => {
  let wakes: ShardWake[] = [];
  let look = (): void => {};
  const stop = await shards.watch((wake) => {
    wakes.push(wake);
    look();
  });
  const until = (fits: (wake: ShardWake) => boolean, what: string): Promise<void> =>
    soon(
      new Promise((resolve) => {
        look = () => {
          if (wakes.some(fits)) resolve();
        };
        look();
      }),
      what,
    );
  return {
    stop,
    count: () => wakes.length,
    /** Discards the signals so far. */
    forget: () => {
      wakes = [];
    },
    /** Resolves at the wake signal for events of the account. */
    events: (accountId: string) =>
      until((wake) => wake.kind === 'events' && wake.shards.includes(shardOf(accountId)), `events of ${accountId}`),
    members: () => until(({ kind }) => kind === 'members', 'that members came or went'),
  };
};

/** How a store wakes workers. */
export const wakingCases: Cases<StorageFixture> = {
  'a watcher is woken after a commit, with the shards of the events': async ({ storage }) => {
    const { stop, forget, events } = await listen(storage);
    const commitWakes = async (accountId: string): Promise<boolean> => {
      await whileOpen(storage, async (open) => {
        await storage.events.append(open.tx, [event({ accountId })]);
        // A signal before the commit is useless: there is nothing to read yet.
        forget();
        await open.commit();
      });
      return events(accountId).then(
        () => true,
        () => false,
      );
    };
    // A wake may be lost, as when a transaction stays open for long.
    for (const accountId of [ours, theirs])
      ok((await commitWakes(accountId)) || (await commitWakes(accountId)), `no commit wakes for ${accountId}`);
    stop();
  },
  'a watcher is woken when workers join, begin to stop and leave, and when shards are released': async ({
    storage,
  }) => {
    const { shards } = storage;
    const { stop, forget, members } = await listen(storage);
    await shards.join('joins', minute);
    await members();
    const acquired = await shards.acquire('joins', 1);
    forget();
    await shards.release('joins', acquired === 'fenced' ? [] : acquired.map(({ shard }) => shard));
    await members();
    forget();
    await shards.heartbeat('joins', minute, { shards: [], watermark: 0, settlement: 0, isStopping: true });
    await members();
    forget();
    await shards.leave('joins');
    await members();
    stop();
  },
  'many can watch at once, and a stopped watcher is not woken': async ({ storage }) => {
    const [stays, stops] = [await listen(storage), await listen(storage)];
    await publish(storage, [event()]);
    await Promise.all([stays.events(ours), stops.events(ours)]);
    stops.stop();
    const before = stops.count();
    for (const accountId of [theirs, ours, theirs]) {
      stays.forget();
      await publish(storage, [event({ accountId })]);
      await stays.events(accountId);
    }
    strictEqual(stops.count(), before);
    stays.stop();
  },
};
