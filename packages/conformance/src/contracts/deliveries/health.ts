import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { type DurationMs, hour, minute } from '@partnerkit/core';
import { type FailingEndpoint, type StoredHealth, shardOf } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { pending } from '../support/acts.ts';
import { type Cases, whateverTheClocks } from '../support/contract.ts';
import { race } from '../support/racers.ts';
import { endpoint, newId, ours, theirs } from '../support/records.ts';
import { slack } from '../support/store-time.ts';
import { beside, type World } from '../support/world.ts';

export const sick: StoredHealth = {
  failures: 7,
  failingFor: 3 * hour,
  isExhausted: true,
  openCount: 2,
  openFor: 2 * hour,
  retryAfterFor: 30 * minute,
  lastFailure: { objectName: 'RequestPayment', type: 'payed', eventId: newId(), outcome: 503 },
};

/** The health of our endpoint, as its owner reads it. */
const healthOf = async ({ storage: { deliveries } }: World): Promise<StoredHealth | undefined> =>
  (await deliveries.readEndpoints([ours], 0)).endpoints[0]?.health;

const health = ({ endpoint: { id } }: World, version: number, change?: Partial<StoredHealth>) => ({
  health: [{ accountId: ours, endpointId: id, version, ...(change ? { health: { ...sick, ...change } } : {}) }],
});

const healthPasses = async (world: World): Promise<void> => {
  await world.settle(health(world, 1, {}));
  const lengths: readonly (keyof StoredHealth)[] = ['failingFor', 'openFor', 'retryAfterFor'];
  const expectHealth = async (...expected: readonly DurationMs[]): Promise<void> => {
    const found = { ...(await healthOf(world)) };
    for (const [index, name] of lengths.entries()) {
      const off = Math.abs(Number(found[name]) - (expected[index] as number));
      ok(off <= slack, `${name} is ${found[name]}, not ${expected[index]}`);
    }
    const { failures, isExhausted, openCount, lastFailure } = found;
    const kept = { failures: 7, isExhausted: true, openCount: 2, lastFailure: sick.lastFailure };
    deepStrictEqual({ failures, isExhausted, openCount, lastFailure }, kept);
  };
  await expectHealth(3 * hour, 2 * hour, 30 * minute);
  await world.elapse(hour);
  await expectHealth(4 * hour, hour, 0);
};

/** Failing and disabled endpoints. */
export const healthCases: Cases<StorageFixture> = {
  ...whateverTheClocks('health is reported as durations up to now', beside(healthPasses)),
  'health is written only for the current version of an enabled endpoint': beside(async (world) => {
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
  'the last failure of an endpoint is the one written last, and none when none was written': beside(async (world) => {
    const { lastFailure, ...none } = sick;
    const last = async (change: StoredHealth) => {
      const { id: endpointId } = world.endpoint;
      await world.settle({ health: [{ accountId: ours, endpointId, version: 1, health: change }] });
      return (await healthOf(world))?.lastFailure;
    };
    ok(lastFailure);
    const timeout = { ...lastFailure, eventId: newId(), outcome: 'timeout' } as const;
    deepStrictEqual(await last(sick), lastFailure);
    deepStrictEqual(await last({ ...sick, failures: 8, lastFailure: timeout }), timeout);
    const { endpoints } = await world.storage.log.readFailing(0, { limit: 100 });
    deepStrictEqual(endpoints.find(({ endpointId }) => endpointId === world.endpoint.id)?.lastFailure, timeout);
    deepStrictEqual(await last(none), undefined);
    ok(!Object.hasOwn((await healthOf(world)) ?? {}, 'lastFailure'), 'absent, not empty');
  }),
  'an endpoint that is resumed is not paused, and has the rest of its health': beside(async (world) => {
    const { storage, endpoint: own } = world;
    const resume = (accountId = ours, version = 1, id = own.id) =>
      storage.endpoints.resumeEndpoint(accountId, id, version);
    await world.settle(health(world, 1, {}));
    const before = await healthOf(world);
    for (const refused of [resume(theirs), resume(ours, 2), resume(ours, 1, newId()), resume(ours, 1, 'none')])
      strictEqual(await refused, false);
    ok(before && (await healthOf(world))?.openFor !== 0, 'a refused call changes nothing');
    strictEqual(await resume(), true);
    const { failingFor = 0, ...after } = (await healthOf(world)) ?? {};
    const { failingFor: failedFor, ...rest } = before;
    deepStrictEqual(after, { ...rest, openFor: 0, retryAfterFor: 0 });
    ok(Math.abs(failingFor - failedFor) <= slack, `failing for ${failingFor}, not ${failedFor}`);
    deepStrictEqual(await storage.endpoints.findEndpoint(ours, own.id), { ...own, version: 2 });
    // The owner of the shard knows the old version: it does not bring the pause back.
    await world.settle(health(world, 1, {}));
    strictEqual((await healthOf(world))?.openFor, 0);
    const won = (await race(() => resume(ours, 2))).filter(Boolean);
    deepStrictEqual([won.length, (await storage.endpoints.findEndpoint(ours, own.id))?.version], [1, 3]);
  }),
  'an endpoint is disabled once, at its current version, and keeps its pending deliveries': beside(async (world) => {
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
  'the health of an endpoint is read while it fails or is disabled, by its own account only': beside(async (world) => {
    const { storage, endpoint: own } = world;
    const [before, other, ofHost] = [await world.storeNow(), endpoint(), endpoint()];
    for (const each of [other, ofHost]) await storage.endpoints.insertEndpoint(each, 20);
    const ids = [own.id, other.id, ofHost.id, newId(), 'none'];
    const read = (accountId = ours) => storage.endpoints.readHealth(accountId, ids);
    deepStrictEqual(await read(), []);
    await world.settle(health(world, 1, {}));
    const [failing, ...none] = await read();
    const { failingSince = 0, pausedUntil = 0, ...rest } = failing ?? {};
    deepStrictEqual([rest, none], [{ endpointId: own.id, failures: 7 }, []]);
    ok(Math.abs(failingSince - (before - 3 * hour)) <= slack, `failing since ${failingSince}, by ${before}`);
    ok(Math.abs(pausedUntil - (before + 2 * hour)) <= slack, `paused until ${pausedUntil}, by ${before}`);
    deepStrictEqual(await read(theirs), []);
    const transition = { shard: shardOf(ours), accountId: ours, endpointId: own.id };
    await world.settle({ transitions: [{ ...transition, disable: { version: 1, reason: 'gone' } }] });
    await storage.endpoints.replaceEndpoint({ ...other, state: 'disabled' });
    await storage.endpoints.replaceEndpoint({ ...ofHost, state: 'disabled', disabledBy: 'host' });
    const disabled = new Map((await read()).map(({ endpointId, ...each }) => [endpointId, each]));
    for (const [id, disabledBy] of [
      [own.id, 'gone'],
      [other.id, 'partner'],
      [ofHost.id, 'host'],
    ] as const) {
      const { disabledSince = 0, ...found } = disabled.get(id) ?? {};
      deepStrictEqual(found, { failures: 0, disabledBy });
      ok(Math.abs(disabledSince - before) <= slack, `disabled since ${disabledSince}, by ${before}`);
    }
  }),
  'failures that go on keep their start, which is written a moment earlier or later each time': beside(
    async (world) => {
      const { storage, endpoint: own } = world;
      const since = async () => (await storage.endpoints.readHealth(ours, [own.id]))[0]?.failingSince;
      const write = async (failingFor?: DurationMs) => {
        await world.settle(health(world, 1, failingFor === undefined ? undefined : { failingFor }));
        return since();
      };
      const first = await write(3 * hour);
      ok(first !== undefined);
      for (const failingFor of [3 * hour + 20_000, 3 * hour - 20_000]) strictEqual(await write(failingFor), first);
      const later = (await write(hour)) ?? first;
      ok(Math.abs(later - first - 2 * hour) <= slack, `failing since ${later}, two hours after ${first}`);
      await write();
      strictEqual(await since(), undefined);
    },
  ),
  'endpoints that fail for long are read page by page, each once, if their breaker is open': beside(async (world) => {
    const { storage, endpoint: own } = world;
    const failing = async (accountId: string, change: Partial<StoredHealth>) => {
      const { id, version } = endpoint({ accountId });
      await storage.endpoints.insertEndpoint(endpoint({ accountId, id, version }), 20);
      await world.settle({ health: [{ accountId, endpointId: id, version, health: { ...sick, ...change } }] });
      return id;
    };
    const read = async (limit: number, failingFor: DurationMs) => {
      const found: FailingEndpoint[] = [];
      let page = await storage.log.readFailing(failingFor, { limit });
      found.push(...page.endpoints);
      while (page.next) {
        page = await storage.log.readFailing(failingFor, { limit, after: page.next });
        found.push(...page.endpoints);
      }
      return found;
    };
    deepStrictEqual(await read(10, 0), []);
    await world.settle(health(world, 1, { failingFor: 5 * hour }));
    const ids = [own.id, await failing('acc_n', {}), await failing(ours, {}), await failing('acc_n', { failures: 5 })];
    const soon = await failing(ours, { failingFor: hour });
    await failing(ours, { openCount: 0 });
    for (const limit of [1, 2, 100])
      deepStrictEqual((await read(limit, 2 * hour)).map(({ endpointId }) => endpointId).sort(), ids.toSorted());
    ok((await read(100, 30 * minute)).some(({ endpointId }) => endpointId === soon));
    const [{ failingSince, ...found } = {} as never] = await read(100, 4 * hour);
    deepStrictEqual(found, { accountId: ours, endpointId: own.id, failures: 7, lastFailure: sick.lastFailure });
    strictEqual(failingSince, (await storage.endpoints.readHealth(ours, [own.id]))[0]?.failingSince);
    const disable = { version: 1, reason: 'failing' as const };
    await world.settle({ transitions: [{ shard: shardOf(ours), accountId: ours, endpointId: own.id, disable }] });
    deepStrictEqual(await read(100, 4 * hour), []);
  }),
  'exactly one of a simultaneous disabling and change of an endpoint succeeds': beside(
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
