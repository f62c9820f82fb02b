import { deepStrictEqual, ok } from 'node:assert';
import { type Backlog, hour, mostCounted } from '@partnerkit/core';
import type { Cases } from './contract.ts';
import { event, ours, theirs } from './records.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { slack } from './store-time.ts';
import { beside, dispatchAll, events, publish, type World } from './world.ts';

const none = { undispatched: 0, waiting: 0, held: 0, beingAttempted: 0 };
/** Theirs, which waits for 30 days. */
const foreign = { ...none, waiting: 1 };

const sum = (a: Backlog, b: Backlog): Backlog => ({
  undispatched: a.undispatched + b.undispatched,
  waiting: a.waiting + b.waiting,
  held: a.held + b.held,
  beingAttempted: a.beingAttempted + b.beingAttempted,
});

/** Ours, and that of all: the sum of ours and theirs. */
const assertBacklog = async (
  { storage: { log } }: World,
  expected: Backlog,
  due: 'due' | 'none due',
): Promise<void> => {
  const all = [await log.countBacklog(ours), await log.countBacklog()] as const;
  for (const [{ oldestDue, ...counted }, numbers] of [
    [all[0], expected],
    [all[1], sum(expected, foreign)],
  ] as const) {
    deepStrictEqual(counted, numbers);
    ok(due === 'due' ? oldestDue !== undefined : oldestDue === undefined);
  }
  deepStrictEqual(await log.countBacklog(theirs), foreign);
  deepStrictEqual(await log.countBacklog('acc_nobody'), none);
};

/** What is not finished, counted. @internal */
export const backlogCases: Cases<StorageFixture> = {
  'the backlog counts what is not finished, of one account and of all': beside(async (world) => {
    await assertBacklog(world, none, 'none due');
    await publish(world.storage, events(3));
    await assertBacklog(world, { ...none, undispatched: 3 }, 'none due');
    await dispatchAll(world.storage);
    await assertBacklog(world, { ...none, waiting: 3 }, 'due');
    const claims = await world.claim();
    await assertBacklog(world, { ...none, beingAttempted: 3 }, 'none due');
    await world.settle(claims.slice(0, 1), 'delivered');
    await world.settle(claims.slice(1, 2), { retryIn: hour });
    await assertBacklog(world, { ...none, beingAttempted: 1, waiting: 1 }, 'none due');
    await world.change({ state: 'disabled' });
    await assertBacklog(world, { ...none, beingAttempted: 1, held: 1 }, 'none due');
    await world.settle(claims.slice(2), 'exhausted');
    await assertBacklog(world, { ...none, held: 1 }, 'none due');
  }),
  'the oldest delivery that is due says for how long it has been': beside(async (world) => {
    const { log } = world.storage;
    const age = async (): Promise<number> => (await log.countBacklog(ours)).oldestDue ?? -1;
    await world.deliver(1);
    const [claimed] = await world.claim();
    ok(claimed);
    await world.settle([claimed], { retryIn: hour });
    await world.elapse(hour - slack);
    ok((await age()) === -1);
    await world.elapse(slack + hour);
    await world.deliver(1);
    // That one was never put in line; a claim may do so.
    for (let times = 0; times < 2; times++) {
      for (const oldest of [await age(), (await log.countBacklog()).oldestDue ?? -1])
        ok(oldest >= hour - slack && oldest <= hour + slack, `${oldest} is no hour`);
      await world.claim({ limit: 0 });
    }
    ok((await log.countBacklog(theirs)).oldestDue === undefined);
  }),
  'counting ends at some number': beside(async (world) => {
    for (let batch = 0; batch <= mostCounted; batch += 1_000) await publish(world.storage, events(1_000));
    deepStrictEqual((await world.storage.log.countBacklog(ours)).undispatched, mostCounted);
    await publish(world.storage, [event()]);
    deepStrictEqual((await world.storage.log.countBacklog()).undispatched, mostCounted);
  }),
};
