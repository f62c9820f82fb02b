import type { Backlog } from '@partnerkit/core';
import type { DeliveryFact, DeliveryLog, ExplainSnapshot } from '@partnerkit/core/adapter';
import type { StorageFixture } from '../../../src/contracts/index.ts';
import { breakPort, type Double } from '../support/doubles.ts';

const broken = breakPort('log');
type Breaks = Double<StorageFixture>['breaks'];
type Snapshot = (snapshot: ExplainSnapshot) => ExplainSnapshot;

const histories = [1, 2, 3].map(
  (seed) => `a snapshot shows the endpoint as it was at the dispatch of the event: history ${seed}`,
) as unknown as Breaks;

const misexplained = (how: string, breaks: Breaks, change: Snapshot) =>
  broken(how, breaks, ({ readExplainSnapshot }) => ({
    readExplainSnapshot: async (...of) => change(await readExplainSnapshot(...of)),
  }));

const ofDeliveries = (how: string, breaks: Breaks, change: (fact: DeliveryFact) => DeliveryFact) =>
  misexplained(how, breaks, (snapshot) => ({ ...snapshot, deliveries: snapshot.deliveries.map(change) }));

const miscounted = (how: string, breaks: Breaks, change: (backlog: Backlog) => Backlog) =>
  broken(how, breaks, ({ countBacklog }) => ({
    countBacklog: async (accountId) => change(await countBacklog(accountId)),
  }));

/** The snapshot of an event with the endpoint as it is now. */
const asItStands = (
  { readExplainSnapshot }: DeliveryLog,
  { storage: { endpoints } }: StorageFixture,
): Partial<DeliveryLog> => ({
  readExplainSnapshot: async (accountId, eventId, endpointId) => {
    const { event, ...rest } = await readExplainSnapshot(accountId, eventId, endpointId);
    const now = await endpoints.findEndpoint(accountId, endpointId);
    if (!event?.endpointSnapshot || !now) return { ...rest, ...(event ? { event } : {}) };
    const { state, events, includeChildren, createdAt: since } = now;
    const endpoint = { kind: 'there', state, events, includeChildren, since } as const;
    return { ...rest, event: { ...event, endpointSnapshot: endpoint } };
  },
});

const ofAll = 'of all accounts, the oldest due delivery may wait for its first attempt, and is not held';

/** Logs that explain or count wrongly. */
export const brokenExplaining: readonly Double<StorageFixture>[] = [
  broken('an endpoint has no history', histories, asItStands),
  misexplained(
    'the endpoint has no start time of its state',
    ['a snapshot states since when, by the clock of the store'],
    ({ event, ...snapshot }) => {
      const then = event?.endpointSnapshot;
      if (!event || then?.kind !== 'there') return { ...snapshot, ...(event ? { event } : {}) };
      return { ...snapshot, event: { ...event, endpointSnapshot: { ...then, since: 0 } } };
    },
  ),
  ofDeliveries(
    'a waiting delivery is due at once',
    ['a snapshot shows the deliveries of the event to the endpoint'],
    (fact) => (fact.state === 'waiting' ? { ...fact, dueAt: 0 } : fact),
  ),
  misexplained(
    'pauses are not reported',
    ['a snapshot shows whether the endpoint is paused or disabled, and by whom'],
    ({ endpoint, ...snapshot }) => ({
      ...snapshot,
      ...(endpoint ? { endpoint: {} } : {}),
    }),
  ),
  misexplained(
    'pending propagations are not reported',
    ['a snapshot shows the endpoint of a test event, and the account of a copy'],
    ({ propagating: _propagating, ...snapshot }) => snapshot,
  ),
  broken('a snapshot ignores the account', ['a record of another account is reported like an unknown one'], (log) => ({
    readExplainSnapshot: (_accountId, ...ids) => log.readExplainSnapshot('acc_ours', ...ids),
  })),
  broken(
    'unknown history is made up',
    ['pruned history of an endpoint is reported as unknown, not guessed'],
    asItStands,
  ),

  broken(
    'the backlog is that of all accounts',
    ['the backlog counts unfinished deliveries, of one account and of all'],
    (log) => ({
      countBacklog: () => log.countBacklog(),
    }),
  ),
  miscounted(
    'nothing is ever due',
    ['the backlog states how long the oldest due delivery has been due', ofAll],
    (backlog) => {
      const { oldestDue: _oldest, ...counted } = backlog;
      return counted;
    },
  ),
  broken('the age of the oldest due delivery is read of one account alone', [ofAll], ({ countBacklog }) => ({
    countBacklog: async (accountId) => {
      const { oldestDue: _oldest, ...counted } = await countBacklog(accountId);
      return accountId === undefined ? counted : countBacklog(accountId);
    },
  })),
  miscounted(
    'every waiting delivery is due',
    ['a replayed delivery counts as waiting, and is never due'],
    (backlog) => ({
      oldestDue: 0,
      ...backlog,
    }),
  ),
  miscounted('counts are not capped', ['counts are capped'], (backlog) => ({
    ...backlog,
    undispatched: backlog.undispatched + (backlog.undispatched < 10_000 ? 0 : 1),
  })),
  ofDeliveries(
    'every expired delivery was held too long',
    ['pending deliveries of a deleted endpoint expire, once no attempt can be in flight'],
    (fact) => (fact.state === 'expired' ? { ...fact, reason: 'held_too_long' } : fact),
  ),
];
