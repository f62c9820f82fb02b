import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { type ShardRange, shardOf } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { allShards, dispatchAll, events, publish, readOutbox, settlementOf, worker } from '../support/acts.ts';
import { type Cases, concurrently, whateverTheClocks } from '../support/contract.ts';
import { whileBothOpen } from '../support/open-transaction.ts';
import { event, inShardOf, ours, theirs } from '../support/records.ts';
import { assertBetween } from '../support/store-time.ts';
import { beside } from '../support/world.ts';

const shard = shardOf(ours);
/** Accounts of one shard, in byte order of their ids. In UTF-16 order the last two change places. */
const accounts = ['acc_A', 'acc_a', 'acc_ｱ', 'acc_😀'].map((begin) => inShardOf(ours, begin));
const [first = '', second = '', third = '', last = ''] = accounts;

const readAt: (fixture: StorageFixture) => Promise<void> = async ({ storage, storeNow }) => {
  const before = await storeNow();
  await publish(storage, [event(), event({ accountId: theirs })]);
  const { now, events: read } = await storage.deliveries.readOutbox(
    allShards.map((each) => ({ shard: each })),
    10,
    0,
  );
  const after = await storeNow();
  strictEqual(read.length, 2);
  for (const { storedAt } of read) assertBetween(storedAt, before, after);
  assertBetween(now, before, after);
};

/** Reads of committed events that were not dispatched. */
export const outboxCases: Cases<StorageFixture> = {
  'the outbox is read in the order of the ranges, of accounts, and of publication': async ({ storage }) => {
    const published = [...accounts, theirs, ...accounts, theirs].map((accountId) => event({ accountId })).toReversed();
    for (const from of [0, 4, 8]) await publish(storage, published.slice(from, from + 4));
    const read = async (...ranges: readonly ShardRange[]) => (await readOutbox(storage, ranges)).map(({ id }) => id);
    const of = (...accountIds: readonly string[]): readonly string[] =>
      accountIds.flatMap((id) => published.filter(({ accountId }) => accountId === id).map((each) => each.id));
    deepStrictEqual(await read({ shard }), of(...accounts));
    deepStrictEqual(await read({ shard, after: second }), of(third, last));
    deepStrictEqual(await read({ shard, before: third }), of(first, second));
    deepStrictEqual(await read({ shard, after: first, before: third }), of(second));
    const around = [{ shard, after: third }, { shard: shardOf(theirs) }, { shard, before: second }];
    deepStrictEqual(await read(...around), of(last, theirs, first));
    deepStrictEqual(await read({ shard: shardOf(theirs) }), of(theirs));
  },
  'the outbox is read up to the limit, over all given ranges': async ({ storage }) => {
    await publish(storage, [...events(4), ...events(4, { accountId: theirs }), ...events(4, { accountId: last })]);
    const ranges = [{ shard: shardOf(theirs) }, { shard }];
    const all = await readOutbox(storage, ranges);
    strictEqual(all.length, 12);
    for (const limit of [1, 4, 7]) deepStrictEqual(await readOutbox(storage, ranges, limit), all.slice(0, limit));
  },
  'an event with a late commit is read, one that was rolled back never': concurrently(async ({ storage }) => {
    const [early, late, gone] = [event(), event({ accountId: theirs }), event()];
    const read = async () => (await readOutbox(storage)).map(({ id }) => id);
    await whileBothOpen(storage, async (open, other) => {
      await storage.events.append(open.tx, [early]);
      await storage.events.append(other.tx, [gone]);
      await publish(storage, [late]);
      deepStrictEqual(await read(), [late.id]);
      await dispatchAll(storage);
      await other.rollback();
      deepStrictEqual(await read(), []);
      await open.commit();
    });
    deepStrictEqual(await read(), [early.id]);
  }),
  'an event is read as it was published': beside(async ({ storage }) => {
    const full = event({
      objectName: 'RequestSecurityDeposit',
      type: 'cashout_owner_deny_reclamation',
      objectId: 'objet “é” 🏡',
      occurredAt: 1_735_689_600_123,
      onlyTo: event().id,
      traceContext: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      bodyTail: `,"data":{"z":1.0,"a" : 1e2,"u":"\\u00e9é\\/🏡\u2028"},"objectName":"RequestPayment","type":"payed"}`,
    });
    const bare = event();
    await publish(storage, [full, bare]);
    const read = await readOutbox(storage);
    deepStrictEqual(
      read.map(({ position: _position, storedAt: _storedAt, ...rest }) => rest),
      [full, bare].map((each) => ({ ...each, shard })),
    );
    ok(new Set(read.map(({ position }) => position)).size === 2, 'each has a place of its own');
  }),
  ...whateverTheClocks('an event is stored and read by the clock of the store', readAt),
  'the last second is the maximum of the object in its account': async ({ storage }) => {
    const about = (objectId: string, accountId = ours) => event({ objectId, accountId });
    const dispatch = async (timestamp: number, ...published: Parameters<typeof publish>[1]) => {
      await publish(storage, published);
      await dispatchAll(storage, () => ({ timestamp }));
    };
    await dispatch(200, about('object'), about('other'));
    await dispatch(100, about('object'), about('object', theirs), about('object', second));
    await publish(storage, [
      about('object'),
      about('other'),
      about('Object'),
      about('object', theirs),
      about('none', theirs),
    ]);
    deepStrictEqual(
      (await readOutbox(storage)).map(({ accountId, objectId, lastTimestamp }) => [accountId, objectId, lastTimestamp]),
      [
        [ours, 'object', 200],
        [ours, 'other', 200],
        [ours, 'Object', undefined],
        [theirs, 'object', 100],
        [theirs, 'none', undefined],
      ],
    );
  },
  'every read and every settlement tells which endpoints changed': beside(async ({ storage: { deliveries } }) => {
    const known = (await deliveries.readEndpoints([], 0)).endpointVersion;
    for (const [version, changed] of [
      [0, [shardOf(ours), shardOf(theirs)].toSorted((a, b) => a - b)],
      [known, []],
    ] as const) {
      const settled = await deliveries.settle(worker, settlementOf({}), version);
      ok(settled !== 'fenced');
      for (const state of [
        await deliveries.readOutbox([{ shard }], 1, version),
        await deliveries.readDue([shard], 1, [], version),
        await deliveries.readQueued([], [], version),
        await deliveries.readEndpoints([], version),
        settled,
      ])
        deepStrictEqual([state.endpointVersion, state.changedShards.toSorted((a, b) => a - b)], [known, changed]);
    }
  }),
};
