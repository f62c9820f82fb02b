import { deepStrictEqual, strictEqual } from 'node:assert';
import { day, type Pruned } from '@partnerkit/core';
import { type Cases, whateverTheClocks } from './contract.ts';
import { limits, pruneAll, setState, statesOf, world } from './old-world.ts';
import { race } from './racers.ts';
import { event, ours, theirs } from './records.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { slack } from './store-time.ts';
import { dispatchAll, publish, want } from './world.ts';

const expiresInTime = async (fixture: StorageFixture): Promise<void> => {
  const { storage, elapse } = fixture;
  const { own } = await world(fixture, 3);
  await elapse(day);
  await setState(storage, own, 'disabled');
  await elapse(limits.held - slack);
  deepStrictEqual(await pruneAll(storage), []);
  await elapse(slack);
  deepStrictEqual(await pruneAll(storage), [[own.id, 3]]);
  deepStrictEqual(await statesOf(storage, ours), ['expired', 'expired', 'expired']);
  deepStrictEqual(await statesOf(storage, theirs), ['waiting', 'waiting', 'waiting']);
};

/** What becomes of deliveries that are held for too long. @internal */
export const expiringCases: Cases<StorageFixture> = {
  'what is held for too long expires, and is told by endpoint': expiresInTime,
  ...whateverTheClocks('what is held for too long expires', expiresInTime),
  'what was held is counted from when it was held, whoever disabled the endpoint': async (fixture) => {
    const { storage, elapse } = fixture;
    const { own } = await world(fixture, 1);
    await setState(storage, own, 'disabled_by_breaker');
    await elapse(7 * day);
    // Still held, and not again.
    await setState(storage, own, 'disabled');
    await setState(storage, own, 'disabled_by_breaker');
    await publish(storage, [event()]);
    await dispatchAll(storage);
    await elapse(7 * day);
    deepStrictEqual(await pruneAll(storage), [[own.id, 1]]);
    deepStrictEqual(await statesOf(storage, ours), ['expired', 'held']);
    await setState(storage, own, 'enabled');
    await elapse(8 * day);
    deepStrictEqual(await pruneAll(storage), []);
    await setState(storage, own, 'disabled');
    await elapse(13 * day);
    deepStrictEqual(await pruneAll(storage), []);
    await elapse(day);
    deepStrictEqual(await pruneAll(storage), [[own.id, 1]]);
  },
  'what expired is not sent when its endpoint is enabled': async (fixture) => {
    const { storage, elapse } = fixture;
    const { own } = await world(fixture, 2);
    await setState(storage, own, 'disabled');
    await elapse(limits.held);
    await pruneAll(storage);
    await setState(storage, own, 'enabled');
    const { claimed } = await storage.queue.claim(want());
    strictEqual(claimed.filter((each) => each.endpoint.id === own.id).length, 0);
  },
  'a call prunes no more than it may, and says that there is more': async (fixture) => {
    const { storage, elapse } = fixture;
    const { own, other } = await world(fixture, 7);
    for (const each of [own, other]) await setState(storage, each, 'disabled');
    await elapse(limits.held);
    const first: Pruned = await storage.queue.prune({ ...limits, most: 4 });
    strictEqual(
      first.expired.reduce((sum, { deliveries }) => sum + deliveries, 0),
      4,
    );
    strictEqual(first.more, true);
    const rest = await pruneAll(storage, { most: 4 });
    const all = [...first.expired.map(({ endpointId, deliveries }) => [endpointId, deliveries] as const), ...rest];
    for (const { id } of [own, other])
      strictEqual(
        all.reduce((sum, [endpointId, count]) => sum + (endpointId === id ? count : 0), 0),
        7,
      );
    deepStrictEqual(await storage.queue.prune(limits), { expired: [], more: false });
  },
  'an endpoint is told with its account': async (fixture) => {
    const { storage, elapse } = fixture;
    const { own, other } = await world(fixture, 2);
    for (const each of [own, other]) await setState(storage, each, 'disabled');
    await elapse(limits.held);
    const { expired } = await storage.queue.prune(limits);
    deepStrictEqual(
      expired.toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1)),
      [own, other].map(({ accountId, id }) => ({ accountId, endpointId: id, deliveries: 2 })),
    );
  },
  'of many that prune at once each delivery that expires is told by one': async (fixture) => {
    const { storage, elapse } = fixture;
    const { own } = await world(fixture, 30);
    await setState(storage, own, 'disabled');
    await elapse(limits.held);
    const pruned = await race(() => storage.queue.prune({ ...limits, most: 4 }));
    const told = pruned.flatMap(({ expired }) => expired.map(({ deliveries }) => deliveries));
    const rest = await pruneAll(storage);
    strictEqual(
      [...told, ...rest.map(([, count]) => count)].reduce((sum, count) => sum + count, 0),
      30,
    );
    deepStrictEqual(new Set(await statesOf(storage, ours)), new Set(['expired']));
  },
  'of enabling and pruning at once a delivery that is told to have expired is not sent': async (fixture) => {
    const { storage, elapse } = fixture;
    const { own } = await world(fixture, 20);
    await setState(storage, own, 'disabled');
    await elapse(limits.held);
    const [pruned] = await Promise.all([
      storage.queue.prune({ ...limits, most: 10 }),
      setState(storage, own, 'enabled'),
    ]);
    const told = pruned.expired.reduce((sum, { deliveries }) => sum + deliveries, 0);
    const states = await statesOf(storage, ours);
    strictEqual(states.filter((state) => state === 'expired').length, told);
    strictEqual(states.filter((state) => state === 'waiting').length, 20 - told);
  },
};
