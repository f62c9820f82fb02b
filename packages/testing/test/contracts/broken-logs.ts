import type {
  Backlog,
  DeliveryFact,
  DeliveryFilter,
  DeliveryLog,
  ExplainSnapshot,
  PruneLimits,
} from '@partnerkit/core';
import { findEvent } from '../../src/contracts/stored.ts';
import type { StorageFixture } from '../../src/index.ts';
import { breakPort, type Double, meanwhile } from './doubles.ts';

const broken = breakPort('log');
type Breaks = Double<StorageFixture>['breaks'];
type Snapshot = (snapshot: ExplainSnapshot) => ExplainSnapshot;

const day = 86_400_000;
const filtered = 'deliveries are filtered by all that is given, in whatever pages';
const again = 'a finished delivery stays as it is, and a new one of the same event is due';
const histories = [1, 2, 3].map(
  (seed) => `an endpoint is told as it stood when the event was dispatched: history ${seed}`,
) as unknown as Breaks;
const expires = 'what is held for too long expires, and is told by endpoint';
const clocks = (law: string): readonly [string, string] => [
  `${law}: a store's clock 3 hours ahead`,
  `${law}: a store's clock 3 hours behind`,
];

const filtering = (how: string, breaks: Breaks, change: (filter: DeliveryFilter) => DeliveryFilter) =>
  broken(how, breaks, ({ listDeliveries }) => ({
    listDeliveries: (accountId, filter, page) => listDeliveries(accountId, change(filter), page),
  }));

const misexplained = (how: string, breaks: Breaks, tell: Snapshot) =>
  broken(how, breaks, ({ readExplainSnapshot }) => ({
    readExplainSnapshot: async (...of) => tell(await readExplainSnapshot(...of)),
  }));

const ofDeliveries = (how: string, breaks: Breaks, tell: (fact: DeliveryFact) => DeliveryFact) =>
  misexplained(how, breaks, (snapshot) => ({ ...snapshot, deliveries: snapshot.deliveries.map(tell) }));

const miscounted = (how: string, breaks: Breaks, tell: (backlog: Backlog) => Backlog) =>
  broken(how, breaks, ({ countBacklog }) => ({
    countBacklog: async (accountId) => tell(await countBacklog(accountId)),
  }));

const pruning = (
  how: string,
  breaks: Breaks,
  change: (limits: PruneLimits, storeAhead: number) => Partial<PruneLimits>,
) =>
  broken(how, breaks, ({ prune }, _fixture, { storeAhead }) => ({
    prune: (shards, limits) => prune(shards, { ...limits, ...change(limits, storeAhead) }),
  }));

/** A dispatched event as its endpoint stands now, whenever it was. */
const asItStands = (
  { readExplainSnapshot }: DeliveryLog,
  { storage: { endpoints } }: StorageFixture,
): Partial<DeliveryLog> => ({
  readExplainSnapshot: async (accountId, eventId, endpointId) => {
    const { event, ...rest } = await readExplainSnapshot(accountId, eventId, endpointId);
    const now = await endpoints.findEndpoint(accountId, endpointId);
    if (!event?.endpointThen || !now) return { ...rest, ...(event ? { event } : {}) };
    const { state, events, includeChildren, createdAt: since } = now;
    const endpoint = { kind: 'there', state, events, includeChildren, since } as const;
    return { ...rest, event: { ...event, endpointThen: endpoint } };
  },
});

/** Logs that list, explain, count or prune wrongly, or send again what they should not. */
export const brokenLogs: readonly Double<StorageFixture>[] = [
  broken(
    'every attempt counts',
    ['each delivery is listed in its state, with the attempts that count'],
    ({ listDeliveries, listAttempts }) => ({
      listDeliveries: async (accountId, filter, request) => {
        const { items, ...rest } = await listDeliveries(accountId, filter, request);
        const counted = items.map(async (each) => {
          const key = { accountId, eventId: each.eventId, endpointId: each.endpointId, replay: 0 };
          return each.state === 'delivered' ? { ...each, attempts: (await listAttempts(key)).length } : each;
        });
        return { ...rest, items: await Promise.all(counted) };
      },
    }),
  ),
  broken(
    'what nobody logged waits for ever',
    ['a delivery that nobody has settled waits, while its shard is not marked as settled'],
    ({ listDeliveries }) => {
      const seen = new Map<string, Awaited<ReturnType<typeof listDeliveries>>>();
      return {
        listDeliveries: async (accountId, filter, request) => {
          const page = await listDeliveries(accountId, filter, request);
          const text = JSON.stringify([accountId, filter, request]);
          if (page.items.length > 0) seen.set(text, page);
          return seen.get(text) ?? page;
        },
      };
    },
  ),
  filtering('the filter knows no states', [filtered], ({ state: _state, ...filter }) => filter),
  filtering('the filter knows no endpoints', [filtered], ({ endpointId: _id, ...filter }) => filter),
  filtering('the filter knows no objects', [filtered], ({ objectId: _objectId, ...filter }) => filter),
  filtering(
    'the filter knows no time',
    ['deliveries are filtered by when their event was dispatched'],
    ({ from: _from, ...filter }) => filter,
  ),
  broken(
    'whoever knows an id reads the attempts',
    ['the attempts of a delivery are for its own account alone'],
    (log) => ({
      listAttempts: (key) => log.listAttempts({ ...key, accountId: 'acc_ours' }),
    }),
  ),
  broken('a bad cursor begins anew', ['a cursor that is none is answered as such'], ({ listDeliveries }) => ({
    listDeliveries: (accountId, filter, { after, ...page }) =>
      listDeliveries(accountId, filter, after !== undefined && /\d/.test(after) ? { ...page, after } : page),
  })),

  broken(
    'whatever is sent again is the old delivery',
    [again, 'while a new delivery is unfinished, sending the old one again names it'],
    () => ({
      sendAgain: async ({ eventId, endpointId }) => ({ kind: 'sent', deliveryId: `${eventId}.${endpointId}` }),
    }),
  ),
  broken(
    'nothing is ever sent again',
    ['a delivery that waits is due now, under its own id', 'nothing is sent again whose event was dropped'],
    () => ({ sendAgain: async () => ({ kind: 'not_found' }) }),
  ),
  broken('whoever knows a delivery has it sent again', ['a refusal changes nothing'], ({ sendAgain }) => ({
    sendAgain: (key) => sendAgain({ ...key, accountId: 'acc_ours' }),
  })),
  broken(
    'what is unfinished is looked up, and then a new one is made',
    ['of many who send a delivery again at once, exactly one makes it'],
    ({ sendAgain }) => ({
      sendAgain: async (key) => {
        await meanwhile();
        const sent = await sendAgain(key);
        return sent.kind === 'unfinished' ? { ...sent, kind: 'sent' } : sent;
      },
    }),
  ),
  broken(
    'what is replayed goes first',
    ['a replay queues what the endpoint receives now, sent to it before or not, behind all others'],
    ({ replay, listDeliveries, sendAgain }) => ({
      replay: async (accountId, endpointId, range) => {
        const replayed = await replay(accountId, endpointId, range);
        const { items } = await listDeliveries(accountId, { endpointId, state: 'waiting' }, {});
        for (const { eventId } of items) await sendAgain({ accountId, eventId, endpointId, replay: 1 });
        return replayed;
      },
    }),
  ),
  broken(
    'a replay makes nothing',
    [
      'a replay raises the endpoint version of its shard, and wakes',
      'an event with an unfinished delivery is left out, so of racers one makes each delivery',
      'a long replay comes in batches, oldest first, each event once',
      'a replay counts as waiting, and is never due',
    ],
    () => ({ replay: async () => ({ kind: 'replayed', deliveries: 0 }) }),
  ),
  broken(
    'a replay knows types, and no pairs',
    ['a replay queues what the endpoint selects: a type of every object, a pair of one'],
    ({ replay }, { storage: { endpoints } }) => ({
      replay: async (accountId, endpointId, range) => {
        const found = await endpoints.findEndpoint(accountId, endpointId);
        const hasPairs = found?.events.some((selector) => selector.includes('.'));
        return hasPairs ? { kind: 'replayed', deliveries: 0 } : replay(accountId, endpointId, range);
      },
    }),
  ),
  broken(
    'a replay is made by whoever asks, of everything',
    [
      'a replay begins and ends when it should',
      'nothing is replayed to an endpoint that is disabled, deleted, or of another account',
    ],
    ({ replay }) => ({
      replay: async (_accountId, endpointId, range) => {
        const replayed = await replay('acc_ours', endpointId, { ...range, from: 0, to: 2 ** 48 - 1 });
        return replayed.kind === 'replayed' ? replayed : { kind: 'replayed', deliveries: 0 };
      },
    }),
  ),

  broken('an endpoint has no history', histories, asItStands),
  misexplained(
    'an endpoint has stood as it stands for ever',
    ['since when an endpoint stood so when an event was dispatched is told by the clock of the store'],
    ({ event, ...snapshot }) => {
      const then = event?.endpointThen;
      if (!event || then?.kind !== 'there') return { ...snapshot, ...(event ? { event } : {}) };
      return { ...snapshot, event: { ...event, endpointThen: { ...then, since: 0 } } };
    },
  ),
  ofDeliveries(
    'what waits is due at once',
    ['deliveries of the event to the endpoint are told as they stand'],
    (fact) => (fact.state === 'waiting' ? { ...fact, dueAt: 0 } : fact),
  ),
  misexplained(
    'pauses are not told',
    ['an endpoint is told to be paused, or disabled, and by whom'],
    ({ endpoint, ...snapshot }) => ({
      ...snapshot,
      ...(endpoint ? { endpoint: {} } : {}),
    }),
  ),
  misexplained(
    'nobody is told what waits for a parent',
    ['a snapshot names the endpoint of a test event, and the account of a copy'],
    ({ propagating: _propagating, ...snapshot }) => snapshot,
  ),
  broken('whoever names ids is told', ['what belongs to another account is told like what is not there'], (log) => ({
    readExplainSnapshot: (_accountId, ...ids) => log.readExplainSnapshot('acc_ours', ...ids),
  })),
  broken(
    'what is forgotten is made up',
    ['what is no longer known of an endpoint is forgotten, not guessed'],
    asItStands,
  ),

  broken(
    'the backlog is that of everybody',
    ['the backlog counts what is not finished, of one account and of all'],
    (log) => ({
      countBacklog: () => log.countBacklog(),
    }),
  ),
  miscounted('nothing is ever due', ['the oldest delivery that is due says for how long it has been'], (backlog) => {
    const { oldestDue: _oldest, ...counted } = backlog;
    return counted;
  }),
  miscounted('whatever waits is due', ['a replay counts as waiting, and is never due'], (backlog) => ({
    oldestDue: 0,
    ...backlog,
  })),
  miscounted('all is counted', ['counting ends at some number'], (backlog) => ({
    ...backlog,
    undispatched: backlog.undispatched + (backlog.undispatched < 10_000 ? 0 : 1),
  })),

  broken(
    'what is logged goes with its event',
    ['a delivery is listed as long as its log is kept, though its event is gone'],
    ({ listDeliveries }, { storage }) => ({
      listDeliveries: async (accountId, filter, page) => {
        const { items, ...more } = await listDeliveries(accountId, filter, page);
        const events = await Promise.all(items.map(({ eventId }) => findEvent(storage, accountId, eventId)));
        return { ...more, items: items.filter((_, index) => events[index] !== undefined) };
      },
    }),
  ),
  pruning(
    'a week is enough for what is held',
    [...clocks(expires), 'a delivery is held since its endpoint was disabled, or since it came'],
    () => ({ held: 7 * day }),
  ),
  pruning(
    'ages are counted by the clock of the host',
    [...clocks(expires), ...clocks('events go when they are too old')],
    ({ held, events }, storeAhead) => ({ held: held - storeAhead, events: events - storeAhead }),
  ),
  ofDeliveries(
    'whatever expired was held for too long',
    ['what a deleted endpoint has pending expires, once no attempt can be under way'],
    (fact) => (fact.state === 'expired' ? { ...fact, why: 'held_too_long' } : fact),
  ),
  pruning('a call prunes all', ['a call prunes about as much as it may, and says that there is more'], () => ({
    limit: 1_000,
  })),
  broken(
    'what expired is told by all who prune',
    ['of many who prune at once one tells of each delivery that expires'],
    (log) => {
      let last: Awaited<ReturnType<DeliveryLog['prune']>>['expired'] = [];
      return {
        prune: async (...asked) => {
          const pruned = await log.prune(...asked);
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
    'whatever is old goes',
    [
      'an event that was not dispatched stays, and is young when it is',
      'an event with an unfinished delivery, or that its shard is not settled to, stays',
    ],
    ({ prune }, { storage: { events }, storeNow }) => {
      const [{ listEvents }, firstSeen] = [{ ...events }, new Map<string, number>()];
      let limit = Number.POSITIVE_INFINITY;
      events.listEvents = async (...asked) => {
        const { items, ...rest } = await listEvents(...asked);
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
  pruning(
    'attempts stay for ever',
    ['attempts go when they are too old, but not the count of those that count'],
    () => ({ attempts: 1e15 }),
  ),
  broken(
    'what must stay is looked at again and again',
    ['rows that must stay do not block deletion of newer rows'],
    ({ prune }) => {
      let calls = 0;
      return { prune: (shards, limits) => prune(shards, { ...limits, events: calls++ < 3 ? limits.events : 1e15 }) };
    },
  ),
  breakPort('deliveries')(
    'seconds are those of events that are there',
    ['a second is not used again, though its event is gone'],
    (store) => ({
      readOutbox: async (...asked) => {
        const { events, ...state } = await store.readOutbox(...asked);
        return { ...state, events: events.map(({ lastSecond: _last, ...event }) => event) };
      },
    }),
  ),
];
