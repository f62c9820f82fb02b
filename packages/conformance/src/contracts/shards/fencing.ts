import { deepStrictEqual, fail, notDeepStrictEqual, ok, strictEqual } from 'node:assert';
import { minute } from '@partnerkit/core';
import { type DeliveryKey, type ShardedKey, type Storage, shardOf } from '@partnerkit/core/adapter';
import { announcedDispatch } from '../deliveries/announcing.ts';
import { sick } from '../deliveries/health.ts';
import type { StorageFixture } from '../storage/storage-fixture.ts';
import {
  allShards,
  answered,
  dispatchAll,
  dispatched,
  events,
  keyOf,
  lease,
  logged,
  pending,
  publish,
  readOutbox,
  settlementOf,
  worker,
} from '../support/acts.ts';
import type { Cases } from '../support/contract.ts';
import { race, racers } from '../support/racers.ts';
import { endpoint, event, ours, theirs } from '../support/records.ts';
import { stored } from '../support/stored.ts';
import { beside, type World } from '../support/world.ts';

const noWatermark = { shards: [], watermark: 0, settlement: 0, isStopping: false };

/** Every write of a worker. Each changes a row that `prepare` leaves. */
const writes: Readonly<
  Record<string, (world: World, workerId: string, fresh: ShardedKey, due: ShardedKey) => Promise<unknown>>
> = {
  acquire: ({ storage }, workerId) => storage.shards.acquire(workerId, 1),
  dispatch: async ({ storage, endpoint: { id } }, workerId) => {
    const [read] = await readOutbox(storage);
    ok(read, 'an event is in the outbox');
    return storage.deliveries.dispatch(
      workerId,
      [dispatched(read, { endpointIds: [id] })],
      [pending(keyOf(read, id))],
      0,
    );
  },
  'dispatch, of what was announced': async (world, workerId) => {
    const { dispatchAnnounced } = world.storage.deliveries;
    const [read] = await readOutbox(world.storage);
    ok(read, 'an event is in the outbox');
    return dispatchAnnounced
      ? dispatchAnnounced(workerId, [await announcedDispatch(world, read.id)], 0)
      : world.storage.deliveries.dispatch(workerId, [dispatched(read)], [], 0);
  },
  settle: ({ storage, endpoint: { id, version } }, workerId, fresh, due) =>
    storage.deliveries.settle(
      workerId,
      settlementOf({
        attempts: [logged(fresh, 1, answered(410))],
        pending: [pending(fresh)],
        finished: [due],
        transitions: [{ shard: shardOf(ours), accountId: ours, endpointId: id, disable: { version, reason: 'gone' } }],
      }),
      0,
    ),
  'settle, of what is queued': ({ storage }, workerId, _fresh, due) =>
    storage.deliveries.settle(workerId, settlementOf({ queued: [due] }), 0),
  'settle, of health': ({ storage, endpoint: { id, version } }, workerId) =>
    storage.deliveries.settle(
      workerId,
      settlementOf({ health: [{ accountId: ours, endpointId: id, version, health: sick }] }),
      0,
    ),
  recover: ({ storage }, workerId) =>
    storage.deliveries.recover(
      workerId,
      allShards.map((shard) => ({ shard, watermark: 0, wasAbandoned: true })),
    ),
  propagate: async ({ storage: { parents } }, workerId) => {
    const waiting = await parents.readPropagated([{ shard: shardOf(ours) }], 10);
    return parents.propagate(
      workerId,
      waiting.map((each) => ({ ...each, parentId: 'acc_parent' })),
    );
  },
};

/**
 * A delivery in the memory of its worker, one that is due, a propagated event, an event in the outbox, and a free
 * shard.
 */
const prepare = async ({ storage, deliver, settle }: World): Promise<readonly [ShardedKey, ShardedKey]> => {
  const [fresh, due] = await deliver(2);
  await settle({ pending: [pending(due, { state: 'scheduled' })] });
  await publish(storage, [event()]);
  await dispatchAll(storage, () => ({ propagates: true }));
  await publish(storage, [event()]);
  await storage.shards.release(worker, [shardOf(theirs)]);
  return [fresh, due];
};

/** Workers without a row, each lost in another way. */
const goneWorkers = async ({ storage: { shards }, elapse }: StorageFixture): Promise<readonly string[]> => {
  await shards.join('left', lease);
  await shards.leave('left');
  await shards.join('expired', minute);
  await elapse(minute);
  await shards.heartbeat(worker, lease, noWatermark);
  return ['left', 'expired', 'never-joined'];
};

const everything = async (storage: Storage<object>) => ({
  ours: await stored(storage, ours),
  members: await storage.shards.heartbeat(worker, lease, noWatermark),
});

const countLogged = async ({ log }: Storage<object>, keys: readonly DeliveryKey[]): Promise<number> =>
  (await Promise.all(keys.map((key) => log.listAttempts(key)))).flat().length;

/** The shards of a successor, and the number of attempts that were logged when it acquired them. */
const takeOver = async (storage: Storage<object>, keys: readonly DeliveryKey[]): Promise<number> => {
  await storage.shards.join('new', lease);
  for (let times = 0; times < 1_000; times++) {
    const acquired = await storage.shards.acquire('new', 1);
    ok(acquired !== 'fenced');
    if (acquired.length > 0) return countLogged(storage, keys);
    await storage.shards.heartbeat('new', lease, noWatermark);
  }
  fail('the shards of an expired worker become free');
};

/** A worker without a row writes nothing. */
export const fencingCases: Cases<StorageFixture> = {
  ...Object.fromEntries(
    Object.entries(writes).map(([name, write]) => [
      `a worker without a row changes nothing: ${name}`,
      beside(async (world) => {
        const { storage } = world;
        const [fresh, due] = await prepare(world);
        const gone = await goneWorkers(world);
        const before = await everything(storage);
        for (const workerId of gone) {
          strictEqual(await write(world, workerId, fresh, due), 'fenced', `${workerId} is fenced`);
          deepStrictEqual(await everything(storage), before);
        }
        ok((await write(world, worker, fresh, due)) !== 'fenced');
        notDeepStrictEqual(await everything(storage), before);
      }),
    ]),
  ),
  'a write during a takeover is visible to the successor, or never stored': async ({ storage, elapse }) => {
    const { shards, deliveries } = storage;
    const hook = endpoint();
    await storage.endpoints.insertEndpoint(hook, 20);
    const published = [...events(racers / 2), ...events(racers / 2, { accountId: theirs })];
    await publish(storage, published);
    await dispatchAll(storage, () => ({ endpointIds: [hook.id] }));
    const keys = published.map((each) => keyOf(each, hook.id));
    await shards.join('old', minute);
    await shards.acquire('old', allShards.length);
    await elapse(2 * minute);
    const write = (index: number) =>
      deliveries.settle(
        'old',
        settlementOf({ attempts: [logged(keys[index] as ShardedKey, 1, answered(200), 'delivered')] }),
        0,
      );
    const [settled, seen] = await Promise.all([race(write), takeOver(storage, keys)]);
    strictEqual(await countLogged(storage, keys), seen);
    strictEqual(settled.filter((each) => each !== 'fenced').length, seen);
  },
};
