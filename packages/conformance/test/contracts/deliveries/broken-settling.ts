import type {
  DeliveryKey,
  DeliveryStore,
  LoggedAttempt,
  PendingDelivery,
  StoredHealth,
} from '@partnerkit/core/adapter';
import type { StorageFixture } from '../../../src/contracts/index.ts';
import { breakPort, clocks, type Double, meanwhile } from '../support/doubles.ts';

const broken = breakPort('deliveries');
const onLog = breakPort('log');
type Breaks = Double<StorageFixture>['breaks'];

const inTheLog = 'attempts are logged with their outcomes, in order, by the clock of the store';
const onceDue = 'scheduled deliveries are read once they are due, by the clock of the store';

/** Pending deliveries, changed when they are read. */
const misread = (how: string, breaks: Breaks, change: (delivery: PendingDelivery) => PendingDelivery) =>
  broken(how, breaks, ({ readDue, readQueued }) => ({
    readDue: async (...args) => {
      const { deliveries, ...state } = await readDue(...args);
      return { ...state, deliveries: deliveries.map(change) };
    },
    readQueued: async (...args) => {
      const { deliveries, ...state } = await readQueued(...args);
      return { ...state, deliveries: deliveries.map(change) };
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
    settle: (workerId, settlement, known) =>
      settle(workerId, { ...settlement, ...change(settlement, storeAhead) }, known),
  }));

const textOf = ({ accountId, eventId, endpointId, replay }: DeliveryKey): string =>
  JSON.stringify([accountId, eventId, endpointId, replay]);

/** Stores that lose or change attempts, health and pending deliveries. */
export const brokenSettling: readonly Double<StorageFixture>[] = [
  settling(
    'what is to be attempted again is forgotten',
    ['a failed attempt of an event that is dispatched again is made again'],
    () => ({ pending: [] }),
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
    ['a logged attempt number is never overwritten', 'a repeated settlement changes nothing'],
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
          return settle(workerId, { ...rest, attempts: renumbered }, 0);
        },
      };
    },
  ),
  broken(
    'a settlement is stored whenever it comes',
    [
      'a settlement that was given up, and comes after the next one, undoes nothing',
      'a repeated settlement does not undo that a delivery was sent again',
    ],
    ({ settle }) => {
      let number = 0;
      return { settle: (workerId, settlement, known) => settle(workerId, { ...settlement, number: ++number }, known) };
    },
  ),
  settling('a finished delivery stays pending', ['a delivery becomes pending, changes, and is finished'], () => ({
    finished: [],
  })),
  settling(
    'a delivery is queued, whatever happened since it was read',
    ['a delivery that was sent again after its worker had read it is not queued'],
    ({ queued }) => ({ queued: queued.map((key) => ({ ...key, isUrgent: true })) }),
  ),
  settling(
    'a queued delivery restarts',
    ['scheduled deliveries become queued, without any other change'],
    ({ pending, queued }) => ({
      pending: [
        ...pending,
        ...queued.map((key) => ({ ...key, state: 'queued' as const, dueIn: 0, attempts: 0, logged: 0 })),
      ],
      queued: [],
    }),
  ),
  broken(
    'health does not change with time',
    clocks('health is reported as durations up to now'),
    ({ settle, readEndpoints }) => {
      const written = new Map<string, StoredHealth>();
      return {
        settle: (workerId, settlement, known) => {
          for (const { endpointId, health } of settlement.health) if (health) written.set(endpointId, health);
          return settle(workerId, settlement, known);
        },
        readEndpoints: async (...args) => {
          const { endpoints, ...state } = await readEndpoints(...args);
          const changed = endpoints.map((each) =>
            each.health ? { ...each, health: written.get(each.endpoint.id) ?? each.health } : each,
          );
          return { ...state, endpoints: changed };
        },
      };
    },
  ),
  broken(
    'health is written for any version of an endpoint',
    ['health is written only for the current version of an enabled endpoint'],
    ({ settle }, { storage: { endpoints } }) => ({
      settle: async (workerId, settlement, known) => {
        const health = settlement.health.map(async (each) => {
          const found = await endpoints.findEndpoint(each.accountId, each.endpointId);
          return { ...each, version: found?.version ?? 0 };
        });
        return settle(workerId, { ...settlement, health: await Promise.all(health) }, known);
      },
    }),
  ),
  broken(
    'an endpoint is disabled at any version',
    [
      'an endpoint is disabled once, at its current version, and keeps its pending deliveries',
      'exactly one of a simultaneous disabling and change of an endpoint succeeds',
    ],
    ({ settle }, { storage: { endpoints } }) => ({
      settle: async (workerId, settlement, known) => {
        await meanwhile();
        const transitions = settlement.transitions.map(async (each) => {
          const version = (await endpoints.findEndpoint(each.accountId, each.endpointId))?.version ?? 0;
          return each.disable ? { ...each, disable: { ...each.disable, version } } : each;
        });
        return settle(workerId, { ...settlement, transitions: await Promise.all(transitions) }, known);
      },
    }),
  ),
  broken(
    'an endpoint is disabled without a check of the account',
    ['a settlement of one account changes no other account'],
    ({ settle }, { storage: { endpoints } }) => ({
      settle: async (workerId, settlement, known) => {
        const transitions = settlement.transitions.map(async (each) => {
          const foreign = await endpoints.findEndpoint('acc_theirs', each.endpointId);
          return foreign ? { ...each, accountId: foreign.accountId } : each;
        });
        return settle(workerId, { ...settlement, transitions: await Promise.all(transitions) }, known);
      },
    }),
  ),

  settling('a delivery is due in half of its time', clocks(onceDue), ({ pending }) => ({
    pending: pending.map((each) => ({ ...each, dueIn: each.dueIn / 2 })),
  })),
  settling('a delivery is due by the clock of the host', clocks(onceDue), ({ pending }, storeAhead) => ({
    pending: pending.map((each) => ({ ...each, dueIn: each.dueIn - storeAhead })),
  })),
  misread(
    'the origin is missing',
    ['a pending delivery is read with its dispatched event'],
    ({ event: { origin: _origin, ...event }, ...delivery }) => ({ ...delivery, event }),
  ),
  ...[true, false].map((isUrgent) =>
    misread(
      `every delivery is read as urgent: ${isUrgent}`,
      ['an urgent delivery is read as such until it is attempted or queued'],
      (delivery) => ({ ...delivery, isUrgent }),
    ),
  ),
  breakPort('endpoints')(
    'an endpoint is resumed at any version',
    ['an endpoint that is resumed is not paused, and has the rest of its health'],
    ({ resumeEndpoint, findEndpoint }) => ({
      resumeEndpoint: async (accountId, endpointId) =>
        resumeEndpoint(accountId, endpointId, (await findEndpoint(accountId, endpointId))?.version ?? 0),
    }),
  ),
  breakPort('endpoints')(
    'an endpoint that is resumed has no health',
    ['an endpoint that is resumed is not paused, and has the rest of its health'],
    ({ replaceEndpoint, findEndpoint }) => ({
      resumeEndpoint: async (accountId, endpointId, version) => {
        const found = await findEndpoint(accountId, endpointId);
        if (found?.version !== version) return false;
        await replaceEndpoint({ ...found, state: 'disabled' });
        return replaceEndpoint({ ...found, version: version + 1 });
      },
    }),
  ),
  broken(
    'deliveries in memory are read again',
    [
      'due deliveries are read of the given shards, up to the limit, without the excluded ones',
      'each queue is read up to its limit, without the excluded deliveries',
    ],
    ({ readDue, readQueued }) => ({
      readDue: (shards, limit) => readDue(shards, limit, [], 0),
      readQueued: (queues) => readQueued(queues, [], 0),
    }),
  ),
  broken(
    'a queue is read from its end',
    ['queued deliveries of an endpoint are read in the order in which they were due'],
    ({ readQueued }) => ({
      readQueued: async (queues, except, known) => {
        const { deliveries, ...state } = await readQueued(queues, except, known);
        return { ...state, deliveries: deliveries.toReversed() };
      },
    }),
  ),
  broken(
    'a queue has one order',
    ['queued deliveries are read most attempted first, then by their due time'],
    ({ readQueued }) => ({
      readQueued: (queues, except, known) =>
        readQueued(
          queues.map((queue) => ({ ...queue, order: 'due' })),
          except,
          known,
        ),
    }),
  ),
  broken(
    'events dispatched at the watermark count as settled',
    ['deliveries in the memory of an owner are queued for the next owner, in the order of dispatch'],
    ({ recover }) => ({
      recover: (workerId, shards) =>
        recover(
          workerId,
          shards.map((each) => ({ ...each, watermark: each.watermark + 1 })),
        ),
    }),
  ),
  broken(
    'no delivery is marked as abandoned',
    ['deliveries of an abandoned shard are marked as possibly attempted'],
    ({ recover }) => ({
      recover: (workerId, shards) =>
        recover(
          workerId,
          shards.map((each) => ({ ...each, wasAbandoned: false })),
        ),
    }),
  ),
  broken('no account with queued deliveries is found', ['accounts with queued deliveries are found, in pages'], () => ({
    readQueuedAccounts: async () => ({ accountIds: [], rest: [] }),
  })),
  broken(
    'accounts with queued deliveries are found in one page alone',
    ['accounts with queued deliveries are found, in pages'],
    ({ readQueuedAccounts }) => ({
      readQueuedAccounts: async (...args) => ({ ...(await readQueuedAccounts(...args)), rest: [] }),
    }),
  ),
  broken(
    'all accounts with queued deliveries are found at once',
    ['accounts with queued deliveries are found, in pages'],
    ({ readQueuedAccounts }) => ({ readQueuedAccounts: (ranges) => readQueuedAccounts(ranges, 1_000) }),
  ),
];
