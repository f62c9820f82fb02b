import type { AcquiredShard } from '@partnerkit/core/adapter';
import * as attempts from '../../src/simulator/laws/attempts.ts';
import * as ends from '../../src/simulator/laws/ends.ts';
import * as inTime from '../../src/simulator/laws/in-time.ts';
import * as ownership from '../../src/simulator/laws/ownership.ts';
import * as takeover from '../../src/simulator/laws/takeover.ts';
import { type BrokenStore, deliveries, type Settlement, shards } from './broken-store.ts';

/** A shard that leaves nothing to recover. */
const fromNow = (shard: AcquiredShard): AcquiredShard => ({ ...shard, watermark: 2 ** 48, wasAbandoned: false });

/** Writes of fenced workers, made in the name of one that lives. */
const withoutFence: BrokenStore['break'] = (storage) => {
  const { join, leave } = storage.shards;
  let named = 0;
  const forged = async <T>(
    write: (workerId: string) => Promise<T | 'fenced'>,
    workerId: string,
  ): Promise<T | 'fenced'> => {
    const written = await write(workerId);
    if (written !== 'fenced') return written;
    const other = `00000000-0000-7000-8000-${String(++named).padStart(12, '0')}`;
    await join(other, 1_000_000);
    const forgedly = await write(other);
    await leave(other);
    return forgedly;
  };
  const { dispatch, settle } = storage.deliveries;
  return {
    ...storage,
    deliveries: {
      ...storage.deliveries,
      dispatch: (workerId, ...rest) => forged((id) => dispatch(id, ...rest), workerId),
      settle: (workerId, settlement, known) => forged((id) => settle(id, settlement, known), workerId),
    },
  };
};

/** Shards change hands wrongly. */
export const brokenShards: readonly BrokenStore[] = [
  {
    how: 'writes of fenced workers are stored',
    law: ownership.noWriteAfterFence,
    kind: 'stalls',
    break: withoutFence,
  },
  {
    how: 'leases last a tenth of what was asked for',
    law: ownership.noWriteAfterFence,
    break: shards(({ join, heartbeat }) => ({
      join: (id, lease) => join(id, lease / 10),
      heartbeat: (id, lease, beat) => heartbeat(id, lease / 10, beat),
    })),
  },
  {
    how: 'leases last three times as long',
    law: takeover.takenOverInTime,
    break: shards(({ join, heartbeat }) => ({
      join: (id, lease) => join(id, lease * 3),
      heartbeat: (id, lease, beat) => heartbeat(id, lease * 3, beat),
    })),
  },
  {
    how: 'a shard is acquired that another worker owns',
    law: ownership.oneOwner,
    break: shards(({ acquire, release }) => {
      let stolen: { readonly owner: string; readonly shard: number } | undefined;
      return {
        acquire: async (id, limit) => {
          if (stolen && stolen.owner !== id) await release(stolen.owner, [stolen.shard]);
          const acquired = await acquire(id, limit);
          const [first] = acquired === 'fenced' ? [] : acquired;
          if (first) stolen = { owner: id, shard: first.shard };
          return acquired;
        },
      };
    }),
  },
  {
    how: 'marks are raised to the present (rule 4)',
    law: ownership.watermarksAreTrue,
    kind: 'floods',
    break: (storage, clock) => ({
      ...storage,
      shards: {
        ...storage.shards,
        heartbeat: (id, lease, beat) => storage.shards.heartbeat(id, lease, { ...beat, watermark: clock.now() }),
      },
    }),
  },
  {
    how: 'marks are raised of all shards that a worker acquired (rule 3)',
    law: ends.endsAreStored,
    kind: 'moves',
    break: (storage) => {
      const { acquire, heartbeat } = storage.shards;
      const { recover } = storage.deliveries;
      const acquired = new Map<string, number[]>();
      return {
        ...storage,
        shards: {
          ...storage.shards,
          acquire: async (id, limit) => {
            const got = await acquire(id, limit);
            if (got === 'fenced') return got;
            acquired.set(id, [...(acquired.get(id) ?? []), ...got.map(({ shard }) => shard)]);
            await recover(id, got.map(fromNow));
            return got;
          },
          heartbeat: (id, lease, beat) => heartbeat(id, lease, { ...beat, shards: acquired.get(id) ?? [] }),
        },
      };
    },
  },
  {
    how: 'a worker that leaves keeps its shards',
    law: takeover.handedOverAtOnce,
    break: shards(() => ({ leave: async () => undefined })),
  },
  {
    how: 'a worker that is stopping keeps its share',
    law: takeover.handedOverAtOnce,
    kind: 'departures',
    break: shards(({ heartbeat }) => ({
      heartbeat: (id, lease, beat) => heartbeat(id, lease, { ...beat, isStopping: false }),
    })),
  },
  {
    how: 'a successor recovers nothing',
    law: inTime.attemptedInTime,
    break: deliveries(({ recover }) => ({ recover: (id, acquired) => recover(id, acquired.map(fromNow)) })),
  },
  {
    how: 'a successor sends again what has a log (rule 5)',
    law: attempts.finishedIsFinished,
    break: (storage) => {
      const { settle, recover } = storage.deliveries;
      const done = new Map<string, Settlement['finished'][number] & { readonly shard: number }>();
      const extra = new Set<string>();
      return {
        ...storage,
        deliveries: {
          ...storage.deliveries,
          settle: async (id, settlement, known) => {
            const settled = await settle(id, settlement, known);
            for (const row of settlement.attempts)
              if (row.state === 'delivered') done.set(`${row.eventId} ${row.endpointId}`, { ...row, shard: -1 });
            return settled;
          },
          recover: async (id, acquired) => {
            const recovered = await recover(id, acquired);
            for (const key of done.keys()) extra.add(key);
            for (const { accountId, eventId, endpointId, replay } of done.values())
              if (extra.delete(`${eventId} ${endpointId}`))
                await settle(
                  id,
                  {
                    number: Number.MAX_SAFE_INTEGER,
                    after: 0,
                    attempts: [],
                    pending: acquired.slice(0, 1).map(({ shard }) => ({
                      ...{ shard, accountId, eventId, endpointId, replay },
                      ...{ state: 'queued', dueIn: 0, attempts: 0, logged: 0 },
                    })),
                    queued: [],
                    finished: [],
                    health: [],
                    transitions: [],
                  },
                  0,
                );
            return recovered;
          },
        },
      };
    },
  },
  {
    how: 'nobody learns that an owner died',
    law: attempts.logTellsAttempts,
    break: deliveries(({ recover }) => ({
      recover: (id, acquired) =>
        recover(
          id,
          acquired.map((shard) => ({ ...shard, wasAbandoned: false })),
        ),
    })),
  },
  {
    how: 'each owner counts as dead',
    law: attempts.abandonedAfterLoss,
    break: deliveries(({ recover }) => ({
      recover: (id, acquired) =>
        recover(
          id,
          acquired.map((shard) => ({ ...shard, wasAbandoned: true })),
        ),
    })),
  },
];
