import { describe, expect, test } from 'vitest';
import { second } from '../../../src/base/runtime/time.ts';
import type { FeedKey } from '../../../src/webhooks/feeds/feed-store.ts';
import { createFeedWaits } from '../../../src/webhooks/feeds/feed-waits.ts';
import { shardOf } from '../../../src/webhooks/shards/shard.ts';
import { settled, testClock } from '../../support/clock.ts';

/** Feeds whose last numbers the test sets; it counts the reads and the watchers. */
const world = () => {
  const clock = testClock();
  const last = new Map<string, number>([
    ['one', 0],
    ['two', 0],
  ]);
  const reads: (readonly string[])[] = [];
  const errors: unknown[] = [];
  const watchers = new Set<(shards: readonly number[]) => void>();
  let fails = false;
  const waits = createFeedWaits({
    clock,
    reportError: (cause) => errors.push(cause),
    feeds: {
      readProgress: async (feeds) => {
        reads.push(feeds.map(({ endpointId }) => endpointId));
        if (fails) throw new Error('on purpose');
        return feeds.flatMap((feed) => {
          const number = last.get(feed.endpointId);
          return number === undefined ? [] : [{ ...feed, last: number, pruned: 0 }];
        });
      },
      watchFeeds: async (onWake) => {
        if (fails) throw new Error('on purpose');
        watchers.add(onWake);
        return () => watchers.delete(onWake);
      },
    },
  });
  const wait = (feed: FeedKey, after: number, time = 25 * second, isClosed = () => false) => {
    const state = { isDone: false };
    void waits.wait(feed, after, { time, isClosed }).then(() => {
      state.isDone = true;
    });
    return state;
  };
  return {
    ...{ clock, last, reads, errors, watchers, wait },
    fail: (value: boolean) => {
      fails = value;
    },
    wake: (accountId: string) => {
      for (const watcher of watchers) watcher([shardOf(accountId)]);
    },
  };
};

const one = { accountId: 'acc_a', endpointId: 'one' };
const two = { accountId: 'acc_b', endpointId: 'two' };

describe('a wait for entries of a feed', () => {
  test('ends at once when the store wakes it, and no other wait does', async () => {
    const { clock, last, wait, wake } = world();
    const [first, second] = [wait(one, 0), wait(two, 0)];
    await settled();
    last.set('one', 1);
    wake('acc_a');
    await settled();
    expect([first.isDone, second.isDone]).toEqual([true, false]);
    expect(clock.now()).toBe(testClock().now());
  });

  test('finds within a second what no wake told', async () => {
    const { clock, last, wait } = world();
    const waiting = wait(one, 0);
    await settled();
    last.set('one', 1);
    await clock.advance(second);
    expect(waiting.isDone).toBe(true);
  });

  test('does not wait for entries that came before it, however late it is beside others', async () => {
    const { last, wait } = world();
    const first = wait(one, 0);
    await settled();
    last.set('two', 3);
    const late = wait(two, 2);
    await settled();
    expect([first.isDone, late.isDone]).toEqual([false, true]);
  });

  test('does not wait for a feed that is gone', async () => {
    const { clock, last, wait } = world();
    const waiting = wait(one, 0);
    await settled();
    last.delete('one');
    await clock.advance(second);
    expect(waiting.isDone).toBe(true);
  });

  test('ends when its time is over, and within a second after its peer has gone', async () => {
    const { clock, wait } = world();
    let isClosed = false;
    const [short, left] = [wait(one, 0, 1_500), wait(two, 0, 25 * second, () => isClosed)];
    await clock.advance(1_499);
    expect([short.isDone, left.isDone]).toEqual([false, false]);
    await clock.advance(1);
    isClosed = true;
    await clock.advance(second);
    expect([short.isDone, left.isDone]).toEqual([true, true]);
  });

  test('costs one read a second for all waits, and nothing without waits', async () => {
    const { clock, reads, watchers, wait } = world();
    for (let nth = 0; nth < 400; nth++) wait(nth % 2 === 0 ? one : two, 0, 10 * second);
    await settled();
    const before = reads.length;
    await clock.advance(5 * second);
    expect(reads.slice(before).map((read) => read.length)).toEqual([400, 400, 400, 400, 400]);
    await clock.advance(6 * second);
    expect([watchers.size, clock.sleepers()]).toEqual([0, 0]);
  });

  test('goes on waiting while the store fails, which is reported', async () => {
    const { clock, last, errors, fail, wait } = world();
    fail(true);
    const waiting = wait(one, 0);
    await clock.advance(2 * second);
    expect(waiting.isDone).toBe(false);
    expect(errors.length).toBeGreaterThan(1);
    fail(false);
    last.set('one', 1);
    await clock.advance(second);
    expect(waiting.isDone).toBe(true);
  });
});
