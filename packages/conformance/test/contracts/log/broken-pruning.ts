import type { DeliveryLog, PruneLimits } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../../../src/contracts/index.ts';
import { findEvent } from '../../../src/contracts/support/stored.ts';
import { breakPort, clocks, type Double } from '../support/doubles.ts';

const broken = breakPort('log');
type Breaks = Double<StorageFixture>['breaks'];

const day = 86_400_000;
const expires = 'deliveries that are held too long expire, and are reported by endpoint';

const pruning = (
  how: string,
  breaks: Breaks,
  change: (limits: PruneLimits, storeAhead: number) => Partial<PruneLimits>,
) =>
  broken(how, breaks, ({ prune }, _fixture, { storeAhead }) => ({
    prune: (shards, limits) => prune(shards, { ...limits, ...change(limits, storeAhead) }),
  }));

/** Logs that delete too much, too little, or report it wrongly. */
export const brokenPruning: readonly Double<StorageFixture>[] = [
  broken(
    'attempts are pruned above the watermark',
    ['attempts stay while a successor may need them: until the watermark of their shard has passed their event'],
    ({ prune }, { storage, storeNow }) => ({
      prune: async (shards, limits) => {
        const watermark = Math.ceil(await storeNow()) + 1;
        await storage.shards.heartbeat('worker-1', 60_000, { shards, watermark, settlement: 0, isStopping: false });
        return prune(shards, limits);
      },
    }),
  ),
  broken(
    'the log is deleted with the event',
    ['a delivery is listed as long as its log exists, also after its event was pruned'],
    ({ listDeliveries }, { storage }) => ({
      listDeliveries: async (accountId, filter, page) => {
        const { items, ...more } = await listDeliveries(accountId, filter, page);
        const events = await Promise.all(items.map(({ eventId }) => findEvent(storage, accountId, eventId)));
        return { ...more, items: items.filter((_, index) => events[index] !== undefined) };
      },
    }),
  ),
  pruning(
    'held deliveries expire after a week',
    [...clocks(expires), 'a delivery is held since its endpoint was disabled, or since its creation'],
    () => ({ held: 7 * day }),
  ),
  pruning(
    'ages are counted by the clock of the host',
    [...clocks(expires), ...clocks('events go when they are too old')],
    ({ held, events }, storeAhead) => ({ held: held - storeAhead, events: events - storeAhead }),
  ),
  pruning(
    'a call prunes everything',
    ['a call prunes about as many rows as its limit, and reports that there are more'],
    () => ({
      limit: 1_000,
    }),
  ),
  broken(
    'every simultaneous call reports each expired delivery',
    ['exactly one of many simultaneous calls reports each expired delivery'],
    (log) => {
      let last: Awaited<ReturnType<DeliveryLog['prune']>>['expired'] = [];
      return {
        prune: async (...args) => {
          const pruned = await log.prune(...args);
          if (pruned.expired.length > 0) last = pruned.expired;
          return { ...pruned, expired: last };
        },
      };
    },
  ),
  pruning('events go in a week', clocks('events go when they are too old'), () => ({
    events: 7 * day,
  })),
  broken(
    'every old row is pruned',
    [
      'an undispatched event is not pruned; its age counts from its dispatch',
      'an event is not pruned while it has an unfinished delivery, or its shard is not settled up to it',
    ],
    ({ prune }, { storage: { events }, storeNow }) => {
      const [{ listEvents }, firstSeen] = [{ ...events }, new Map<string, number>()];
      let limit = Number.POSITIVE_INFINITY;
      events.listEvents = async (...args) => {
        const { items, ...rest } = await listEvents(...args);
        const now = await storeNow();
        for (const { id } of items) firstSeen.set(id, firstSeen.get(id) ?? now);
        return { ...rest, items: items.filter(({ id }) => now - (firstSeen.get(id) ?? now) < limit) };
      };
      return {
        prune: (shards, limits) => {
          limit = limits.events;
          return prune(shards, limits);
        },
      };
    },
  ),
  pruning('attempts stay for ever', ['old attempts are pruned, but their count stays'], () => ({ attempts: 1e15 })),
  broken(
    'rows that must stay are read again and again',
    ['rows that must stay do not block deletion of newer rows'],
    ({ prune }) => {
      let calls = 0;
      return { prune: (shards, limits) => prune(shards, { ...limits, events: calls++ < 3 ? limits.events : 1e15 }) };
    },
  ),
  breakPort('deliveries')(
    'the last second comes from stored events only',
    ['a timestamp is not reused after its event was pruned'],
    (store) => ({
      readOutbox: async (...args) => {
        const { events, ...state } = await store.readOutbox(...args);
        return { ...state, events: events.map(({ lastTimestamp: _last, ...event }) => event) };
      },
    }),
  ),
];
