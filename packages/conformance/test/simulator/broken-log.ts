import type { AppendOutcome, NewEvent } from '@partnerkit/core/adapter';
import { deliveryKey, type Key } from '../../src/simulator/delivery-key.ts';
import * as copies from '../../src/simulator/laws/copies.ts';
import { shardOfAccount } from '../../src/simulator/laws/numbers.ts';
import * as pruning from '../../src/simulator/laws/pruning.ts';
import * as publishing from '../../src/simulator/laws/publishing.ts';
import * as replaying from '../../src/simulator/laws/replaying.ts';
import { type BrokenStore, each, log, type Memory } from './broken-store.ts';

/** One more delivery of an event, beside one that is there. */
const addReplay = async ({ shards, deliveries: { settle } }: Memory, key: Key): Promise<void> => {
  const workerId = '00000000-0000-7000-8000-000000000000';
  const shard = shardOfAccount(key.accountId) ?? 0;
  const pending = { ...key, replay: key.replay + 1, shard, state: 'queued' as const, dueIn: 0, attempts: 0, logged: 0 };
  await shards.join(workerId, 1_000);
  await settle(
    workerId,
    {
      number: 1,
      after: 0,
      attempts: [],
      pending: [pending],
      queued: [],
      finished: [],
      health: [],
      transitions: [],
    },
    0,
  );
  await shards.leave(workerId);
};

const prunesInHalfTheTime = (age: 'held' | 'events'): BrokenStore['break'] =>
  log(({ log: { prune } }) => ({ prune: (shards, limits) => prune(shards, { ...limits, [age]: limits[age] / 2 }) }));

const asStored = (events: readonly NewEvent[]): readonly AppendOutcome[] => events.map(() => ({ kind: 'stored' }));
const withoutKeys = (events: readonly NewEvent[]): readonly NewEvent[] =>
  events.map(({ idempotencyKey: _forgotten, ...event }) => event);

/** What is published, replayed, propagated or pruned is stored wrongly. */
export const brokenLog: readonly BrokenStore[] = [
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
          append: async (tx, events) => (isForgotten() ? asStored(events) : storage.events.append(tx, events)),
          appendAlone: async (events) =>
            isForgotten() ? asStored(events) : (storage.events.appendAlone?.(events) ?? []),
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
        append: (tx, events) => storage.events.append(tx, withoutKeys(events)),
        appendAlone: async (events) => storage.events.appendAlone?.(withoutKeys(events)) ?? [],
      },
    }),
  },
  {
    how: 'what is held expires in half the time',
    law: pruning.heldLongEnough,
    break: prunesInHalfTheTime('held'),
  },
  {
    how: 'events are pruned in half the time',
    law: pruning.youngEventsStay,
    break: prunesInHalfTheTime('events'),
  },
  {
    how: 'nothing is pruned',
    law: pruning.oldEventsGo,
    kind: 'prunes',
    break: log(() => ({ prune: async () => ({ expired: [], hasMore: false }) })),
  },
  {
    how: 'events are pruned though a delivery is pending',
    law: pruning.pendingEventsStay,
    kind: 'lateReplays',
    break: (storage, clock) => {
      let prunedTo = 0;
      const { log, events } = storage;
      return {
        ...storage,
        log: {
          ...log,
          prune: (shards, limits) => {
            prunedTo = clock.now() - limits.events;
            return log.prune(shards, limits);
          },
        },
        events: {
          ...events,
          listEvents: async (...args) => {
            const page = await events.listEvents(...args);
            return { ...page, items: page.items.filter(({ timestamp = Infinity }) => timestamp * 1_000 > prunedTo) };
          },
        },
      };
    },
  },
  {
    how: 'now and then a parent is forgotten',
    law: copies.parentsGetCopies,
    kind: 'minutes',
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
    how: 'a replay makes no deliveries',
    law: replaying.replaysSendAgain,
    break: log(() => ({ replay: async () => ({ kind: 'replayed', deliveries: 1 }) })),
  },
  {
    how: 'a replay misses the latest event',
    law: replaying.replaysSendAgain,
    kind: 'replays',
    break: log((storage, clock) => ({
      replay: (accountId, endpointId, range) =>
        storage.log.replay(accountId, endpointId, { ...range, to: clock.now() - 5_000 }),
    })),
  },
  {
    how: 'a replay doubles a delivery',
    law: replaying.replaysSendAgain,
    kind: 'replays',
    break: log((storage) => ({
      replay: async (accountId, endpointId, range) => {
        const replayed = await storage.log.replay(accountId, endpointId, range);
        const { items } = await storage.log.listDeliveries(accountId, { endpointId }, { limit: 100 });
        const last = items.findLast(({ id }) => id.split('.').length > 2);
        if (last) await addReplay(storage, deliveryKey(accountId, last.id));
        return replayed;
      },
    })),
  },
  {
    how: 'what is sent again is forgotten',
    law: replaying.replaysSendAgain,
    kind: 'replays',
    break: log((storage) => ({
      sendAgain: async (key) => {
        const found = await storage.log.listDeliveries(key.accountId, { endpointId: key.endpointId }, { limit: 100 });
        const ofEvent = found.items.filter(({ eventId }) => eventId === key.eventId);
        const isFinished = ofEvent.every(({ state }) => state === 'delivered' || state === 'exhausted');
        if (!isFinished || ofEvent.length === 0) return storage.log.sendAgain(key);
        const replay = 1 + Math.max(...ofEvent.map(({ id }) => deliveryKey(key.accountId, id).replay));
        return { kind: 'sent', deliveryId: `${key.eventId}.${key.endpointId}.${replay}` };
      },
    })),
  },
];
