import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { day } from '@partnerkit/core';
import type { AppendOutcome, NewEvent } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { publish } from '../support/acts.ts';
import { type Cases, whateverTheClocks } from '../support/contract.ts';
import { whileOpen } from '../support/open-transaction.ts';
import { race, racers } from '../support/racers.ts';
import { event, ours, theirs } from '../support/records.ts';
import { eventIdsOf } from '../support/stored.ts';

/** The same key and content under a new id, as a host sends them on a retry. */
const keyed = (content = 'content', change: Partial<NewEvent> = {}): NewEvent =>
  event({ idempotencyKey: 'key', objectId: 'object', bodyTail: `,"data":{"id":"${content}"}}`, ...change });

const stored = { kind: 'stored' } as const;
const replayed = ({ id }: NewEvent): AppendOutcome => ({ kind: 'replayed', eventId: id });
const conflict = ({ id }: NewEvent): AppendOutcome => ({ kind: 'conflict', eventId: id });

/** Idempotency keys: each belongs to one event of one account. */
export const idempotencyCases: Cases<StorageFixture> = {
  'a used key replays the same content, and conflicts with other content': async ({ storage }) => {
    const first = keyed();
    deepStrictEqual(await publish(storage, [first]), [stored]);
    deepStrictEqual(await publish(storage, [keyed()]), [replayed(first)]);
    deepStrictEqual(await publish(storage, [keyed('content', { occurredAt: 1_000 })]), [replayed(first)]);
    deepStrictEqual(await publish(storage, [keyed('other')]), [conflict(first)]);
    deepStrictEqual(await eventIdsOf(storage, ours), [first.id]);
    deepStrictEqual(await eventIdsOf(storage, theirs), []);
  },
  'a key of another account is another key': async ({ storage }) => {
    const [own, other] = [keyed(), keyed('other', { accountId: theirs })];
    deepStrictEqual(await publish(storage, [own, other]), [stored, stored]);
    deepStrictEqual(await publish(storage, [keyed(), keyed('other', { accountId: theirs })]), [
      replayed(own),
      replayed(other),
    ]);
    deepStrictEqual([await eventIdsOf(storage, ours), await eventIdsOf(storage, theirs)], [[own.id], [other.id]]);
  },
  'a key is used within its own batch, and within its own transaction': async ({ storage }) => {
    const [first, other, plain] = [keyed(), keyed('x', { idempotencyKey: 'other' }), event()];
    const batch = [first, keyed(), other, plain, keyed()];
    await storage.transaction(async (tx) => {
      const expected = [stored, replayed(first), stored, stored, replayed(first)];
      deepStrictEqual(await storage.events.append(tx, batch), expected);
      deepStrictEqual(await storage.events.append(tx, [keyed()]), [replayed(first)]);
      deepStrictEqual(await storage.events.append(tx, [keyed('x')]), [conflict(first)]);
    });
    deepStrictEqual((await eventIdsOf(storage, ours)).toSorted(), [first.id, other.id, plain.id].toSorted());
  },
  'a conflict stores none of the events, and uses none of their keys': async ({ storage }) => {
    const first = keyed();
    await publish(storage, [first]);
    const fresh = { idempotencyKey: 'fresh' };
    const batch = [event(), keyed('content', fresh), keyed('other'), event(), event({ accountId: theirs })];
    const outcomes = await publish(storage, batch);
    strictEqual(outcomes.length, batch.length);
    deepStrictEqual(outcomes[2], conflict(first));
    const [one, other] = await publish(storage, [keyed('one', fresh), keyed('other', fresh)]);
    ok(one?.kind === 'conflict' || other?.kind === 'conflict', 'two contents of one key in one batch are in conflict');
    deepStrictEqual([await eventIdsOf(storage, ours), await eventIdsOf(storage, theirs)], [[first.id], []]);
    deepStrictEqual(await publish(storage, [keyed('content', fresh)]), [stored]);
  },
  'a transaction stays usable after a used key': async ({ storage }) => {
    const first = keyed();
    await publish(storage, [first]);
    const after = event();
    await storage.transaction(async (tx) => {
      deepStrictEqual(await storage.events.append(tx, [keyed('other')]), [conflict(first)]);
      deepStrictEqual(await storage.events.append(tx, [after]), [stored]);
    });
    deepStrictEqual(await eventIdsOf(storage, ours), [first.id, after.id]);
  },
  'a key of an open transaction blocks until that transaction ends': async ({ storage }) => {
    for (const [idempotencyKey, end] of [
      ['committed', 'commit'],
      ['rolled back', 'rollback'],
    ] as const) {
      const first = keyed('content', { idempotencyKey });
      await whileOpen(storage, async (open) => {
        await storage.events.append(open.tx, [first]);
        const others = [ours, theirs].map((accountId) => keyed('content', { idempotencyKey, accountId }));
        const publishing = Promise.allSettled(others.map((other) => publish(storage, [other])));
        await open[end]();
        deepStrictEqual(
          (await publishing).map((each) => (each.status === 'fulfilled' ? each.value : each.reason)),
          [[end === 'commit' ? replayed(first) : stored], [stored]],
        );
      });
    }
  },
  'exactly one of many simultaneous events with one key and the same content is stored': async ({ storage }) => {
    const all = Array.from({ length: racers }, (_, index) => keyed('c', { accountId: index % 2 ? ours : theirs }));
    const outcomes = (await race((index) => publish(storage, [all[index] as NewEvent]))).flat();
    for (const accountId of [ours, theirs]) {
      const own = all.flatMap((each, index) =>
        each.accountId === accountId ? [{ each, outcome: outcomes[index] }] : [],
      );
      const [winner, ...more] = own.filter(({ outcome }) => outcome?.kind === 'stored').map(({ each }) => each);
      strictEqual(more.length, 0);
      deepStrictEqual(await eventIdsOf(storage, accountId), [winner?.id]);
      for (const { each, outcome } of own)
        deepStrictEqual(outcome, each === winner ? stored : replayed(winner as NewEvent));
    }
  },
  'exactly one of many simultaneous events with one key and different content is stored': async ({ storage }) => {
    const all = Array.from({ length: racers }, (_, index) => keyed(`content ${index}`));
    const outcomes = (await race((index) => publish(storage, [all[index] as NewEvent]))).flat();
    const winner = all[outcomes.findIndex(({ kind }) => kind === 'stored')] as NewEvent;
    deepStrictEqual(
      outcomes,
      all.map((each) => (each === winner ? stored : conflict(winner))),
    );
    deepStrictEqual([await eventIdsOf(storage, ours), await eventIdsOf(storage, theirs)], [[winner.id], []]);
  },
  'batches with the same keys in opposite order do not deadlock': async ({ storage }) => {
    const outcomes = await race((index) => {
      const keys = index % 2 ? ['a', 'b', 'c'] : ['c', 'b', 'a'];
      const accountId = index % 4 < 2 ? ours : theirs;
      return publish(
        storage,
        keys.map((idempotencyKey) => keyed(idempotencyKey, { idempotencyKey, accountId })),
      );
    });
    strictEqual(outcomes.flat().filter(({ kind }) => kind === 'stored').length, 6);
    deepStrictEqual([(await eventIdsOf(storage, ours)).length, (await eventIdsOf(storage, theirs)).length], [3, 3]);
  },
  'a key is kept 30 days': async ({ storage, elapse }) => {
    const [own, other] = [keyed(), keyed('content', { accountId: theirs })];
    await publish(storage, [own, other]);
    await elapse(29 * day);
    deepStrictEqual(await publish(storage, [keyed()]), [replayed(own)]);
    deepStrictEqual(await publish(storage, [keyed('x', { accountId: theirs })]), [conflict(other)]);
  },
  ...whateverTheClocks('a key is replayed', async ({ storage }) => {
    const [own, other] = [keyed(), keyed('content', { accountId: theirs })];
    await publish(storage, [own, other]);
    deepStrictEqual(await publish(storage, [keyed()]), [replayed(own)]);
    deepStrictEqual(await publish(storage, [keyed('x', { accountId: theirs })]), [conflict(other)]);
  }),
};
