import { deepStrictEqual, notStrictEqual, ok, strictEqual } from 'node:assert';
import { day, hour, minute, type NewEvent } from '@partnerkit/core';
import { type Cases, whateverTheClocks } from './contract.ts';
import { race } from './racers.ts';
import { event, ours } from './records.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { assertBetween, slack } from './store-time.ts';
import { answered, beside, deliveriesOf, dispatchAll, leaseTime, publish, retryTime, type World } from './world.ts';

/** One delivery, claimed under a lease that has lapsed. */
const lapsed = async (world: World, change: Partial<NewEvent> = {}) => {
  await publish(world.storage, [event(change)]);
  await dispatchAll(world.storage);
  const claimed = await world.claimOne();
  await world.elapse(leaseTime);
  return claimed;
};
/** One delivery whose lease lapsed, and was found by another worker. */
const takenOver = async (world: World) => {
  const stale = await lapsed(world);
  const { claimed, abandoned } = await world.take({ worker: 'worker-2' });
  deepStrictEqual([claimed.length, abandoned.length], [0, 1]);
  return stale;
};

const leaseLasts = async (world: World): Promise<void> => {
  await world.deliver(1);
  const { deliveryId } = await world.claimOne({ lease: 2 * hour });
  await world.elapse(2 * hour - slack);
  deepStrictEqual(await world.take({ worker: 'worker-2' }), { claimed: [], abandoned: [] });
  await world.elapse(slack);
  const { abandoned } = await world.take({ worker: 'worker-2' });
  deepStrictEqual(
    abandoned.map((each) => each.deliveryId),
    [deliveryId],
  );
};

/** What a lease is worth, and to whom. @internal */
export const leasingCases: Cases<StorageFixture> = {
  'a lease lasts as long as was asked for, and no longer': beside(leaseLasts),
  ...whateverTheClocks('a lease lasts as long as was asked for', beside(leaseLasts)),

  'who finds a lapsed lease logs the attempt as abandoned, and tells of it': beside(async (world) => {
    const first = await lapsed(world);
    const from = await world.storeNow();
    const { claimed, abandoned } = await world.take({ worker: 'worker-2' });
    deepStrictEqual(claimed, []);
    const { deliveryId, event } = first;
    const endpointId = world.endpoint.id;
    deepStrictEqual(abandoned, [
      { accountId: ours, eventId: event.id, deliveryId, endpointId, attempt: 1, exhausted: false },
    ]);
    const [logged, ...more] = await world.attempts(first);
    strictEqual(more.length, 0);
    ok(logged?.kind === 'failed' && logged.reason === 'abandoned', 'the attempt is logged as abandoned');
    assertBetween(logged.at, from, await world.storeNow());
    deepStrictEqual(await world.standing(first), ['waiting', 1]);
  }),
  'who finds a lapsed lease is told in which trace its event was published': beside(async (world) => {
    await lapsed(world, { traceContext: 'of ours' });
    const { abandoned } = await world.take({ worker: 'worker-2' });
    deepStrictEqual(
      abandoned.map(({ traceContext }) => traceContext),
      ['of ours'],
    );
  }),
  'after an abandoned attempt the next one is due by the schedule, as after any failure': beside(async (world) => {
    const schedule = [hour, 3 * hour, 5 * hour];
    await world.deliver(1);
    const first = await world.claimOne({ schedule });
    for (const [index, wait] of schedule.entries()) {
      await world.elapse(leaseTime);
      deepStrictEqual(await world.claim({ schedule }), []);
      await world.elapse(wait - slack);
      deepStrictEqual(await world.take({ schedule }), { claimed: [], abandoned: [] });
      await world.elapse(slack);
      const next = await world.claimOne({ schedule });
      deepStrictEqual([next.deliveryId, next.attempt], [first.deliveryId, index + 2]);
      notStrictEqual(next.lease, first.lease);
      deepStrictEqual(next.event, first.event);
    }
  }),
  'of many that find one lapsed lease exactly one takes it over, and one attempt is logged': beside(async (world) => {
    const first = await lapsed(world);
    const taken = await race((index) => world.take({ worker: `worker-${index}` }));
    strictEqual(taken.flatMap(({ abandoned }) => abandoned).length, 1);
    deepStrictEqual(await world.ends(first), ['abandoned']);
    deepStrictEqual(await world.standing(first), ['waiting', 1]);
    await world.elapse(retryTime);
    strictEqual((await race((index) => world.claim({ worker: `worker-${index}` }))).flat().length, 1);
  }),
  'a delivery that nobody ever settles is exhausted by one attempt more than the schedule has': beside(
    async (world) => {
      const schedule = [minute, minute];
      await world.deliver(1);
      for (const attempt of [1, 2, 3]) {
        const claimed = await world.claimOne({ schedule });
        strictEqual(claimed.attempt, attempt);
        await world.elapse(leaseTime);
        const { abandoned } = await world.take({ schedule });
        deepStrictEqual(
          abandoned.map((each) => [each.attempt, each.exhausted]),
          [[attempt, attempt === 3]],
        );
        await world.elapse(minute);
        if (attempt < 3) continue;
        deepStrictEqual(await world.ends(claimed), ['abandoned', 'abandoned', 'abandoned']);
        deepStrictEqual(await world.standing(claimed), ['exhausted', 3]);
        await world.elapse(day);
        deepStrictEqual(await world.take({ schedule }), { claimed: [], abandoned: [] });
      }
    },
  ),
  'a lapsed lease that is found hinders no claim behind it': beside(async (world) => {
    await lapsed(world);
    await world.deliver(1);
    strictEqual((await world.claimOne({ limit: 1, perEndpoint: 1, perAccount: 1 })).attempt, 1);
  }),

  'once a lease was taken over, settling with it changes nothing but the log': beside(async (world) => {
    for (const next of ['delivered', 'exhausted', { retryIn: day }] as const) {
      const stale = await takenOver(world);
      // Logged once, however often it is settled.
      for (let times = 0; times < 2; times++) {
        await world.settle([stale], next, answered(418));
        deepStrictEqual(await world.standing(stale), ['waiting', 1]);
        deepStrictEqual(await world.ends(stale), ['abandoned', 418]);
      }
      await world.elapse(retryTime);
      const holder = await world.claimOne({ worker: 'worker-2' });
      // What came late is in the log, and is no attempt.
      deepStrictEqual([holder.deliveryId, holder.attempt], [stale.deliveryId, 2]);
      await world.settle([stale], next, answered(418));
      deepStrictEqual(await world.claim({ worker: 'worker-3' }), []);
      await world.settle([holder], 'delivered', answered(204));
      deepStrictEqual(await world.standing(stale), ['delivered', 2]);
      deepStrictEqual(await world.ends(stale), ['abandoned', 418, 204]);
    }
  }),
  'once a lease was taken over, giving it back changes nothing': beside(async (world) => {
    const stale = await takenOver(world);
    await world.storage.queue.release([stale]);
    deepStrictEqual(await world.claim(), []);
    await world.elapse(retryTime);
    const holder = await world.claimOne({ worker: 'worker-2' });
    await world.storage.queue.release([stale]);
    deepStrictEqual(await world.claim({ worker: 'worker-3' }), []);
    await world.settle([holder], 'delivered', answered(200));
    deepStrictEqual(await world.standing(stale), ['delivered', 2]);
  }),
  'a lapsed lease that nobody took over still settles': beside(async (world) => {
    await world.deliver(2);
    const [confirmed, refused] = await world.claim();
    ok(confirmed && refused);
    await world.elapse(hour);
    await world.settle([confirmed], 'delivered', answered(200));
    await world.settle([refused], { retryIn: hour });
    deepStrictEqual(await world.standing(confirmed), ['delivered', 1]);
    deepStrictEqual(await world.standing(refused), ['waiting', 1]);
    deepStrictEqual(await world.take(), { claimed: [], abandoned: [] });
    deepStrictEqual([await world.ends(confirmed), await world.ends(refused)], [[200], [500]]);
  }),
  'of settling and taking over a lapsed lease at once one counts': beside(async (world) => {
    const first = await lapsed(world);
    const [, taken] = await Promise.all([
      world.settle([first], 'delivered', answered(200)),
      race((index) => world.take({ worker: `worker-${index}` })),
    ]);
    const [state, counted] = await world.standing(first);
    strictEqual(counted, 1);
    strictEqual(taken.flatMap(({ abandoned }) => abandoned).length, state === 'delivered' ? 0 : 1);
    deepStrictEqual((await world.ends(first)).toSorted(), state === 'delivered' ? [200] : [200, 'abandoned']);
  }),

  'what is given back is there at once, for anybody, and was no attempt': beside(async (world) => {
    await world.deliver(2);
    const claims = await world.claim();
    await world.storage.queue.release(claims);
    const again = await world.claim({ worker: 'worker-2' });
    deepStrictEqual(
      again.map(({ deliveryId, attempt }) => [deliveryId, attempt]).toSorted(),
      claims.map(({ deliveryId }) => [deliveryId, 1]).toSorted(),
    );
    for (const { lease } of again) ok(!claims.some((claim) => claim.lease === lease), 'no lease is given out twice');
    // Given back again, and too late: the leases are another's.
    await world.storage.queue.release(claims);
    deepStrictEqual(await world.claim({ worker: 'worker-3' }), []);
    for (const claim of claims) deepStrictEqual(await world.attempts(claim), []);
    deepStrictEqual(
      (await deliveriesOf(world.storage, ours)).map(({ state, attempts }) => [state, attempts]),
      [
        ['waiting', 0],
        ['waiting', 0],
      ],
    );
  }),
  'what is given back stands in line where it stood': beside(async (world) => {
    const order: string[] = [];
    for (let nth = 0; nth < 3; nth++) {
      order.push(...(await world.deliver(1)).map(({ id }) => id));
      await world.elapse(minute);
    }
    await world.storage.queue.release(await world.claim({ limit: 1 }));
    const { oldestDue } = await world.storage.log.countBacklog(ours);
    ok((oldestDue ?? 0) >= 3 * minute - slack, 'it has been due all the time');
    for (const id of order) strictEqual((await world.claim({ limit: 1 }))[0]?.event.id, id);
  }),
};
