import { deepStrictEqual, notStrictEqual, ok, strictEqual } from 'node:assert';
import { day, hour, minute } from '@partnerkit/core';
import type { Inbox } from '@partnerkit/core/adapter';
import { type Cases, whateverTheClocks } from '../support/contract.ts';
import { race } from '../support/racers.ts';
import { slack } from '../support/store-time.ts';
import {
  beside,
  body,
  changesNothing,
  type InboxFixture,
  key,
  keysOf,
  nothingIsDue,
  saying,
  takeAll,
  taken,
  takeOne,
  trueOf,
} from './inbox-support.ts';

const doneLasts = async (inbox: Inbox, { elapse }: InboxFixture): Promise<void> => {
  const { key: named, lease } = await taken(inbox);
  strictEqual(await inbox.complete(named, lease, 35 * day), true);
  for (const time of [minute, day, 33 * day]) {
    await elapse(time);
    strictEqual(await inbox.enqueue(key, body), false);
    await nothingIsDue(inbox);
  }
  await elapse(day);
  strictEqual((await taken(inbox)).attempt, 1);
};
const retryWaits = async (inbox: Inbox, { elapse }: InboxFixture): Promise<void> => {
  const first = await taken(inbox);
  strictEqual(await inbox.retry(first.key, first.lease, 30 * day), true);
  await elapse(30 * day - slack);
  await nothingIsDue(inbox);
  strictEqual(await inbox.enqueue(key, 'another'), false);
  await elapse(slack);
  const second = await takeOne(inbox);
  deepStrictEqual([second.key, second.body, second.attempt], [first.key, body, 2]);
};

/** Results that the holder of a lease reports. */
export const settling: Cases<InboxFixture> = {
  'a completed key is known for its retention period, and no longer': beside(doneLasts),
  ...whateverTheClocks('what is done is known for as long as it is kept', beside(doneLasts)),
  'a retried entry is due after its delay, not before': beside(retryWaits),
  ...whateverTheClocks('what is tried again is due after its wait', beside(retryWaits)),
  'an entry retried without a delay is due at once': beside(async (inbox) => {
    const first = await taken(inbox);
    strictEqual(await inbox.retry(first.key, first.lease, 0), true);
    strictEqual((await takeOne(inbox)).attempt, 2);
  }),
  'a superseded lease changes nothing': beside(async (inbox, { elapse }) => {
    const stale = await taken(inbox, key, minute);
    await elapse(minute);
    const holder = await takeOne(inbox);
    await changesNothing(inbox, stale.key, stale.lease);
    await nothingIsDue(inbox);
    strictEqual(await inbox.complete(holder.key, holder.lease, hour), true);
    strictEqual(await inbox.enqueue(key, body), false);
  }),
  'a lease with a reported result changes nothing more': beside(async (inbox) => {
    for (const [what, say] of Object.entries(saying)) {
      const { key: named, lease } = await taken(inbox, `${key} ${what}`);
      strictEqual(await say(inbox, named, lease), true, what);
      await changesNothing(inbox, named, lease);
      if (what === 'retry') strictEqual((await takeOne(inbox)).key, named);
      await changesNothing(inbox, named, lease);
    }
    await nothingIsDue(inbox);
  }),
  'an expired lease either settles its entry, or changes nothing': beside(async (inbox, { elapse }) => {
    const lapsed = await taken(inbox, key, minute);
    await elapse(minute);
    const believed = await inbox.complete(lapsed.key, lapsed.lease, hour);
    strictEqual((await takeAll(inbox)).length, believed ? 0 : 1);
    strictEqual(await inbox.enqueue(key, body), false);
  }),
  'a lease of one entry does not affect another': beside(async (inbox) => {
    const one = await taken(inbox);
    const second = await taken(inbox, `${key}0`);
    notStrictEqual(one.lease, second.lease);
    await changesNothing(inbox, second.key, one.lease);
    await changesNothing(inbox, 'nobody kept this', one.lease);
    await nothingIsDue(inbox);
    strictEqual(await inbox.complete(second.key, second.lease, hour), true);
    strictEqual(await inbox.enqueue('nobody kept this', body), true);
  }),
  'exactly one of many simultaneous results of an entry is accepted': beside(async (inbox) => {
    const { key: named, lease } = await taken(inbox);
    const say = Object.values(saying);
    strictEqual(trueOf(await race((index) => say[index % 3]?.(inbox, named, lease) ?? Promise.resolve(false))), 1);
  }),
};

/** Cases of `stats` and `requeue`. */
export const mending: Cases<InboxFixture> = {
  'a dead letter is never claimed, and its key is not enqueued again': beside(async (inbox, { elapse }) => {
    const { key: named, lease } = await taken(inbox);
    strictEqual(await inbox.deadLetter(named, lease), true);
    for (const time of [0, hour, 50 * day]) {
      await elapse(time);
      await nothingIsDue(inbox);
      strictEqual(await inbox.enqueue(key, body), false);
    }
    strictEqual(await inbox.requeue([named]), 1);
    strictEqual((await takeOne(inbox)).body, body);
  }),
  'a requeued entry is due at once with no attempts, and no other entry is requeued': beside(async (inbox) => {
    for (const each of ['p1', 'p2', 'p3']) {
      const first = await taken(inbox, each);
      await inbox.retry(first.key, first.lease, 0);
      const { lease } = await takeOne(inbox);
      strictEqual(await inbox.deadLetter(each, lease), true);
    }
    const done = await taken(inbox, 'done');
    await inbox.complete(done.key, done.lease, day);
    const failed = await taken(inbox, 'failed');
    await inbox.retry(failed.key, failed.lease, hour);
    const held = await taken(inbox, 'held');
    strictEqual(await inbox.requeue([]), 0);
    strictEqual(await inbox.requeue(['done', 'failed', 'held', 'nobody kept this']), 0);
    strictEqual(await inbox.requeue(['p1', 'done', 'p3', 'p1']), 2);
    strictEqual(await inbox.requeue(['p1', 'p3']), 0);
    deepStrictEqual((await takeAll(inbox)).map(({ key: of, attempt }) => `${of} ${attempt}`).toSorted(), [
      'p1 1',
      'p3 1',
    ]);
    strictEqual(await inbox.complete(held.key, held.lease, day), true);
  }),
  'exactly one of many simultaneous requeues succeeds': beside(async (inbox) => {
    const { key: named, lease } = await taken(inbox);
    await inbox.deadLetter(named, lease);
    const counts = await race(() => inbox.requeue([named]));
    strictEqual(
      counts.reduce((sum, count) => sum + count, 0),
      1,
    );
    await takeOne(inbox);
  }),
  'stats report the waiting entries, the oldest due one and the dead letters, and change nothing': beside(
    async (inbox, { elapse }) => {
      deepStrictEqual(await inbox.stats(10), { waiting: 1, oldestDueMs: 0, deadLettered: 0, deadLetters: [] });
      for (const each of ['z', 'a', 'm']) {
        const { lease } = await taken(inbox, each);
        await inbox.deadLetter(each, lease);
        await elapse(minute);
      }
      const failed = await taken(inbox, 'failed');
      await inbox.retry(failed.key, failed.lease, day);
      await inbox.enqueue('early', body);
      await elapse(hour);
      await inbox.enqueue('late', body);
      const stuck = ['z', 'a', 'm'].map((each) => ({ key: each, body, attempts: 1 }));
      for (const most of [0, 2, 10]) {
        const { oldestDueMs, ...view } = await inbox.stats(most);
        deepStrictEqual(view, { waiting: 4, deadLettered: 3, deadLetters: stuck.slice(0, most) });
        ok(oldestDueMs >= hour && oldestDueMs < hour + slack, `${oldestDueMs} is not an hour`);
      }
      deepStrictEqual(keysOf(await takeAll(inbox)), ['early', 'late']);
      strictEqual((await inbox.stats(0)).oldestDueMs, 0);
    },
  ),
};
