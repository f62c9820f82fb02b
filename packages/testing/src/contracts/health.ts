import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { type DurationMs, hour, minute, type StoredHealth, shardOf } from '@partnerkit/core';
import { pending } from './acts.ts';
import { type Cases, whateverTheClocks } from './contract.ts';
import { race } from './racers.ts';
import { newId, ours } from './records.ts';
import type { StorageFixture } from './storage-fixture.ts';
import { slack } from './store-time.ts';
import { beside, type World } from './world.ts';

/** @internal */
export const sick: StoredHealth = {
  failures: 7,
  failingFor: 3 * hour,
  isExhausted: true,
  openCount: 2,
  openFor: 2 * hour,
  retryAfterFor: 30 * minute,
};

/** The health of our endpoint, as its owner reads it. */
const healthOf = async ({ storage: { deliveries } }: World): Promise<StoredHealth | undefined> =>
  (await deliveries.readEndpoints([ours], [])).endpoints[0]?.health;

const health = ({ endpoint: { id } }: World, version: number, change?: Partial<StoredHealth>) => ({
  health: [{ accountId: ours, endpointId: id, version, ...(change ? { health: { ...sick, ...change } } : {}) }],
});

const healthPasses = async (world: World): Promise<void> => {
  await world.settle(health(world, 1, {}));
  const lengths: readonly (keyof StoredHealth)[] = ['failingFor', 'openFor', 'retryAfterFor'];
  const told = async (...expected: readonly DurationMs[]): Promise<void> => {
    const found = { ...(await healthOf(world)) };
    for (const [index, name] of lengths.entries()) {
      const off = Math.abs(Number(found[name]) - (expected[index] as number));
      ok(off <= slack, `${name} is ${found[name]}, not ${expected[index]}`);
    }
    const { failures, isExhausted, openCount } = found;
    deepStrictEqual({ failures, isExhausted, openCount }, { failures: 7, isExhausted: true, openCount: 2 });
  };
  await told(3 * hour, 2 * hour, 30 * minute);
  await world.elapse(hour);
  await told(4 * hour, hour, 0);
};

/** How endpoints fail, and are disabled. @internal */
export const healthCases: Cases<StorageFixture> = {
  ...whateverTheClocks('health is told in lengths of time up to now', beside(healthPasses)),
  'health is written while its endpoint is enabled and has its version': beside(async (world) => {
    const failures = async () => (await healthOf(world))?.failures;
    const write = async (version: number, change?: Partial<StoredHealth>) => {
      await world.settle(health(world, version, change));
      return failures();
    };
    strictEqual(await write(2, {}), undefined);
    strictEqual(await write(1, { failures: 1 }), 1);
    await world.change({ label: 'changed' });
    strictEqual(await write(1, { failures: 2 }), 1);
    strictEqual(await write(1), 1);
    strictEqual(await write(2, { failures: 3 }), 3);
    strictEqual(await write(2), undefined);
    await world.change({ state: 'disabled' });
    strictEqual(await write(3, { failures: 4 }), undefined);
  }),
  'an endpoint is disabled once, while it has its version; what it has pending stays': beside(async (world) => {
    const { storage, deliver, endpoint: own } = world;
    const [first, second] = await deliver(2);
    const transition = { shard: shardOf(ours), accountId: ours, endpointId: own.id };
    const disable = (version: number) => ({ ...transition, disable: { version, reason: 'gone' as const } });
    await world.settle({ pending: [pending(first)], ...health(world, 1, {}) });
    const settled = await world.settle({
      pending: [pending(second)],
      transitions: [transition, disable(2), { ...disable(1), endpointId: newId() }],
    });
    deepStrictEqual(settled.transitions, [
      { isDisabled: false, pending: 2 },
      { isDisabled: false, pending: 2 },
      { isDisabled: false, pending: 0 },
    ]);
    deepStrictEqual(await storage.endpoints.findEndpoint(ours, own.id), own);
    for (const isDisabled of [true, false])
      deepStrictEqual((await world.settle({ transitions: [disable(1)] })).transitions, [{ isDisabled, pending: 2 }]);
    const disabled = { ...own, state: 'disabled_by_breaker', version: 2 };
    deepStrictEqual(await storage.endpoints.findEndpoint(ours, own.id), disabled);
    deepStrictEqual([await healthOf(world), (await world.queued()).length], [undefined, 2]);
    const { endpoint: found } = await storage.log.readExplainSnapshot(ours, first.eventId, own.id);
    deepStrictEqual(found, { disabledBy: 'gone' });
  }),
  'of disabling and changing an endpoint at once exactly one wins': beside(
    async ({ storage, settle, endpoint: own }) => {
      const disable = { version: 1, reason: 'failing' } as const;
      const [{ transitions }, changed] = await Promise.all([
        settle({ transitions: [{ shard: shardOf(ours), accountId: ours, endpointId: own.id, disable }] }),
        race((index) => storage.endpoints.replaceEndpoint({ ...own, label: `${index}` })),
      ]);
      const won = [transitions[0]?.isDisabled, ...changed].filter(Boolean).length;
      const { state, version } = (await storage.endpoints.findEndpoint(ours, own.id)) ?? own;
      deepStrictEqual([won, version, state === 'enabled'], [1, 2, !transitions[0]?.isDisabled]);
    },
  ),
};
