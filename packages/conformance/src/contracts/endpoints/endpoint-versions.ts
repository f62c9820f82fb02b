import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { type Endpoint, shardOf } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { answered, logged, pending, settlementOf } from '../support/acts.ts';
import type { Cases } from '../support/contract.ts';
import { race } from '../support/racers.ts';
import { endpoint, inShardOf, ours, theirs } from '../support/records.ts';
import { stored } from '../support/stored.ts';
import { beside, type World } from '../support/world.ts';

/** What a worker learns that knows a version. */
const changesSince = async ({ storage }: StorageFixture, knownVersion: number) => {
  const { endpointVersion, changedShards } = await storage.deliveries.readEndpoints([], knownVersion);
  return { endpointVersion, changedShards };
};

/** Asserts that `act` raises the version, with a change in the shard of the account and in no other. */
const changes = async (fixture: StorageFixture, accountId: string, act: () => Promise<unknown>): Promise<void> => {
  const { endpointVersion: before } = await changesSince(fixture, 0);
  await act();
  const { endpointVersion, changedShards } = await changesSince(fixture, before);
  ok(endpointVersion > before, 'the version grew');
  deepStrictEqual(changedShards, [shardOf(accountId)]);
  deepStrictEqual(await changesSince(fixture, endpointVersion), { endpointVersion, changedShards: [] });
};
const includesChildren = async ({ storage }: StorageFixture): Promise<boolean> =>
  (await storage.deliveries.readEndpoints([], 0)).hasIncludeChildren;

/** How workers detect changed endpoints, and what happens to deliveries. */
export const endpointVersionCases: Cases<StorageFixture> = {
  'each change of an endpoint is told once: the version grows, and its shard has changed': async (fixture) => {
    const { endpoints, deliveries, shards } = fixture.storage;
    await shards.join('worker', 1_000);
    for (const accountId of [ours, theirs]) {
      const own = endpoint({ accountId });
      const transition = { shard: shardOf(accountId), accountId, endpointId: own.id };
      await changes(fixture, accountId, () => endpoints.insertEndpoint(own, 1));
      await changes(fixture, accountId, () => endpoints.replaceEndpoint({ ...own, label: 'changed' }));
      await changes(fixture, accountId, () => endpoints.resumeEndpoint(accountId, own.id, 2));
      await changes(fixture, accountId, () =>
        deliveries.settle(
          'worker',
          settlementOf({ transitions: [{ ...transition, disable: { version: 3, reason: 'gone' } }] }),
          0,
        ),
      );
      await changes(fixture, accountId, () => endpoints.deleteEndpoint(accountId, own.id));
    }
  },
  'a refused change raises no version': async (fixture) => {
    const { endpoints } = fixture.storage;
    const own = endpoint();
    await endpoints.insertEndpoint(own, 1);
    const before = await changesSince(fixture, 0);
    strictEqual(await endpoints.insertEndpoint(endpoint(), 1), false);
    strictEqual(await endpoints.replaceEndpoint({ ...own, version: 7 }), false);
    strictEqual(await endpoints.resumeEndpoint(ours, own.id, 7), false);
    strictEqual(await endpoints.resumeEndpoint(theirs, own.id, 1), false);
    strictEqual(await endpoints.deleteEndpoint(theirs, own.id), false);
    await endpoints.insertEndpoint({ ...own, accountId: inShardOf(theirs, 'acc_') }, 20).catch(() => undefined);
    deepStrictEqual(await changesSince(fixture, 0), before);
  },
  'a worker that reads beside simultaneous changes learns of each': async (fixture) => {
    const { endpoints } = fixture.storage;
    const accounts = Array.from({ length: 30 }, (_, index) => `acc_${index}`);
    const told = new Set<number>();
    let known = 0;
    let isDone = false;
    const read = async (): Promise<void> => {
      const { endpointVersion, changedShards } = await changesSince(fixture, known);
      ok(endpointVersion >= known, 'the version never falls');
      known = endpointVersion;
      for (const shard of changedShards) told.add(shard);
    };
    const reading = (async () => {
      while (!isDone) await read();
    })();
    try {
      await race((index) => endpoints.insertEndpoint(endpoint({ accountId: accounts[index] ?? ours }), 1), 30);
    } finally {
      isDone = true;
      await reading;
    }
    await read();
    deepStrictEqual(told, new Set(accounts.map(shardOf)));
  },
  'a worker reads whether any endpoint includes children, except those its partner disabled': async (fixture) => {
    const { endpoints } = fixture.storage;
    let [own, other] = [endpoint({ includeChildren: true }), endpoint({ accountId: theirs })];
    const replace = async (stored: Endpoint, change: Partial<Endpoint>): Promise<Endpoint> => {
      ok(await endpoints.replaceEndpoint({ ...stored, ...change }));
      return { ...stored, ...change, version: stored.version + 1 };
    };
    strictEqual(await includesChildren(fixture), false);
    for (const each of [own, other]) await endpoints.insertEndpoint(each, 20);
    strictEqual(await includesChildren(fixture), true);
    own = await replace(own, { state: 'disabled' });
    strictEqual(await includesChildren(fixture), false);
    other = await replace(other, { includeChildren: true, state: 'disabled_by_breaker' });
    strictEqual(await includesChildren(fixture), true);
    other = await replace(other, { includeChildren: false });
    strictEqual(await includesChildren(fixture), false);
    own = await replace(own, { state: 'enabled' });
    strictEqual(await includesChildren(fixture), true);
    await endpoints.deleteEndpoint(ours, own.id);
    strictEqual(await includesChildren(fixture), false);
  },
  'pending deliveries are held while their endpoint is disabled, expire with it, and do not change': beside(
    async (world) => {
      const { storage } = world;
      const [waits, done] = await world.deliver(2);
      await world.settle({
        attempts: [logged(done, 1, answered(200), 'delivered')],
        pending: [pending(waits, { attempts: 1, logged: 1 })],
      });
      const before = await world.queued();
      const states = async () => (await stored(storage, ours)).deliveries.map(({ state }) => state);
      for (const state of ['disabled', 'disabled_by_breaker', 'disabled'] as const) {
        await world.change({ state });
        deepStrictEqual(await states(), ['held', 'delivered']);
      }
      await world.change({ state: 'enabled' });
      deepStrictEqual([await states(), await world.queued()], [['waiting', 'delivered'], before]);
      await storage.endpoints.deleteEndpoint(ours, world.endpoint.id);
      deepStrictEqual(await states(), ['expired', 'delivered']);
    },
  ),
  'health is deleted when its endpoint is disabled, and when it is enabled': beside(async (world: World) => {
    const { endpoint: own, storage } = world;
    const health = { failures: 3, failingFor: 0, isExhausted: false, openCount: 0, openFor: 0, retryAfterFor: 0 };
    const write = async (version: number) =>
      world.settle({ health: [{ accountId: ours, endpointId: own.id, version, health }] });
    const failures = async () => (await stored(storage, ours)).endpoints.map((each) => each.failures);
    await write(1);
    await world.change({ label: 'changed' });
    deepStrictEqual(await failures(), [3]);
    await world.change({ state: 'disabled' });
    deepStrictEqual(await failures(), [0]);
    await world.change({ state: 'enabled' });
    deepStrictEqual(await failures(), [0]);
    await write(4);
    deepStrictEqual(await failures(), [3]);
  }),
};
