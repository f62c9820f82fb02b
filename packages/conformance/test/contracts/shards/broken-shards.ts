import type { WorkerMembership, WorkerRecord } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../../../src/contracts/index.ts';
import { settlementOf } from '../../../src/contracts/support/acts.ts';
import { asGhost, breakPort, type Double, meanwhile, sharing } from '../support/doubles.ts';

const onShards = breakPort('shards');
const onDeliveries = breakPort('deliveries');
const everyShard = Array.from({ length: 128 }, (_, shard) => shard);
const fenced = (write: string): string => `a worker without a row changes nothing: ${write}`;
const expires = 'a worker whose lease expires by the clock of the store is deleted by whoever renews';
const renewed = [`${expires}: a store's clock 3 hours ahead`, `${expires}: a store's clock 3 hours behind`] as const;
const nothing = settlementOf({ number: 0 });

const isOwned =
  'a heartbeat names the shards of the worker in ascending order: those that it has recovered, and the others';
const isTaken = 'the shards of a worker that leaves or expires belong to whoever takes them';
const lastNumber = 'a heartbeat has the number of the last settlement of the worker';
const missing = 'a settlement is not the last one when one before it is missing';

/** A store that tells workers something else of what it has of them. */
const tells = (
  how: string,
  breaks: Double<StorageFixture>['breaks'],
  change: (record: WorkerRecord) => Partial<WorkerRecord>,
): Double<StorageFixture> =>
  onShards(how, breaks, ({ heartbeat }) => ({
    heartbeat: async (...args) => {
      const state = await heartbeat(...args);
      return state === 'fenced' ? state : { ...state, stored: { ...state.stored, ...change(state.stored) } };
    },
  }));

/** Stores in which workers live too long or not long enough, shards have two owners or none, or nobody is woken. */
export const brokenShards: readonly Double<StorageFixture>[] = [
  onShards(
    'workers never expire',
    [...renewed, 'a worker with an expired lease is deleted at the next join'],
    ({ join, heartbeat }) => ({
      join: (workerId, lease) => join(workerId, lease * 1_000),
      heartbeat: (workerId, lease, mark) => heartbeat(workerId, lease * 1_000, mark),
    }),
  ),
  onShards(
    'a worker that is stopping still counts',
    ['a stopping worker keeps its lease and shards, and is no longer counted'],
    ({ heartbeat }) => ({
      heartbeat: (workerId, lease, beat) => heartbeat(workerId, lease, { ...beat, isStopping: false }),
    }),
  ),
  onShards('a lease ends by the clock of the host', renewed, ({ join }, _fixture, { storeAhead }) => ({
    join: (workerId, lease) => join(workerId, lease - storeAhead),
  })),
  onShards(
    'a heartbeat that comes too late is refused',
    [
      'an expired worker that was not deleted renews its lease, and keeps its shards',
      'expired workers that renew at once do not wait for each other',
    ],
    ({ join, heartbeat, leave }, { storeNow }) => {
      const expiry = new Map<string, number>();
      return {
        join: async (workerId, lease) => {
          expiry.set(workerId, (await storeNow()) + lease);
          return join(workerId, lease);
        },
        heartbeat: async (workerId, lease, mark) => {
          const now = await storeNow();
          if ((expiry.get(workerId) ?? 0) > now) {
            expiry.set(workerId, now + lease);
            return heartbeat(workerId, lease, mark);
          }
          await leave(workerId);
          return 'fenced';
        },
      };
    },
  ),
  onShards(
    'a worker gets the expiry of its own lease',
    ['a worker gets the number of workers, and the earliest expiry of another lease'],
    ({ heartbeat }) => ({
      heartbeat: async (workerId, lease, mark): Promise<WorkerMembership | 'fenced'> => {
        const state = await heartbeat(workerId, lease, mark);
        return state === 'fenced' ? state : { ...state, nextExpiryIn: lease };
      },
    }),
  ),
  tells('shards have no order', [isOwned, isTaken], ({ shards }) => ({ shards: shards.toReversed() })),
  tells('a shard too few is named', [isOwned, isTaken], ({ shards }) => ({ shards: shards.slice(1) })),
  tells('shards that are not recovered are not named', [isOwned], () => ({ acquired: [] })),
  tells('shards that are not recovered have no order', [isOwned], ({ acquired }) => ({
    acquired: acquired.toReversed(),
  })),
  tells(
    'nobody has settled',
    [lastNumber, missing, 'a settlement of attempts alone may count as the last one'],
    () => ({ settlement: 0 }),
  ),
  tells('no endpoint changes', ['a heartbeat has the version of the last change of an endpoint'], () => ({
    endpointVersion: 0,
  })),
  onDeliveries('recovered shards are not noted', [isOwned, isTaken], () => ({ recover: async () => 'stored' })),
  {
    how: 'shards count once they are acquired',
    breaks: [isOwned, 'a watermark is raised in no shard before the worker has recovered it'],
    make: (fixture) => {
      const { shards, deliveries } = fixture.storage;
      const acquire: typeof shards.acquire = async (workerId, limit) => {
        const acquired = await shards.acquire(workerId, limit);
        if (acquired !== 'fenced') await deliveries.recover(workerId, acquired);
        return acquired;
      };
      return { ...fixture, storage: { ...fixture.storage, shards: { ...shards, acquire } } };
    },
  },
  onDeliveries('a missing settlement is not missed', [missing], ({ settle }) => ({
    settle: (workerId, settlement, known) => settle(workerId, { ...settlement, after: 0 }, known),
  })),
  onShards(
    'a watermark is raised whatever was lost',
    ['a watermark is raised only by a store that has the settlement it includes'],
    ({ heartbeat }) => ({
      heartbeat: (workerId, lease, beat) => heartbeat(workerId, lease, { ...beat, settlement: 0 }),
    }),
  ),
  onShards(
    'a heartbeat waits for another that is under way',
    ['expired workers that renew at once do not wait for each other'],
    ({ heartbeat }) => {
      let isUnderWay = false;
      return {
        heartbeat: async (...args) => {
          if (isUnderWay) await new Promise(() => {});
          isUnderWay = true;
          const state = await heartbeat(...args);
          isUnderWay = false;
          return state;
        },
      };
    },
  ),
  onShards(
    'free shards are looked up, and then taken',
    ['each shard has one owner after simultaneous acquisitions'],
    ({ acquire }) => {
      const shared = sharing((_any: string, workerId: string, limit: number) => acquire(workerId, limit));
      return { acquire: (workerId, limit) => shared('all', workerId, limit) };
    },
  ),
  onShards(
    'whoever acquires gets all',
    ['a worker acquires at most the requested number of shards'],
    ({ acquire }) => ({
      acquire: (workerId) => acquire(workerId, 128),
    }),
  ),
  onShards('whoever names a shard frees it', ['a worker releases its own shards, and no others'], (shards) => {
    const workers = new Set<string>();
    return {
      join: async (workerId, lease) => {
        workers.add(workerId);
        return shards.join(workerId, lease);
      },
      release: async (_workerId, released) => {
        for (const workerId of workers) await shards.release(workerId, released);
      },
    };
  }),
  onShards(
    'who leaves stays a member',
    ['a worker that leaves frees its shards, and is no longer a member'],
    ({ release }) => ({ leave: (workerId) => release(workerId, everyShard) }),
  ),
  onShards(
    'no shard was abandoned',
    ['an acquired shard states whether its last owner released it or was deleted'],
    (shards) => ({
      acquire: async (...args) => {
        const acquired = await shards.acquire(...args);
        return acquired === 'fenced' ? acquired : acquired.map((each) => ({ ...each, wasAbandoned: false }));
      },
    }),
  ),
  onShards(
    'a heartbeat lowers a mark',
    ['the watermark of a shard is advanced only by its owner, and never moves back'],
    ({ heartbeat, acquire }) => {
      const marks = new Map<number, number>();
      return {
        heartbeat: async (workerId, lease, mark) => {
          for (const shard of mark.shards) marks.set(shard, mark.watermark);
          return heartbeat(workerId, lease, mark);
        },
        acquire: async (workerId, limit) => {
          const acquired = await acquire(workerId, limit);
          if (acquired === 'fenced') return acquired;
          return acquired.map((each) => ({ ...each, watermark: marks.get(each.shard) ?? each.watermark }));
        },
      };
    },
  ),

  onShards(
    'nobody is woken',
    [
      'a watcher is woken after a commit, with the shards of the events',
      'a watcher is woken when workers join, begin to stop and leave, and when shards are released',
    ],
    () => ({ watch: async () => () => {} }),
  ),
  onShards(
    'who stopped is woken all the same',
    ['many can watch at once, and a stopped watcher is not woken'],
    (shards) => ({
      watch: async (onWake) => {
        await shards.watch(onWake);
        return () => {};
      },
    }),
  ),

  onShards(
    'a deleted worker frees its shards',
    ['a deleted worker neither frees the shards that it owned nor takes free ones'],
    ({ join, leave, release }) => ({
      release: async (workerId, released) => {
        await join(workerId, 60_000);
        await release(workerId, released);
        await leave(workerId);
      },
    }),
  ),
  onShards(
    'a lease ends a second early',
    ['a lease lasts to its end, by the clock of the store'],
    ({ join, heartbeat }) => ({
      join: (workerId, lease) => join(workerId, lease - 1_000),
      heartbeat: (workerId, lease, mark) => heartbeat(workerId, lease - 1_000, mark),
    }),
  ),
  onShards('a worker whose row is gone acquires', [fenced('acquire')], ({ acquire }, fixture) => ({
    acquire: async (workerId, limit) => {
      const acquired = await acquire(workerId, limit);
      return acquired === 'fenced' ? asGhost(fixture, (ghost) => acquire(ghost, limit)) : acquired;
    },
  })),
  onDeliveries('a worker whose row is gone dispatches', [fenced('dispatch')], ({ dispatch }, fixture) => ({
    dispatch: async (workerId, ...args) => {
      const dispatched = await dispatch(workerId, ...args);
      return dispatched === 'fenced' ? asGhost(fixture, (ghost) => dispatch(ghost, ...args)) : dispatched;
    },
  })),
  onDeliveries(
    'who is fenced has settled all the same',
    [fenced('settle'), fenced('settle, of what is queued'), fenced('settle, of health')],
    ({ settle }, fixture) => ({
      settle: async (workerId, settlement, known) => {
        const settled = await settle(workerId, settlement, known);
        if (settled === 'fenced') await asGhost(fixture, (ghost) => settle(ghost, settlement, known));
        return settled;
      },
    }),
  ),
  onDeliveries('whoever asks recovers', [fenced('recover')], ({ recover }, fixture) => ({
    recover: (_workerId, shards) => asGhost(fixture, (ghost) => recover(ghost, shards)),
  })),
  breakPort('parents')('whoever asks propagates', [fenced('propagate')], ({ propagate }, fixture) => ({
    propagate: (_workerId, events) => asGhost(fixture, (ghost) => propagate(ghost, events)),
  })),
  onDeliveries(
    'a worker is looked up, and then it settles',
    ['a write during a takeover is visible to the successor, or never stored'],
    ({ settle }, fixture) => ({
      settle: async (workerId, settlement, known) => {
        const found = await settle(workerId, nothing, known);
        if (found === 'fenced') return found;
        for (let turns = 0; turns < 50; turns++) await meanwhile();
        return asGhost(fixture, (ghost) => settle(ghost, settlement, known));
      },
    }),
  ),
];
