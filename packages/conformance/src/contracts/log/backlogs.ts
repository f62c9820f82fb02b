import { deepStrictEqual, ok } from 'node:assert';
import { type Backlog, day, hour, minute } from '@partnerkit/core';
import { maxCounted, shardOf } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import {
  answered,
  dispatchAll,
  events,
  keyOf,
  logged,
  markSettled,
  pending,
  publish,
  settle,
  takeShards,
} from '../support/acts.ts';
import type { Cases } from '../support/contract.ts';
import { endpoint, ours, theirs } from '../support/records.ts';
import { slack } from '../support/store-time.ts';
import { beside, open, type World } from '../support/world.ts';

const none = { undispatched: 0, waiting: 0, held: 0 };
/** Theirs: one is due now, one in years. */
const foreign = { ...none, waiting: 2 };

/** Asserts our backlog, and the total: the sum of ours and theirs. */
const assertBacklog = async ({ storage: { log } }: World, expected: Omit<Backlog, 'oldestDue'>): Promise<void> => {
  const { oldestDue: _own, ...own } = await log.countBacklog(ours);
  const { oldestDue: _other, ...other } = await log.countBacklog(theirs);
  const { oldestDue: _oldest, ...all } = await log.countBacklog();
  deepStrictEqual([own, other], [expected, foreign]);
  deepStrictEqual(all, { ...expected, waiting: expected.waiting + foreign.waiting });
  deepStrictEqual(await log.countBacklog('acc_nobody'), none);
};

/** Counts of unfinished deliveries. */
export const backlogCases: Cases<StorageFixture> = {
  'the backlog counts unfinished deliveries, of one account and of all': beside(async (world) => {
    const { storage, settle } = world;
    await assertBacklog(world, none);
    await publish(storage, events(3));
    await assertBacklog(world, { ...none, undispatched: 3 });
    await dispatchAll(storage);
    const [done, later, queued] = await world.deliver(3);
    // Their worker has them in its memory.
    await assertBacklog(world, { ...none, waiting: 3 });
    const retried = pending(later, { state: 'scheduled', dueIn: hour });
    await settle({ pending: [pending(done), retried, pending(queued)] });
    await assertBacklog(world, { ...none, waiting: 3 });
    await settle({ attempts: [logged(done, 1, answered(200), 'delivered')], finished: [done] });
    await assertBacklog(world, { ...none, waiting: 2 });
    await world.deliver(1);
    await assertBacklog(world, { ...none, waiting: 3 });
    await markSettled(world);
    await assertBacklog(world, { ...none, waiting: 2 });
    await world.change({ state: 'disabled' });
    await assertBacklog(world, { ...none, held: 2 });
    await storage.endpoints.deleteEndpoint(ours, world.endpoint.id);
    await assertBacklog(world, none);
  }),
  'the backlog states how long the oldest due delivery has been due': beside(async (world) => {
    const { log } = world.storage;
    const [early, late] = await world.deliver(2);
    await world.settle({
      pending: [pending(early, { state: 'scheduled', dueIn: hour }), pending(late, { dueIn: 2 * hour })],
    });
    ok((await log.countBacklog(ours)).oldestDue === undefined);
    await world.elapse(3 * hour);
    const { oldestDue = 0 } = await log.countBacklog(ours);
    ok(oldestDue >= 2 * hour && oldestDue <= 2 * hour + slack, `${oldestDue} ms are not two hours`);
    const { oldestDue: ofAll = 0 } = await log.countBacklog();
    ok(ofAll >= 3 * hour && ofAll <= 3 * hour + minute, `${ofAll} ms are not three hours`);
    await world.change({ state: 'disabled' });
    ok((await log.countBacklog(ours)).oldestDue === undefined);
  }),
  'of all accounts, the oldest due delivery may wait for its first attempt, and is not held': async (fixture) => {
    const { storage, elapse } = fixture;
    const oldestDue = async (): Promise<number | undefined> => (await storage.log.countBacklog()).oldestDue;
    const assertOldest = async (expected: number): Promise<void> => {
      const oldest = await oldestDue();
      ok(oldest !== undefined && Math.abs(oldest - expected) <= slack, `${oldest} ms are not about ${expected}`);
    };
    await takeShards(storage);
    const world = await open(fixture);
    const [first] = await world.deliver(1);
    await elapse(hour);
    await assertOldest(hour);
    await world.settle({ pending: [pending(first)] });
    await elapse(2 * hour);
    await assertOldest(2 * hour);
    await world.change({ state: 'disabled' });
    ok((await oldestDue()) === undefined);
  },
  'a replayed delivery counts as waiting, and is never due': beside(async (world) => {
    await world.complete(1);
    await world.storage.log.replay(ours, world.endpoint.id, { from: 0, to: 2 ** 48 - 1 });
    await world.elapse(day);
    deepStrictEqual(await world.storage.log.countBacklog(ours), { ...none, waiting: 1 });
  }),
  'counts are capped': async ({ storage }) => {
    await takeShards(storage);
    const own = endpoint();
    await storage.endpoints.insertEndpoint(own, 20);
    const dispatched = events(Math.ceil((maxCounted + 1) / 500));
    await publish(storage, dispatched);
    await dispatchAll(storage);
    for (const each of dispatched) {
      await publish(storage, events(500));
      const replays = Array.from({ length: 500 }, (_, replay) => pending(keyOf(each, own.id, replay)));
      await settle(storage, { pending: replays });
    }
    const { oldestDue: _oldest, ...counted } = await storage.log.countBacklog(ours);
    deepStrictEqual(counted, { undispatched: maxCounted, waiting: maxCounted, held: 0 });
    const { oldestDue: _ofAll, ...all } = await storage.log.countBacklog();
    deepStrictEqual(all, counted);
    const transition = { shard: shardOf(ours), accountId: ours, endpointId: own.id };
    const { transitions } = await settle(storage, { transitions: [transition] });
    deepStrictEqual(transitions, [{ isDisabled: false, pending: maxCounted }]);
    deepStrictEqual(await storage.log.countBacklog(theirs), none);
  },
};
