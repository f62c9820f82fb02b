import type { Membership } from '@partnerkit/core';
import type { StorageFixture } from '../../src/index.ts';
import { asGhost, breakPort, type Double, meanwhile, sharing } from './doubles.ts';

const onShards = breakPort('shards');
const onDeliveries = breakPort('deliveries');
const everyShard = Array.from({ length: 128 }, (_, shard) => shard);
const fenced = (write: string): string => `a worker whose row is gone changes nothing: ${write}`;
const expires = 'a worker whose lease expires by the clock of the store is deleted by whoever renews';
const renewed = [`${expires}: a store's clock 3 hours ahead`, `${expires}: a store's clock 3 hours behind`] as const;
const nothing = { attempts: [], pending: [], queued: [], finished: [], health: [], transitions: [] };

/** Stores in which workers live too long or not long enough, shards have two owners or none, or nobody is woken. */
export const brokenShards: readonly Double<StorageFixture>[] = [
  onShards(
    'workers never expire',
    [...renewed, 'a worker that lets its lease expire is deleted by whoever joins'],
    ({ join, heartbeat }) => ({
      join: (workerId, lease) => join(workerId, lease * 1_000),
      heartbeat: (workerId, lease, mark) => heartbeat(workerId, lease * 1_000, mark),
    }),
  ),
  onShards(
    'a worker that is stopping still counts',
    ['a worker that is stopping keeps its lease and shards, and is no longer counted'],
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
      'a worker that expired but was not deleted renews its lease, and keeps its shards',
      'of many expired workers that renew at once none waits for another',
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
    'a worker is told when its own lease expires',
    ['a worker is told how many there are, and when the first lease of another expires'],
    ({ heartbeat }) => ({
      heartbeat: async (workerId, lease, mark): Promise<Membership | 'fenced'> => {
        const told = await heartbeat(workerId, lease, mark);
        return told === 'fenced' ? told : { ...told, nextExpiryIn: lease };
      },
    }),
  ),
  onShards(
    'a heartbeat waits for another that is under way',
    ['of many expired workers that renew at once none waits for another'],
    ({ heartbeat }) => {
      let isUnderWay = false;
      return {
        heartbeat: async (...asked) => {
          if (isUnderWay) await new Promise(() => {});
          isUnderWay = true;
          const told = await heartbeat(...asked);
          isUnderWay = false;
          return told;
        },
      };
    },
  ),
  onShards(
    'free shards are looked up, and then taken',
    ['of many workers that acquire at once each shard has one owner'],
    ({ acquire }) => {
      const shared = sharing((_any: string, workerId: string, limit: number) => acquire(workerId, limit));
      return { acquire: (workerId, limit) => shared('all', workerId, limit) };
    },
  ),
  onShards('whoever acquires gets all', ['a worker acquires no more shards than it asks for'], ({ acquire }) => ({
    acquire: (workerId) => acquire(workerId, 128),
  })),
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
    ['a worker that leaves frees its shards, and is a member no more'],
    ({ release }) => ({ leave: (workerId) => release(workerId, everyShard) }),
  ),
  onShards('no shard was abandoned', ['a shard says whether its last owner released it, or was deleted'], (shards) => ({
    acquire: async (...asked) => {
      const acquired = await shards.acquire(...asked);
      return acquired === 'fenced' ? acquired : acquired.map((each) => ({ ...each, wasAbandoned: false }));
    },
  })),
  onShards(
    'a heartbeat lowers a mark',
    ['the mark of a shard is raised by its owner alone, and never lowered'],
    ({ heartbeat, acquire }) => {
      const marks = new Map<number, number>();
      return {
        heartbeat: async (workerId, lease, mark) => {
          for (const shard of mark.shards) marks.set(shard, mark.settledTo);
          return heartbeat(workerId, lease, mark);
        },
        acquire: async (workerId, limit) => {
          const acquired = await acquire(workerId, limit);
          if (acquired === 'fenced') return acquired;
          return acquired.map((each) => ({ ...each, settledTo: marks.get(each.shard) ?? each.settledTo }));
        },
      };
    },
  ),

  onShards(
    'nobody is woken',
    [
      'who watches is woken after events are committed, and told their shards',
      'who watches is woken when workers join, begin to stop and leave, and when shards are released',
    ],
    () => ({ watch: async () => () => {} }),
  ),
  onShards(
    'who stopped is woken all the same',
    ['many watch at once, and who stopped is not woken any more'],
    (shards) => ({
      watch: async (onWake) => {
        await shards.watch(onWake);
        return () => {};
      },
    }),
  ),

  onShards('a worker whose row is gone acquires', [fenced('acquire')], ({ acquire }, fixture) => ({
    acquire: async (workerId, limit) => {
      const acquired = await acquire(workerId, limit);
      return acquired === 'fenced' ? asGhost(fixture, (ghost) => acquire(ghost, limit)) : acquired;
    },
  })),
  onDeliveries('a worker whose row is gone stamps', [fenced('stamp')], ({ stamp }, fixture) => ({
    stamp: async (workerId, ...asked) => {
      const stamped = await stamp(workerId, ...asked);
      return stamped === 'fenced' ? asGhost(fixture, (ghost) => stamp(ghost, ...asked)) : stamped;
    },
  })),
  onDeliveries('who is fenced has settled all the same', [fenced('settle')], ({ settle }, fixture) => ({
    settle: async (workerId, settlement) => {
      const settled = await settle(workerId, settlement);
      if (settled === 'fenced') await asGhost(fixture, (ghost) => settle(ghost, settlement));
      return settled;
    },
  })),
  onDeliveries('whoever asks recovers', [fenced('recover')], ({ recover }, fixture) => ({
    recover: (_workerId, shards) => asGhost(fixture, (ghost) => recover(ghost, shards)),
  })),
  breakPort('parents')('whoever asks propagates', [fenced('propagate')], ({ propagate }, fixture) => ({
    propagate: (_workerId, events) => asGhost(fixture, (ghost) => propagate(ghost, events)),
  })),
  onDeliveries(
    'a worker is looked up, and then it settles',
    ['what a worker writes while its shards are taken over is there when they are, or never'],
    ({ settle }, fixture) => ({
      settle: async (workerId, settlement) => {
        const found = await settle(workerId, nothing);
        if (found === 'fenced') return found;
        for (let turns = 0; turns < 50; turns++) await meanwhile();
        return asGhost(fixture, (ghost) => settle(ghost, settlement));
      },
    }),
  ),
];
