import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { type ClaimedDelivery, type ClaimRequest, hour, type Storage } from '@partnerkit/core';
import type { Cases } from './contract.ts';
import { race } from './racers.ts';
import { endpoint, event, ours, theirs } from './records.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { beside, dispatchAll, events, publish, want } from './world.ts';

/** So many endpoints of an account, at each of which so many deliveries wait. */
const crowd = async (
  storage: Storage<object>,
  accountId: string,
  endpoints: number,
  deliveries: number,
): Promise<void> => {
  for (let count = 0; count < endpoints; count++)
    await storage.endpoints.insertEndpoint(endpoint({ accountId }), endpoints);
  await publish(storage, events(deliveries, { accountId }));
  await dispatchAll(storage);
};

const claim = async ({ queue }: Storage<object>, change?: Partial<ClaimRequest>): Promise<readonly ClaimedDelivery[]> =>
  (await queue.claim(want(change))).claimed;

const countBy = (claims: readonly ClaimedDelivery[], keyOf: (claim: ClaimedDelivery) => string) => {
  const counts = new Map<string, number>();
  for (const claim of claims) counts.set(keyOf(claim), (counts.get(keyOf(claim)) ?? 0) + 1);
  return counts;
};
const endpointOf = (claim: ClaimedDelivery): string => claim.endpoint.id;
const accountOf = (claim: ClaimedDelivery): string => claim.event.accountId;
const assertAtMost = (counts: ReadonlyMap<string, number>, most: number): void => {
  for (const [key, count] of counts) ok(count <= most, `${count} leases of ${key}; ${most} are allowed`);
};

/** Who is given what. @internal */
export const claimingCases: Cases<StorageFixture> = {
  'at most so many are claimed as were asked for': async ({ storage }) => {
    await crowd(storage, ours, 1, 5);
    await crowd(storage, theirs, 1, 5);
    deepStrictEqual(await claim(storage, { limit: 0 }), []);
    strictEqual((await claim(storage, { limit: 4 })).length, 4);
    strictEqual((await claim(storage)).length, 6);
    deepStrictEqual(await claim(storage), []);
  },
  'a crowded endpoint delays no other': async ({ storage }) => {
    await crowd(storage, ours, 1, 60);
    await crowd(storage, theirs, 1, 2);
    const later = await claim(storage, { limit: 10 });
    strictEqual(later.filter((claim) => accountOf(claim) === theirs).length, 2);
    strictEqual(later.length, 10);
  },
  'an account with many crowded endpoints delays no other': async ({ storage }) => {
    await crowd(storage, ours, 20, 6);
    await crowd(storage, theirs, 1, 1);
    let before = 0;
    for (;;) {
      const claims = await claim(storage, { limit: 5, perAccount: 200 });
      strictEqual(claims.length, 5);
      if (claims.some((claim) => accountOf(claim) === theirs)) break;
      before += claims.length;
      ok(before < 60, `after ${before} of 120 deliveries of one account the other still waits`);
    }
  },
  'an endpoint at its cap delays no other': async ({ storage }) => {
    await crowd(storage, ours, 1, 40);
    const caps = { perEndpoint: 2, limit: 2 };
    strictEqual((await claim(storage, caps)).length, 2);
    await crowd(storage, theirs, 1, 1);
    const [next, ...more] = await claim(storage, caps);
    strictEqual(next?.event.accountId, theirs);
    strictEqual(more.length, 0);
  },
  'an account at its cap delays no other': async ({ storage }) => {
    await crowd(storage, ours, 3, 20);
    const caps = { perAccount: 2, limit: 2 };
    strictEqual((await claim(storage, caps)).length, 2);
    await crowd(storage, theirs, 1, 1);
    const [next, ...more] = await claim(storage, caps);
    strictEqual(next?.event.accountId, theirs);
    strictEqual(more.length, 0);
  },

  'the cap of an endpoint counts over all workers, at once or one after another': async ({ storage }) => {
    await crowd(storage, ours, 2, 20);
    await crowd(storage, theirs, 1, 20);
    const caps = { perEndpoint: 3, limit: 4 };
    const claims = (await race((index) => claim(storage, { ...caps, worker: `worker-${index}` }))).flat();
    assertAtMost(countBy(claims, endpointOf), 3);
    const more = await claim(storage, { ...caps, worker: 'worker-99', limit: 100 });
    deepStrictEqual([...countBy([...claims, ...more], endpointOf).values()], [3, 3, 3]);
  },
  'the cap of an account counts for each worker': async ({ storage }) => {
    await crowd(storage, ours, 2, 20);
    await crowd(storage, theirs, 1, 20);
    for (const worker of ['worker-1', 'worker-2']) {
      const claims = await claim(storage, { worker, perAccount: 3 });
      deepStrictEqual([...countBy(claims, accountOf)].toSorted(), [
        [ours, 3],
        [theirs, 3],
      ]);
      deepStrictEqual(await claim(storage, { worker, perAccount: 3 }), []);
    }
  },
  'a lease that was settled, given back, or has lapsed leaves room under the caps': beside(async (world) => {
    await world.deliver(8);
    for (const caps of [{ perEndpoint: 1 }, { perAccount: 1 }]) {
      const settled = await world.claimOne(caps);
      deepStrictEqual(await world.claim(caps), []);
      await world.settle([settled], { retryIn: 5 * hour });
      const released = await world.claimOne(caps);
      await world.storage.queue.release([released]);
      await world.claimOne(caps);
      await world.elapse(hour);
      await world.settle([await world.claimOne(caps)], 'delivered');
    }
  }),

  'of many that claim at once each delivery goes to one': async ({ storage }) => {
    await crowd(storage, ours, 3, 20);
    await crowd(storage, theirs, 2, 20);
    const claims = (await race((index) => claim(storage, { worker: `worker-${index}`, limit: 7 }))).flat();
    const rest = await claim(storage);
    const all = [...claims, ...rest];
    strictEqual(all.length, 100);
    strictEqual(new Set(all.map(({ deliveryId }) => deliveryId)).size, 100);
    strictEqual(new Set(all.map(({ lease }) => lease)).size, 100);
  },
  'of many that dispatch and claim at once each delivery goes to one': async ({ storage }) => {
    for (const accountId of [ours, theirs]) await storage.endpoints.insertEndpoint(endpoint({ accountId }), 20);
    const claims = await race(async (index) => {
      const accountId = index % 2 ? ours : theirs;
      await publish(storage, [event({ accountId }), event({ accountId })]);
      const request = want({ worker: `worker-${index}`, limit: 2 });
      const { claimed } = await storage.queue.dispatch(request);
      return [...claimed, ...(await claim(storage, request))];
    });
    await dispatchAll(storage);
    const all = [...claims.flat(), ...(await claim(storage))];
    strictEqual(all.length, 40);
    strictEqual(new Set(all.map(({ deliveryId }) => deliveryId)).size, 40);
  },
};
