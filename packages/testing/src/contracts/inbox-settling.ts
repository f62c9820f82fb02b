import { deepStrictEqual, notStrictEqual, ok, strictEqual } from 'node:assert';
import { day, hour, type Inbox, minute } from '@partnerkit/core';
import { type Cases, whateverTheClocks } from './contract.ts';
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
import { race } from './racers.ts';
import { slack } from './store-time.ts';

const doneLasts = async (inbox: Inbox, { elapse }: InboxFixture): Promise<void> => {
  const { key: named, lease } = await taken(inbox);
  strictEqual(await inbox.done(named, lease, 35 * day), true);
  for (const time of [minute, day, 33 * day]) {
    await elapse(time);
    strictEqual(await inbox.keep(key, body), false);
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
  strictEqual(await inbox.keep(key, 'another'), false);
  await elapse(slack);
  const second = await takeOne(inbox);
  deepStrictEqual([second.key, second.body, second.attempt], [first.key, body, 2]);
};

/** What is said of an entry by who holds its lease. @internal */
export const settling: Cases<InboxFixture> = {
  'what is done is known for as long as it is kept, and no longer': beside(doneLasts),
  ...whateverTheClocks('what is done is known for as long as it is kept', beside(doneLasts)),
  'what is tried again is due after its wait, and not before': beside(retryWaits),
  ...whateverTheClocks('what is tried again is due after its wait', beside(retryWaits)),
  'what is tried again without a wait is due at once': beside(async (inbox) => {
    const first = await taken(inbox);
    strictEqual(await inbox.retry(first.key, first.lease, 0), true);
    strictEqual((await takeOne(inbox)).attempt, 2);
  }),
  'a lease that was taken over changes nothing': beside(async (inbox, { elapse }) => {
    const stale = await taken(inbox, key, minute);
    await elapse(minute);
    const holder = await takeOne(inbox);
    await changesNothing(inbox, stale.key, stale.lease);
    await nothingIsDue(inbox);
    strictEqual(await inbox.done(holder.key, holder.lease, hour), true);
    strictEqual(await inbox.keep(key, body), false);
  }),
  'a lease of which something was said before changes nothing': beside(async (inbox) => {
    for (const [what, say] of Object.entries(saying)) {
      const { key: named, lease } = await taken(inbox, `${key} ${what}`);
      strictEqual(await say(inbox, named, lease), true, what);
      await changesNothing(inbox, named, lease);
      if (what === 'retry') strictEqual((await takeOne(inbox)).key, named);
      await changesNothing(inbox, named, lease);
    }
    await nothingIsDue(inbox);
  }),
  'a lapsed lease is believed, or changes nothing': beside(async (inbox, { elapse }) => {
    const lapsed = await taken(inbox, key, minute);
    await elapse(minute);
    const believed = await inbox.done(lapsed.key, lapsed.lease, hour);
    strictEqual((await takeAll(inbox)).length, believed ? 0 : 1);
    strictEqual(await inbox.keep(key, body), false);
  }),
  'a lease of one entry does nothing to another': beside(async (inbox) => {
    const one = await taken(inbox);
    const second = await taken(inbox, `${key}0`);
    notStrictEqual(one.lease, second.lease);
    await changesNothing(inbox, second.key, one.lease);
    await changesNothing(inbox, 'nobody kept this', one.lease);
    await nothingIsDue(inbox);
    strictEqual(await inbox.done(second.key, second.lease, hour), true);
    strictEqual(await inbox.keep('nobody kept this', body), true);
  }),
  'of many that say something of one entry exactly one is believed': beside(async (inbox) => {
    const { key: named, lease } = await taken(inbox);
    const say = Object.values(saying);
    strictEqual(trueOf(await race((index) => say[index % 3]?.(inbox, named, lease) ?? Promise.resolve(false))), 1);
  }),
};

/** What a person looks at, and mends. @internal */
export const mending: Cases<InboxFixture> = {
  'what is parked is not taken however long it lies, and not kept again': beside(async (inbox, { elapse }) => {
    const { key: named, lease } = await taken(inbox);
    strictEqual(await inbox.park(named, lease), true);
    for (const time of [0, hour, 50 * day]) {
      await elapse(time);
      await nothingIsDue(inbox);
      strictEqual(await inbox.keep(key, body), false);
    }
    strictEqual(await inbox.resume([named]), 1);
    strictEqual((await takeOne(inbox)).body, body);
  }),
  'what is resumed is due at once as if never taken, and nothing else is resumed': beside(async (inbox) => {
    for (const each of ['p1', 'p2', 'p3']) {
      const first = await taken(inbox, each);
      await inbox.retry(first.key, first.lease, 0);
      const { lease } = await takeOne(inbox);
      strictEqual(await inbox.park(each, lease), true);
    }
    const done = await taken(inbox, 'done');
    await inbox.done(done.key, done.lease, day);
    const failed = await taken(inbox, 'failed');
    await inbox.retry(failed.key, failed.lease, hour);
    const held = await taken(inbox, 'held');
    strictEqual(await inbox.resume([]), 0);
    strictEqual(await inbox.resume(['done', 'failed', 'held', 'nobody kept this']), 0);
    strictEqual(await inbox.resume(['p1', 'done', 'p3', 'p1']), 2);
    strictEqual(await inbox.resume(['p1', 'p3']), 0);
    deepStrictEqual((await takeAll(inbox)).map(({ key: of, attempt }) => `${of} ${attempt}`).toSorted(), [
      'p1 1',
      'p3 1',
    ]);
    strictEqual(await inbox.done(held.key, held.lease, day), true);
  }),
  'of many that resume at once exactly one does': beside(async (inbox) => {
    const { key: named, lease } = await taken(inbox);
    await inbox.park(named, lease);
    const counts = await race(() => inbox.resume([named]));
    strictEqual(
      counts.reduce((sum, count) => sum + count, 0),
      1,
    );
    await takeOne(inbox);
  }),
  'a look says how much waits, how late it is and what is stuck, and changes nothing': beside(
    async (inbox, { elapse }) => {
      deepStrictEqual(await inbox.look(10), { waiting: 1, late: 0, parked: 0, stuck: [] });
      for (const each of ['z', 'a', 'm']) {
        const { lease } = await taken(inbox, each);
        await inbox.park(each, lease);
        await elapse(minute);
      }
      const failed = await taken(inbox, 'failed');
      await inbox.retry(failed.key, failed.lease, day);
      await inbox.keep('early', body);
      await elapse(hour);
      await inbox.keep('late', body);
      const stuck = ['z', 'a', 'm'].map((each) => ({ key: each, body, attempts: 1 }));
      for (const most of [0, 2, 10]) {
        const { late, ...view } = await inbox.look(most);
        deepStrictEqual(view, { waiting: 4, parked: 3, stuck: stuck.slice(0, most) });
        ok(late >= hour && late < hour + slack, `${late} is not an hour`);
      }
      deepStrictEqual(keysOf(await takeAll(inbox)), ['early', 'late']);
      strictEqual((await inbox.look(0)).late, 0);
    },
  ),
};
