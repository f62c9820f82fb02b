import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import { day, hour, minute, type TroubledEndpoint } from '@partnerkit/core';
import {
  type Endpoint,
  type HealthSnapshot,
  maxCountedOfEndpoint,
  type StoredHealth,
  shardCount,
} from '@partnerkit/core/adapter';
import { sick } from '../deliveries/health.ts';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import { dispatchAll, events, keyOf, lease, pending, publish, settle, takeShards, worker } from '../support/acts.ts';
import type { Cases } from '../support/contract.ts';
import { endpoint, ours, theirs } from '../support/records.ts';
import { slack } from '../support/store-time.ts';

const read = ({ storage }: StorageFixture): Promise<HealthSnapshot> => storage.log.readHealthSnapshot();

/** Stores an endpoint, and how it fails. */
const store = async (
  { storage }: StorageFixture,
  { health, ...change }: Partial<Endpoint> & { readonly health?: StoredHealth },
): Promise<Endpoint> => {
  const own = endpoint(change);
  await storage.endpoints.insertEndpoint(own, 100);
  const { accountId, id: endpointId, version } = own;
  if (health) await settle(storage, { health: [{ accountId, endpointId, version, health }] });
  return own;
};

/** Stores pending deliveries of an event to an endpoint: the first is due in `dueIn`, each other one a minute later. */
const wait = async (
  { storage }: StorageFixture,
  { accountId, id }: Endpoint,
  count: number,
  dueIn: number,
): Promise<void> => {
  const [published] = events(1, { accountId });
  ok(published);
  await publish(storage, [published]);
  await dispatchAll(storage, () => ({ endpointIds: [id] }));
  const rows = Array.from({ length: count }, (_, replay) =>
    pending(keyOf(published, id, replay), { dueIn: dueIn + replay * minute }),
  );
  for (let at = 0; at < count; at += 500) await settle(storage, { pending: rows.slice(at, at + 500) });
};

const near = (age: number | undefined, expected: number): void =>
  ok(age !== undefined && Math.abs(age - expected) <= slack, `${age} ms are not about ${expected}`);

const idsOf = (found: readonly TroubledEndpoint[]): readonly string[] => found.map(({ endpointId }) => endpointId);

/** What an operator asks first. */
export const healthSnapshotCases: Cases<StorageFixture> = {
  'the health of a new store: nothing waits or fails, and no shard has a worker': async (fixture) => {
    const { now, tables: _tables, ...snapshot } = await read(fixture);
    near(now, await fixture.storeNow());
    const none = { workers: [], freeShards: shardCount, failingEndpoints: 0, endpoints: [] };
    deepStrictEqual(snapshot, none);
    strictEqual(await fixture.storage.shards.hasWorkers(), false);
  },
  'health names each worker with its shards and the rest of its lease, also once it has expired': async (fixture) => {
    const { shards } = fixture.storage;
    await shards.join('a', hour);
    await shards.acquire('a', 100);
    await shards.join('b', 3 * hour);
    await shards.acquire('b', 20);
    await shards.heartbeat('b', 3 * hour, { shards: [], watermark: 0, settlement: 0, isStopping: true });
    const before = await read(fixture);
    const counted = before.workers.map(({ leaseLeft: _left, ...rest }) => rest);
    deepStrictEqual(counted, [
      { id: 'a', shards: 100, isStopping: false },
      { id: 'b', shards: 20, isStopping: true },
    ]);
    near(before.workers[0]?.leaseLeft, hour);
    near(before.workers[1]?.leaseLeft, 3 * hour);
    strictEqual(before.freeShards, 8);
    strictEqual(await shards.hasWorkers(), true);
    await fixture.elapse(2 * hour);
    const { workers, freeShards } = await read(fixture);
    deepStrictEqual(workers[0], { id: 'a', shards: 0, isStopping: false, leaseLeft: 0 });
    strictEqual(freeShards, 108);
    strictEqual(await shards.hasWorkers(), true);
    await fixture.elapse(2 * hour);
    strictEqual((await read(fixture)).freeShards, shardCount);
    strictEqual(await shards.hasWorkers(), false);
  },
  'health states the age of the oldest event that is not dispatched, of all accounts': async (fixture) => {
    const { storage } = fixture;
    await takeShards(storage);
    await publish(storage, events(1, { accountId: theirs }));
    await fixture.elapse(2 * hour);
    await publish(storage, events(1));
    near((await read(fixture)).oldestUndispatched, 2 * hour);
    await dispatchAll(storage);
    strictEqual((await read(fixture)).oldestUndispatched, undefined);
  },
  'the worst endpoints fail longest, of all accounts, with their failures and pause': async (fixture) => {
    await takeShards(fixture.storage);
    const late = await store(fixture, { health: { ...sick, failingFor: hour, openFor: 0, retryAfterFor: 0 } });
    const early = await store(fixture, {
      accountId: theirs,
      health: { ...sick, failingFor: 2 * day, openFor: hour, retryAfterFor: 2 * hour },
    });
    await store(fixture, {});
    const { endpoints, failingEndpoints, now } = await read(fixture);
    strictEqual(failingEndpoints, 2);
    const [first, second] = endpoints;
    near(first?.failingSince && now - first.failingSince, 2 * day);
    near(first?.pausedUntil && first.pausedUntil - now, 2 * hour);
    const { failingSince: _since, pausedUntil: _until, ...named } = first ?? {};
    deepStrictEqual(named, { accountId: theirs, endpointId: early.id, failures: 7, unfinished: 0 });
    const { failingSince: _other, ...unpaused } = second ?? {};
    deepStrictEqual(unpaused, { accountId: ours, endpointId: late.id, failures: 7, unfinished: 0 });
    strictEqual(endpoints.length, 2);
  },
  'lists of failing, disabled and late endpoints take turns, and name none twice': async (fixture) => {
    await takeShards(fixture.storage);
    const failing = await store(fixture, { health: { ...sick, failingFor: hour } });
    const [late, later, soon, gone] = [
      await store(fixture, {}),
      await store(fixture, {}),
      await store(fixture, {}),
      await store(fixture, {}),
    ];
    await wait(fixture, failing, 1, 5 * minute);
    await wait(fixture, late, 3, 2 * minute);
    await wait(fixture, later, 1, 3 * minute);
    await wait(fixture, soon, 1, day);
    await wait(fixture, gone, 2, 4 * minute);
    const { shard, accountId, endpointId } = keyOf(events(1)[0] as never, gone.id);
    const disable = { version: gone.version, reason: 'gone' } as const;
    await settle(fixture.storage, { transitions: [{ shard, accountId, endpointId, disable }] });
    await fixture.elapse(hour);
    const { endpoints, now } = await read(fixture);
    deepStrictEqual(idsOf(endpoints), [failing.id, gone.id, late.id, later.id]);
    const [paused, held, waiting] = endpoints;
    near(paused?.pausedUntil && paused.pausedUntil - now, hour);
    near(waiting?.oldestDue, 58 * minute);
    const { oldestDue: _held, ...disabled } = held ?? {};
    deepStrictEqual(disabled, { accountId: ours, endpointId: gone.id, failures: 0, disabledBy: 'gone', unfinished: 2 });
    strictEqual(waiting?.unfinished, 3);
  },
  'at most ten endpoints are named; their deliveries are counted up to the limit': async (fixture) => {
    await takeShards(fixture.storage);
    const failing: Endpoint[] = [];
    for (let nth = 0; nth < 12; nth++)
      failing.push(await store(fixture, { health: { ...sick, failingFor: (20 - nth) * hour } }));
    const [longest] = failing;
    ok(longest);
    await wait(fixture, longest, maxCountedOfEndpoint + 1, hour);
    const { endpoints, failingEndpoints } = await read(fixture);
    strictEqual(failingEndpoints, 12);
    deepStrictEqual(
      idsOf(endpoints),
      failing.slice(0, 10).map(({ id }) => id),
    );
    strictEqual(endpoints[0]?.unfinished, maxCountedOfEndpoint);
  },
  'health changes nothing: an expired worker keeps its row': async (fixture) => {
    await fixture.storage.shards.join(worker, minute);
    await fixture.elapse(hour);
    await read(fixture);
    await fixture.storage.shards.hasWorkers();
    const renewed = await fixture.storage.shards.heartbeat(worker, lease, {
      ...{ shards: [], watermark: 0, settlement: 0, isStopping: false },
    });
    ok(renewed !== 'fenced');
  },
};
