import { strictEqual } from 'node:assert';
import { minute, type Storage, shardOf, type Wake } from '@partnerkit/core';
import { publish } from './acts.ts';
import type { Cases } from './contract.ts';
import { whileOpen } from './open-transaction.ts';
import { soon } from './racers.ts';
import { event, ours, theirs } from './records.ts';
import type { StorageFixture } from './storage-fixture.ts';

/** Watches, and keeps what it is woken for. @internal */
export const listen = async ({ shards }: Storage<object>) => {
  let heard: Wake[] = [];
  let look = (): void => {};
  const stop = await shards.watch((wake) => {
    heard.push(wake);
    look();
  });
  const until = (fits: (wake: Wake) => boolean, what: string): Promise<void> =>
    soon(
      new Promise((resolve) => {
        look = () => {
          if (heard.some(fits)) resolve();
        };
        look();
      }),
      what,
    );
  return {
    stop,
    heard: () => heard.length,
    /** What was heard so far counts no more. */
    forget: () => {
      heard = [];
    },
    /** Until events of the account are told of. */
    events: (accountId: string) =>
      until((wake) => wake.kind === 'events' && wake.shards.includes(shardOf(accountId)), `events of ${accountId}`),
    members: () => until(({ kind }) => kind === 'members', 'that members came or went'),
  };
};

/** How a store wakes workers. @internal */
export const wakingCases: Cases<StorageFixture> = {
  'who watches is woken after events are committed, and told their shards': async ({ storage }) => {
    const { stop, forget, events } = await listen(storage);
    for (const accountId of [ours, theirs]) {
      await whileOpen(storage, async (open) => {
        await storage.events.append(open.tx, [event({ accountId })]);
        // A call before the commit is of no use: there is nothing to read yet.
        forget();
        await open.commit();
        await events(accountId);
      });
    }
    stop();
  },
  'who watches is woken when workers join, begin to stop and leave, and when shards are released': async ({
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
    await shards.heartbeat('joins', minute, { shards: [], settledTo: 0, isStopping: true });
    await members();
    forget();
    await shards.leave('joins');
    await members();
    stop();
  },
  'many watch at once, and who stopped is not woken any more': async ({ storage }) => {
    const [stays, stops] = [await listen(storage), await listen(storage)];
    await publish(storage, [event()]);
    await Promise.all([stays.events(ours), stops.events(ours)]);
    stops.stop();
    const before = stops.heard();
    for (const accountId of [theirs, ours, theirs]) {
      stays.forget();
      await publish(storage, [event({ accountId })]);
      await stays.events(accountId);
    }
    strictEqual(stops.heard(), before);
    stays.stop();
  },
};
