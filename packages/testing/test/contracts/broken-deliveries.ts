import type {
  DeliveryKey,
  DeliveryStore,
  LoggedAttempt,
  OutboxEvent,
  PendingDelivery,
  StoredHealth,
} from '@partnerkit/core';
import type { StorageFixture } from '../../src/index.ts';
import { breakPort, type Double, meanwhile } from './doubles.ts';

const broken = breakPort('deliveries');
const onLog = breakPort('log');
type Breaks = Double<StorageFixture>['breaks'];

const clocks = (law: string): readonly [string, string] => [
  `${law}: a store's clock 3 hours ahead`,
  `${law}: a store's clock 3 hours behind`,
];
const atOnce = 'what is stamped together is dispatched at one moment, by the clock of the store';
const inTheLog = 'attempts are logged as they ended, in order, by the clock of the store';
const onceDue = 'scheduled deliveries are read once they are due, by the clock of the store';
const inOrder = 'the outbox is read in the order of the ranges, of accounts, and of publication';

/** What is read of the outbox, told otherwise. */
const reading = (
  how: string,
  breaks: Breaks,
  tell: (events: readonly OutboxEvent[], storeAhead: number) => readonly OutboxEvent[],
) =>
  broken(how, breaks, ({ readOutbox }, _fixture, { storeAhead }) => ({
    readOutbox: async (...asked) => {
      const { events, ...state } = await readOutbox(...asked);
      return { ...state, events: tell(events, storeAhead) };
    },
  }));

/** What is read of deliveries that wait, told otherwise. */
const telling = (how: string, breaks: Breaks, tell: (delivery: PendingDelivery) => PendingDelivery) =>
  broken(how, breaks, ({ readDue, readQueued }) => ({
    readDue: async (...asked) => {
      const { deliveries, ...state } = await readDue(...asked);
      return { ...state, deliveries: deliveries.map(tell) };
    },
    readQueued: async (...asked) => {
      const { deliveries, ...state } = await readQueued(...asked);
      return { ...state, deliveries: deliveries.map(tell) };
    },
  }));

type Settle = DeliveryStore['settle'];
/** Settlements changed before they are stored. */
const settling = (
  how: string,
  breaks: Breaks,
  change: (settlement: Parameters<Settle>[1], storeAhead: number) => Partial<Parameters<Settle>[1]>,
) =>
  broken(how, breaks, ({ settle }, _fixture, { storeAhead }) => ({
    settle: (workerId, settlement) => settle(workerId, { ...settlement, ...change(settlement, storeAhead) }),
  }));

const textOf = ({ accountId, eventId, endpointId, replay }: DeliveryKey): string =>
  JSON.stringify([accountId, eventId, endpointId, replay]);

/** Stores that lose, misplace, change or mix up what they keep of deliveries. */
export const brokenDeliveries: readonly Double<StorageFixture>[] = [
  broken('ranges are read in an order of their own', [inOrder], ({ readOutbox }) => ({
    readOutbox: (ranges, limit) => readOutbox(ranges.toReversed(), limit),
  })),
  broken('a range begins with the account after which it was to begin', [inOrder], ({ readOutbox }) => ({
    readOutbox: (ranges, limit) =>
      readOutbox(
        ranges.map(({ after, ...range }) => (after === undefined ? range : { ...range, after: after.slice(0, -1) })),
        limit,
      ),
  })),
  reading('an account is left out', [inOrder], (events) => events.filter(({ accountId }) => !accountId.includes('ｱ'))),
  reading('accounts are in the order of UTF-16', [inOrder], (events) =>
    events.toSorted((a, b) => (a.shard === b.shard ? Number(a.accountId > b.accountId) - 0.5 : 0)),
  ),
  reading('the events of an account are in the order of their ids', [inOrder], (events) =>
    events.toSorted((a, b) => (a.accountId === b.accountId ? Number(a.id > b.id) - 0.5 : 0)),
  ),
  broken(
    'as many are read of each range',
    ['the outbox is read up to the limit, of whatever ranges'],
    ({ readOutbox }) => ({
      readOutbox: async (ranges, limit) => {
        const read = await Promise.all(ranges.map((range) => readOutbox([range], limit)));
        const state = read[0] ?? (await readOutbox([], 0));
        return { ...state, events: read.flatMap(({ events }) => events) };
      },
    }),
  ),
  broken(
    'events are found by sequence',
    ['an event that was committed late is read, one that was rolled back never'],
    (store) => {
      let last = '';
      return {
        readOutbox: async (...asked) => {
          const { events, ...state } = await store.readOutbox(...asked);
          const later = events.filter(({ id }) => id > last);
          last = later.at(-1)?.id ?? last;
          return { ...state, events: later };
        },
      };
    },
  ),
  reading('the trace is not read', ['an event is read as it was published'], (events) =>
    events.map(({ traceContext: _trace, ...event }) => event),
  ),
  reading(
    'events are stored by the clock of the host',
    clocks('an event is stored and read by the clock of the store'),
    (events, ahead) => events.map((event) => ({ ...event, storedAt: event.storedAt - ahead })),
  ),
  reading(
    'an object is that of all accounts',
    ['the last second is the largest of its object in its account'],
    (events) => events.map((event) => ({ ...event, lastSecond: 200 })),
  ),
  broken(
    'what waits is read without versions',
    ['every read and every settlement tells the endpoint version of each shard'],
    (store) => ({
      readDue: async (...asked) => ({ ...(await store.readDue(...asked)), endpointVersions: '' }),
    }),
  ),

  broken(
    'events are stamped for the first of their endpoints',
    ['a stamped event leaves the outbox, with the bytes of its second, for its endpoints'],
    ({ stamp }) => ({
      stamp: (workerId, events, ...rest) =>
        stamp(
          workerId,
          events.map((each) => ({ ...each, endpointIds: each.endpointIds.slice(0, 1) })),
          ...rest,
        ),
    }),
  ),
  broken(
    'an event that is gone from the outbox is an error',
    ['a stamp that is made again changes nothing, and stamps what is new'],
    (store) => {
      const stamped = new Set<string>();
      return {
        stamp: async (workerId, events, ...rest) => {
          if (events.some(({ event: { id } }) => stamped.has(id))) throw new Error('no row was deleted');
          for (const { event } of events) stamped.add(event.id);
          return store.stamp(workerId, events, ...rest);
        },
      };
    },
  ),
  broken(
    'events are stamped one by one',
    [...clocks(atOnce), 'two events of an object never share a second: nothing of such a stamp is stored'],
    ({ stamp }, { elapse }) => ({
      stamp: async (workerId, events, ...rest) => {
        for (const each of events) {
          if ((await stamp(workerId, [each], ...rest)) === 'fenced') return 'fenced';
          await elapse(1);
        }
        return 'stored';
      },
    }),
  ),
  onLog(
    'events are dispatched by the clock of the host',
    clocks(atOnce),
    ({ listDeliveries }, _fixture, { storeAhead }) => ({
      listDeliveries: (accountId, { from = 0, to = 2 ** 48 - 1, ...filter }, page) =>
        listDeliveries(accountId, { ...filter, from: from + storeAhead, to: to + storeAhead }, page),
    }),
  ),
  broken(
    'events are dispatched whenever the clock says',
    ['events are dispatched at notBefore where that is later'],
    ({ stamp }) => ({
      stamp: (workerId, events, pending) => stamp(workerId, events, pending, 0),
    }),
  ),
  broken(
    'an account has one event a second',
    ['one second may be that of many objects, and of an object in many accounts'],
    (store) => ({
      stamp: async (workerId, events, ...rest) => {
        const seconds = events.map(({ event: { accountId }, timestamp }) => `${accountId} ${timestamp}`);
        if (new Set(seconds).size < seconds.length) throw new Error('duplicate key');
        return store.stamp(workerId, events, ...rest);
      },
    }),
  ),
  broken(
    'postponed deliveries are written over what is pending',
    ['postponed deliveries are pending; those that are so already stay as they are'],
    ({ stamp, settle }) => ({
      stamp: async (workerId, events, pending, notBefore) => {
        const stamped = await stamp(workerId, events, [], notBefore);
        await settle(workerId, { ...{ attempts: [], queued: [], finished: [], health: [], transitions: [] }, pending });
        return stamped;
      },
    }),
  ),

  settling('Retry-After is not kept', clocks(inTheLog), ({ attempts }) => ({
    attempts: attempts.map((attempt): LoggedAttempt => {
      if (attempt.outcome.kind !== 'answered') return attempt;
      const { retryAfter: _retryAfter, ...outcome } = attempt.outcome;
      return { ...attempt, outcome };
    }),
  })),
  onLog(
    'attempts are logged by the clock of the host',
    clocks(inTheLog),
    ({ listAttempts }, _fixture, { storeAhead }) => ({
      listAttempts: async (key) => (await listAttempts(key)).map((each) => ({ ...each, at: each.at - storeAhead })),
    }),
  ),
  broken(
    'each attempt is a new row',
    ['a number that a delivery has logged stays as it is', 'a settlement that is made again changes nothing more'],
    ({ settle }) => {
      const seen = new Set<string>();
      return {
        settle: (workerId, { attempts, ...rest }) => {
          const renumbered = attempts.map((each) => {
            const text = `${textOf(each)} ${each.number}`;
            const isKnown = seen.has(text);
            seen.add(text);
            return isKnown ? { ...each, number: each.number + 1_000 } : each;
          });
          return settle(workerId, { ...rest, attempts: renumbered });
        },
      };
    },
  ),
  settling('what is finished stays pending', ['a delivery becomes pending, changes, and is finished'], () => ({
    finished: [],
  })),
  settling(
    'what is queued begins anew',
    ['scheduled deliveries become queued, and change in nothing else'],
    ({ pending, queued }) => ({
      pending: [
        ...pending,
        ...queued.map((key) => ({ ...key, state: 'queued' as const, dueIn: 0, attempts: 0, logged: 0 })),
      ],
      queued: [],
    }),
  ),
  broken(
    'health stays as it was written',
    clocks('health is told in lengths of time up to now'),
    ({ settle, readEndpoints }) => {
      const written = new Map<string, StoredHealth>();
      return {
        settle: (workerId, settlement) => {
          for (const { endpointId, health } of settlement.health) if (health) written.set(endpointId, health);
          return settle(workerId, settlement);
        },
        readEndpoints: async (...asked) => {
          const { endpoints, ...state } = await readEndpoints(...asked);
          const told = endpoints.map((each) =>
            each.health ? { ...each, health: written.get(each.endpoint.id) ?? each.health } : each,
          );
          return { ...state, endpoints: told };
        },
      };
    },
  ),
  broken(
    'whatever is known of an endpoint is written',
    ['health is written while its endpoint is enabled and has its version'],
    ({ settle }, { storage: { endpoints } }) => ({
      settle: async (workerId, settlement) => {
        const health = settlement.health.map(async (each) => {
          const found = await endpoints.findEndpoint(each.accountId, each.endpointId);
          return { ...each, version: found?.version ?? 0 };
        });
        return settle(workerId, { ...settlement, health: await Promise.all(health) });
      },
    }),
  ),
  broken(
    'an endpoint is disabled as it stands',
    [
      'an endpoint is disabled once, while it has its version; what it has pending stays',
      'of disabling and changing an endpoint at once exactly one wins',
    ],
    ({ settle }, { storage: { endpoints } }) => ({
      settle: async (workerId, settlement) => {
        await meanwhile();
        const transitions = settlement.transitions.map(async (each) => {
          const version = (await endpoints.findEndpoint(each.accountId, each.endpointId))?.version ?? 0;
          return each.disable ? { ...each, disable: { ...each.disable, version } } : each;
        });
        return settle(workerId, { ...settlement, transitions: await Promise.all(transitions) });
      },
    }),
  ),
  broken(
    'whoever names an endpoint disables it',
    ['a settlement for us changes nothing of another account'],
    ({ settle }, { storage: { endpoints } }) => ({
      settle: async (workerId, settlement) => {
        const transitions = settlement.transitions.map(async (each) => {
          const foreign = await endpoints.findEndpoint('acc_theirs', each.endpointId);
          return foreign ? { ...each, accountId: foreign.accountId } : each;
        });
        return settle(workerId, { ...settlement, transitions: await Promise.all(transitions) });
      },
    }),
  ),

  settling('a delivery is due in half of its time', clocks(onceDue), ({ pending }) => ({
    pending: pending.map((each) => ({ ...each, dueIn: each.dueIn / 2 })),
  })),
  settling('a delivery is due by the clock of the host', clocks(onceDue), ({ pending }, storeAhead) => ({
    pending: pending.map((each) => ({ ...each, dueIn: each.dueIn - storeAhead })),
  })),
  telling(
    'nobody is told of an origin',
    ['a delivery that waits is read with its event as it was stamped'],
    ({ event: { origin: _origin, ...event }, ...delivery }) => ({ ...delivery, event }),
  ),
  broken(
    'what is in memory is read again',
    [
      'due deliveries are read of the given shards, up to the limit, except those named',
      'each queue is read up to its limit, except the deliveries named',
    ],
    ({ readDue, readQueued }) => ({
      readDue: (shards, limit) => readDue(shards, limit, []),
      readQueued: (queues) => readQueued(queues, []),
    }),
  ),
  broken(
    'a queue is read from its end',
    ['queued deliveries of an endpoint are read in the order in which they were due'],
    ({ readQueued }) => ({
      readQueued: async (queues, except) => {
        const { deliveries, ...state } = await readQueued(queues, except);
        return { ...state, deliveries: deliveries.toReversed() };
      },
    }),
  ),
  broken(
    'a queue has one order',
    ['queued deliveries are read most attempted first, and of these the one that was due first'],
    ({ readQueued }) => ({
      readQueued: (queues, except) =>
        readQueued(
          queues.map((queue) => ({ ...queue, order: 'due' })),
          except,
        ),
    }),
  ),
  broken(
    'what was dispatched at the mark is settled',
    ['what an owner had in memory is queued for the next, in the order of dispatch'],
    ({ recover }) => ({
      recover: (workerId, shards) =>
        recover(
          workerId,
          shards.map((each) => ({ ...each, settledTo: each.settledTo + 1 })),
        ),
    }),
  ),
  broken(
    'nothing was abandoned',
    ['of a shard that was abandoned, what may have been attempted is marked so'],
    ({ recover }) => ({
      recover: (workerId, shards) =>
        recover(
          workerId,
          shards.map((each) => ({ ...each, wasAbandoned: false })),
        ),
    }),
  ),
  broken(
    'only accounts that are named are read',
    ['endpoints are read by account in the order in which they were created, with what is queued'],
    ({ readEndpoints }) => ({ readEndpoints: (accountIds) => readEndpoints(accountIds, []) }),
  ),
];
