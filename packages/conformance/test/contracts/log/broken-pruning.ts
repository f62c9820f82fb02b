import type { DeliveryLog, PruneLimits } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../../../src/contracts/index.ts';
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
    'events are pruned above the watermark',
    ['an event is not pruned while it has an unfinished delivery, or its shard is not settled up to it'],
    ({ prune }, { storage, storeNow }) => ({
      prune: async (shards, limits) => {
        const watermark = Math.ceil(await storeNow()) + 1;
        await storage.shards.heartbeat('worker-1', 60_000, { shards, watermark, settlement: 0, isStopping: false });
        return prune(shards, limits);
      },
    }),
  ),
  broken(
    'attempts outlive their event',
    ['the attempts of an event go with it, and its deliveries are listed no more'],
    ({ listAttempts }) => {
      const known = new Map<string, Awaited<ReturnType<DeliveryLog['listAttempts']>>>();
      return {
        listAttempts: async (key) => {
          const found = await listAttempts(key);
          if (found.length > 0) known.set(JSON.stringify(key), found);
          return known.get(JSON.stringify(key)) ?? [];
        },
      };
    },
  ),
  breakPort('deliveries')(
    'an event is pruned whatever was attempted since its dispatch',
    ['an event stays until its last attempt is as old'],
    ({ settle }) => ({
      settle: (worker, settlement, version) =>
        settle(worker, { ...settlement, attempts: settlement.attempts.filter(({ replay }) => replay === 0) }, version),
    }),
  ),
  broken(
    'a call that leaves attempts reports that nothing is left',
    ['an event with more attempts than a call deletes goes in several calls, and blocks no other'],
    ({ prune }) => ({ prune: async (...args) => ({ ...(await prune(...args)), hasMore: false }) }),
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
