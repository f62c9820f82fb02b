import { deepStrictEqual, notStrictEqual, strictEqual } from 'node:assert';
import { day, hour, minute } from '@partnerkit/core';
import type { Inbox } from '@partnerkit/core/adapter';
import { type Cases, whateverTheClocks } from '../support/contract.ts';
import { race } from '../support/racers.ts';
import { slack } from '../support/store-time.ts';
import {
  beside,
  body,
  type InboxFixture,
  key,
  keysOf,
  nothingIsDue,
  takeAll,
  taken,
  takeOne,
  trueOf,
} from './inbox-support.ts';

const leaseLapses = async (inbox: Inbox, { elapse }: InboxFixture): Promise<void> => {
  const first = await taken(inbox);
  await elapse(hour - slack);
  await nothingIsDue(inbox);
  await elapse(slack);
  const second = await takeOne(inbox);
  notStrictEqual(second.lease, first.lease);
  deepStrictEqual([second.key, second.body, first.attempt, second.attempt], [first.key, body, 1, 2]);
};
/** Cases of `enqueue`. */
export const keeping: Cases<InboxFixture> = {
  'an entry is claimed as it was enqueued, byte for byte': beside(async (inbox) => {
    const bodies = [
      '',
      ' ',
      '\\',
      '\'"`$1\n\r\t%s',
      'été 🏡\u2028\uffff',
      '{"a":"\\u0000\\ud800"}',
      'x'.repeat(500_000),
    ];
    for (const [index, each] of bodies.entries()) strictEqual(await inbox.enqueue(`key ${index}`, each), true);
    const entries = new Map((await takeAll(inbox)).map((entry) => [entry.key, entry]));
    for (const [index, each] of bodies.entries()) {
      const entry = entries.get(`key ${index}`);
      deepStrictEqual([entry?.body === each, entry?.attempt], [true, 1], `body ${index}`);
    }
    strictEqual(entries.size, bodies.length);
  }),
  'exactly one of many simultaneous enqueues of a key succeeds': beside(async (inbox) => {
    strictEqual(trueOf(await race((index) => inbox.enqueue(key, `${index}`))), 1);
    strictEqual((await takeAll(inbox)).length, 1);
  }),
  'a known key is not enqueued again: waiting, claimed, failed, dead-lettered or completed': beside(async (inbox) => {
    const again = async (when: string) => strictEqual(await inbox.enqueue(key, 'another'), false, when);
    const first = await taken(inbox);
    await again('being processed');
    await inbox.retry(first.key, first.lease, 0);
    await again('waiting');
    const second = await takeOne(inbox);
    strictEqual(second.body, body);
    await inbox.retry(second.key, second.lease, hour);
    await again('failed');
    const third = await taken(inbox, `${key} of another`);
    await inbox.deadLetter(third.key, third.lease);
    strictEqual(await inbox.enqueue(`${key} of another`, 'another'), false, 'dead-lettered');
    const fourth = await taken(inbox, `${key} of a third`);
    await inbox.complete(fourth.key, fourth.lease, hour);
    strictEqual(await inbox.enqueue(`${key} of a third`, 'another'), false, 'done');
    await nothingIsDue(inbox);
  }),
  'keys that differ in one byte are different': beside(async (inbox) => {
    const long = 'x'.repeat(10_000);
    const keys = ['a', 'A', 'a ', ' a', 'á', 'a\u0301', 'a:b', 'a%b', 'a_b', 'a*b', '🏡', '🏠', `${long}1`, `${long}2`];
    for (const each of keys) strictEqual(await inbox.enqueue(each, each), true);
    for (const each of keys) strictEqual(await inbox.enqueue(each, each), false);
    const entries = await takeAll(inbox);
    deepStrictEqual(entries.map((entry) => entry.body).toSorted(), keys.toSorted());
    for (const entry of entries) strictEqual(await inbox.complete(entry.key, entry.lease, hour), true);
    for (const each of keys) strictEqual(await inbox.enqueue(each, each), false);
    await nothingIsDue(inbox);
  }),
  'a waiting entry never expires': beside(async (inbox, { elapse }) => {
    strictEqual(await inbox.enqueue(key, body), true);
    await elapse(50 * day);
    strictEqual(await inbox.enqueue(key, body), false);
    strictEqual((await takeOne(inbox)).body, body);
  }),
};

/** Cases of `claim`. */
export const taking: Cases<InboxFixture> = {
  'each entry goes to exactly one of many simultaneous claims': beside(async (inbox) => {
    const keys = Array.from({ length: 40 }, (_, index) => `key ${index}`);
    for (const each of keys) await inbox.enqueue(each, body);
    const raced = (await race(() => inbox.claim(3, hour))).flat();
    const all = [...raced, ...(await takeAll(inbox))];
    deepStrictEqual(keysOf(all).toSorted(), keys.toSorted());
    strictEqual(new Set(all.map((entry) => entry.lease)).size, keys.length);
  }),
  'an entry with an expired lease goes to exactly one of many simultaneous claims': beside(
    async (inbox, { elapse }) => {
      await taken(inbox);
      await elapse(hour);
      strictEqual((await race(() => inbox.claim(3, hour))).flat().length, 1);
    },
  ),
  'a claim returns at most the given number of entries, the first due first': beside(async (inbox, { elapse }) => {
    const early = await taken(inbox, 'fails');
    await inbox.retry(early.key, early.lease, 5 * minute);
    for (const each of ['z', 'a', 'm']) {
      await inbox.enqueue(each, body);
      await elapse(2 * minute);
    }
    deepStrictEqual(await inbox.claim(0, hour), []);
    deepStrictEqual(keysOf(await inbox.claim(2, hour)), ['z', 'a']);
    deepStrictEqual(keysOf(await inbox.claim(5, hour)), ['m', 'fails']);
  }),
  'a failed entry blocks no other': beside(async (inbox) => {
    const failed = await taken(inbox);
    await inbox.retry(failed.key, failed.lease, hour);
    for (let index = 0; index < 5; index++) await inbox.enqueue(`key ${index}`, body);
    deepStrictEqual(
      keysOf(await takeAll(inbox)).toSorted(),
      [0, 1, 2, 3, 4].map((index) => `key ${index}`),
    );
  }),
  'a lease expires after its duration, not before; the attempt counts': beside(leaseLapses),
  ...whateverTheClocks('a lease lapses when its time has passed', beside(leaseLapses)),
};
