import type { Clock, Storage } from '@partnerkit/core';
import { memoryStorage } from '@partnerkit/core/memory';
import * as attempts from '../../src/simulator/laws/attempts.ts';
import * as breaker from '../../src/simulator/laws/breaker.ts';
import * as copies from '../../src/simulator/laws/copies.ts';
import type { Law } from '../../src/simulator/laws/facts.ts';
import * as inTime from '../../src/simulator/laws/in-time.ts';
import * as ownership from '../../src/simulator/laws/ownership.ts';
import * as pruning from '../../src/simulator/laws/pruning.ts';
import * as publishing from '../../src/simulator/laws/publishing.ts';
import * as replaying from '../../src/simulator/laws/replaying.ts';
import * as seconds from '../../src/simulator/laws/seconds.ts';
import * as secrets from '../../src/simulator/laws/secrets.ts';
import * as takeover from '../../src/simulator/laws/takeover.ts';

import type { Kind } from './expect-to-be-found.ts';

type Memory = ReturnType<typeof memoryStorage>;
type Deliveries = Memory['deliveries'];
type Shards = Memory['shards'];

/** A storage with one thing wrong, and a law that it breaks. */
export interface BrokenStore {
  readonly how: string;
  readonly law: Law;
  /** Of all kinds, unless one is named in which it shows more often. */
  readonly kind?: Kind;
  readonly break: (storage: Memory, clock: Clock) => Memory;
}

const deliveries =
  (change: (deliveries: Deliveries, clock: Clock) => Partial<Deliveries>): BrokenStore['break'] =>
  (storage, clock) => ({ ...storage, deliveries: { ...storage.deliveries, ...change(storage.deliveries, clock) } });
const shards =
  (change: (shards: Shards) => Partial<Shards>): BrokenStore['break'] =>
  (storage) => ({ ...storage, shards: { ...storage.shards, ...change(storage.shards) } });

type Settlement = Parameters<Deliveries['settle']>[1];
const onSettle = (change: (settlement: Settlement) => Settlement): BrokenStore['break'] =>
  deliveries(({ settle }) => ({ settle: (workerId, settlement) => settle(workerId, change(settlement)) }));

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
  const { stamp, settle } = storage.deliveries;
  return {
    ...storage,
    deliveries: {
      ...storage.deliveries,
      stamp: (workerId, ...rest) => forged((id) => stamp(id, ...rest), workerId),
      settle: (workerId, settlement) => forged((id) => settle(id, settlement), workerId),
    },
  };
};

/** Every nth. */
const each = (n: number): (() => boolean) => {
  let count = 0;
  return () => ++count % n === 0;
};

export const brokenStores: readonly BrokenStore[] = [
  {
    how: 'writes of fenced workers are stored',
    law: ownership.noWriteAfterFence,
    break: withoutFence,
  },
  {
    how: 'leases last a tenth of what was asked for',
    law: ownership.noWriteAfterFence,
    break: shards(({ join, heartbeat }) => ({
      join: (id, lease) => join(id, lease / 10),
      heartbeat: (id, lease, mark) => heartbeat(id, lease / 10, mark),
    })),
  },
  {
    how: 'leases last three times as long',
    law: takeover.takenOverInTime,
    break: shards(({ join, heartbeat }) => ({
      join: (id, lease) => join(id, lease * 3),
      heartbeat: (id, lease, mark) => heartbeat(id, lease * 3, mark),
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
    law: ownership.marksAreTrue,
    break: (storage, clock) => ({
      ...storage,
      shards: {
        ...storage.shards,
        heartbeat: (id, lease, mark) => storage.shards.heartbeat(id, lease, { ...mark, settledTo: clock.now() }),
      },
    }),
  },
  {
    how: 'marks are raised of all shards that a worker acquired (rule 3)',
    law: attempts.endsAreStored,
    kind: 'moves',
    break: shards(({ acquire, heartbeat }) => {
      const acquired = new Map<string, number[]>();
      return {
        acquire: async (id, limit) => {
          const got = await acquire(id, limit);
          if (got !== 'fenced') acquired.set(id, [...(acquired.get(id) ?? []), ...got.map(({ shard }) => shard)]);
          return got;
        },
        heartbeat: (id, lease, mark) => heartbeat(id, lease, { ...mark, shards: acquired.get(id) ?? [] }),
      };
    }),
  },
  {
    how: 'a worker that leaves keeps its shards',
    law: takeover.handedOverAtOnce,
    break: shards(() => ({ leave: async () => undefined })),
  },
  {
    how: 'a successor recovers nothing',
    law: inTime.attemptedInTime,
    break: deliveries(({ recover }) => ({ recover: (id) => recover(id, []) })),
  },
  {
    how: 'a successor sends again what has a log (rule 5)',
    law: attempts.finishedIsFinished,
    break: (storage) => {
      const { stamp, settle, recover, readQueued, readEndpoints } = storage.deliveries;
      // What was dispatched is found under another number, so that nobody sees what was logged.
      void stamp;
      void settle;
      const done = new Map<string, Settlement['finished'][number] & { readonly shard: number }>();
      const extra = new Set<string>();
      return {
        ...storage,
        deliveries: {
          ...storage.deliveries,
          settle: async (id, settlement) => {
            const settled = await settle(id, settlement);
            for (const row of settlement.attempts)
              if (row.state === 'delivered') done.set(`${row.eventId} ${row.endpointId}`, { ...row, shard: -1 });
            return settled;
          },
          recover: async (id, acquired) => {
            const recovered = await recover(id, acquired);
            for (const key of done.keys()) extra.add(key);
            for (const { accountId, eventId, endpointId, replay } of done.values())
              if (extra.delete(`${eventId} ${endpointId}`))
                await settle(id, {
                  attempts: [],
                  pending: acquired.slice(0, 1).map(({ shard }) => ({
                    ...{ shard, accountId, eventId, endpointId, replay },
                    ...{ state: 'queued', dueIn: 0, attempts: 0, logged: 0 },
                  })),
                  queued: [],
                  finished: [],
                  health: [],
                  transitions: [],
                });
            return recovered;
          },
          readQueued,
          readEndpoints,
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
  {
    how: 'an event that was committed late is skipped',
    law: inTime.dispatchedInTime,
    break: deliveries(({ readOutbox }) => {
      let last = -1;
      return {
        readOutbox: async (ranges, limit) => {
          const read = await readOutbox(ranges, limit);
          const events = read.events.filter(({ position }) => Number(position) > last);
          last = Math.max(last, ...read.events.map(({ position }) => Number(position)));
          return { ...read, events };
        },
      };
    }),
  },
  {
    how: 'the last second of an object is forgotten',
    law: seconds.secondsIncrease,
    break: deliveries(({ readOutbox, stamp }) => ({
      readOutbox: async (ranges, limit) => {
        const read = await readOutbox(ranges, limit);
        return { ...read, events: read.events.map(({ lastSecond: _forgotten, ...event }) => event) };
      },
      // Two of one second are stored, too.
      stamp: (id, events, ...rest) =>
        stamp(
          id,
          events.map((each) => ({ ...each, event: { ...each.event, objectId: each.event.id } })),
          ...rest,
        ),
    })),
  },
  {
    how: 'events of an object are read in the wrong order',
    law: seconds.secondsIncrease,
    break: deliveries(({ readOutbox }) => ({
      readOutbox: async (ranges, limit) => {
        const read = await readOutbox(ranges, limit);
        return { ...read, events: read.events.toReversed() };
      },
    })),
  },
  {
    how: 'events are stored a minute later than they were',
    law: seconds.secondIsOfItsEvent,
    break: deliveries(({ readOutbox }) => ({
      readOutbox: async (ranges, limit) => {
        const read = await readOutbox(ranges, limit);
        return { ...read, events: read.events.map((event) => ({ ...event, storedAt: event.storedAt - 60_000 })) };
      },
    })),
  },
  {
    how: 'retries come in half the time',
    law: attempts.neverEarly,
    break: onSettle((settlement) => ({
      ...settlement,
      pending: settlement.pending.map((each) => ({ ...each, dueIn: each.dueIn / 2 })),
    })),
  },
  {
    how: 'retries come in twice the time',
    law: inTime.attemptedInTime,
    break: onSettle((settlement) => ({
      ...settlement,
      pending: settlement.pending.map((each) => ({ ...each, dueIn: each.dueIn * 2 })),
    })),
  },
  {
    how: 'now and then a retry is forgotten',
    law: inTime.attemptedInTime,
    break: deliveries(({ settle }) => {
      const isForgotten = each(3);
      return {
        settle: (id, settlement) =>
          settle(id, { ...settlement, pending: settlement.pending.filter(() => !isForgotten()) }),
      };
    }),
  },
  {
    how: 'now and then an attempt is not logged',
    law: attempts.logTellsAttempts,
    break: deliveries(({ settle }) => {
      const isForgotten = each(3);
      return {
        settle: (id, settlement) =>
          settle(id, { ...settlement, attempts: settlement.attempts.filter(() => !isForgotten()) }),
      };
    }),
  },
  {
    how: 'what is finished stays pending',
    law: attempts.finishedIsFinished,
    break: onSettle((settlement) => ({ ...settlement, finished: [] })),
  },
  {
    how: 'each attempt is the first',
    law: attempts.neverEarly,
    break: deliveries(({ readDue }) => ({
      readDue: async (...args) => {
        const due = await readDue(...args);
        return { ...due, deliveries: due.deliveries.map((delivery) => ({ ...delivery, attempts: 0 })) };
      },
    })),
  },
  {
    how: 'the health of endpoints is not stored',
    law: breaker.openBreakerSendsNothing,
    break: onSettle((settlement) => ({ ...settlement, health: [] })),
  },
  {
    how: 'no endpoint is disabled',
    law: breaker.goneIsDisabled,
    break: onSettle((settlement) => ({
      ...settlement,
      transitions: settlement.transitions.map(({ disable: _none, ...transition }) => transition),
    })),
  },
  {
    how: 'changes of endpoints are told to nobody',
    law: secrets.onlyEnabledAreSent,
    break: deliveries(({ readOutbox, readDue, readQueued, readEndpoints, settle }) => {
      const versions = Array.from({ length: 128 }, () => 1).join(',');
      const silent = <T extends { readonly endpointVersions: string }>(state: T): T => ({
        ...state,
        endpointVersions: versions,
      });
      return {
        readOutbox: async (...args) => silent(await readOutbox(...args)),
        readDue: async (...args) => silent(await readDue(...args)),
        readQueued: async (...args) => silent(await readQueued(...args)),
        readEndpoints: async (...args) => silent(await readEndpoints(...args)),
        settle: async (...args) => {
          const settled = await settle(...args);
          return settled === 'fenced' ? settled : silent(settled);
        },
      };
    }),
  },
  {
    how: 'endpoints are read as they were at first',
    law: secrets.signedWithTheSecretOfTheMoment,
    break: deliveries(({ readEndpoints }) => {
      const first = new Map<string, Awaited<ReturnType<typeof readEndpoints>>['endpoints'][number]['endpoint']>();
      return {
        readEndpoints: async (...args) => {
          const read = await readEndpoints(...args);
          for (const { endpoint } of read.endpoints) if (!first.has(endpoint.id)) first.set(endpoint.id, endpoint);
          const endpoints = read.endpoints.map((owned) => {
            const { id, state, version } = owned.endpoint;
            return { ...owned, endpoint: { ...(first.get(id) ?? owned.endpoint), state, version } };
          });
          return { ...read, endpoints };
        },
      };
    }),
  },
  {
    how: 'what is read to be sent again has a later second',
    law: publishing.sameBytes,
    break: deliveries(({ readDue }) => ({
      readDue: async (...args) => {
        const due = await readDue(...args);
        return {
          ...due,
          deliveries: due.deliveries.map((delivery) => {
            const timestamp = delivery.event.timestamp + 1;
            const body = `{"timestamp":${timestamp}${delivery.event.bodyTail}`;
            return { ...delivery, event: { ...delivery.event, timestamp, body } };
          }),
        };
      },
    })),
  },
  {
    how: 'one account is read before all others, whatever it has',
    law: inTime.dispatchedInTime,
    break: deliveries(({ readOutbox }) => ({
      // Few at a time, always from the first shard on.
      readOutbox: (ranges) =>
        readOutbox(
          ranges.map(({ shard }) => ({ shard })).toSorted((a, b) => a.shard - b.shard),
          1,
        ),
    })),
  },
  {
    how: 'a rollback commits',
    law: publishing.rolledBackIsNeverSent,
    break: (storage) => ({
      ...storage,
      transaction: async (work) => {
        const ended = await storage.transaction((tx) =>
          work(tx).then(
            (value) => ({ value }),
            (cause: unknown) => ({ cause }),
          ),
        );
        if ('cause' in ended) throw ended.cause;
        return ended.value;
      },
    }),
  },
  {
    how: 'a commit is forgotten',
    law: publishing.rolledBackIsNeverSent,
    break: (storage) => {
      const isForgotten = each(3);
      return {
        ...storage,
        events: {
          ...storage.events,
          append: async (tx, events) =>
            isForgotten() ? events.map(() => ({ kind: 'stored' as const })) : storage.events.append(tx, events),
        },
      };
    },
  },
  {
    how: 'an idempotency key is never found again',
    law: publishing.keysMakeOneEvent,
    break: (storage) => ({
      ...storage,
      events: {
        ...storage.events,
        append: (tx, events) =>
          storage.events.append(
            tx,
            events.map(({ idempotencyKey: _forgotten, ...event }) => event),
          ),
      },
    }),
  },
  {
    how: 'what is held expires in half the time',
    law: pruning.heldLongEnough,
    break: (storage) => ({
      ...storage,
      log: {
        ...storage.log,
        prune: (shards, limits) => storage.log.prune(shards, { ...limits, held: limits.held / 2 }),
      },
    }),
  },
  {
    how: 'events are pruned in half the time',
    law: pruning.youngEventsStay,
    break: (storage) => ({
      ...storage,
      log: {
        ...storage.log,
        prune: (shards, limits) => storage.log.prune(shards, { ...limits, events: limits.events / 2 }),
      },
    }),
  },
  {
    how: 'nothing is pruned',
    law: pruning.oldEventsGo,
    break: (storage) => ({
      ...storage,
      log: { ...storage.log, prune: async () => ({ expired: [], hasMore: false }) },
    }),
  },
  {
    how: 'now and then a parent is forgotten',
    law: copies.parentsGetCopies,
    break: (storage) => {
      const isForgotten = each(2);
      return {
        ...storage,
        parents: {
          ...storage.parents,
          propagate: (id, events) =>
            storage.parents.propagate(
              id,
              events.map(({ parentId, ...event }) =>
                parentId === undefined || isForgotten() ? event : { ...event, parentId },
              ),
            ),
        },
      };
    },
  },
  {
    how: 'nobody is told to which child an event happened',
    law: publishing.onlyParentsAreSent,
    break: deliveries(({ readOutbox, readDue, readQueued }) => {
      const grown = <T extends { readonly origin?: string }>({ origin: _forgotten, ...event }: T): Omit<T, 'origin'> =>
        event;
      const pending = async (read: ReturnType<typeof readDue>) => {
        const { deliveries: found, ...state } = await read;
        return { ...state, deliveries: found.map((each) => ({ ...each, event: grown(each.event) })) };
      };
      return {
        readOutbox: async (...args) => {
          const { events, ...state } = await readOutbox(...args);
          return { ...state, events: events.map(grown) };
        },
        readDue: (...args) => pending(readDue(...args)),
        readQueued: (...args) => pending(readQueued(...args)),
      };
    }),
  },
  {
    how: 'a replay makes no deliveries',
    law: replaying.replaysSendAgain,
    break: (storage) => ({
      ...storage,
      log: { ...storage.log, replay: async () => ({ kind: 'replayed', deliveries: 1 }) },
    }),
  },
];

/** Memory storage with one thing wrong. */
export const brokenStorage =
  ({ break: change }: BrokenStore) =>
  (clock: Clock): Storage<never> =>
    change(memoryStorage({ clock }), clock) as unknown as Storage<never>;
