import type { DeliveryLog } from '../log/delivery-log.ts';
import { countOutcomes, type StoredStatistics } from '../log/statistics.ts';
import type { Clock } from '../runtime/clock.ts';
import { maxCounted } from '../signals/health-change.ts';
import { deliveriesOf, deliveryId, isAttempt, isFresh } from './delivery-facts.ts';
import { isDispatched, type Tables } from './tables.ts';

/** Maximum number of attempts that one call reads. */
const maxRead = 20_000;

/** Counts the attempts of endpoints, and what waits. @internal */
export const readStatistics =
  ({ findAccount }: Tables, clock: Clock): DeliveryLog['readStatistics'] =>
  async (accountId, endpointIds, { from, width }) => {
    const account = findAccount(accountId);
    const deliveries = [...(account?.events.values() ?? [])]
      .toReversed()
      .filter(isDispatched)
      .flatMap(deliveriesOf)
      .flatMap((row) => row.log.filter(isAttempt).map((entry) => ({ ...entry, row })));
    const read = deliveries.slice(0, maxRead);
    const waitsIn = (endpointId: string): readonly number[] =>
      [...(account?.events.values() ?? [])]
        .filter(isDispatched)
        .flatMap(deliveriesOf)
        .filter((row) => row.endpointId === endpointId && (row.pending || isFresh(row)))
        .map(({ pending, event }) => pending?.dueAt ?? event.dispatch.at)
        .map((dueAt) => (dueAt === Number.POSITIVE_INFINITY ? clock.now() : dueAt));
    const endpoints = endpointIds.flatMap((endpointId): readonly StoredStatistics[] => {
      const row = account?.endpoints.get(endpointId);
      if (!row) return [];
      const isEnabled = row.endpoint.state === 'enabled';
      const own = read.filter((each) => each.row.endpointId === endpointId);
      const [last] = own.toSorted((a, b) => b.at - a.at);
      const due = waitsIn(endpointId);
      const count = Math.min(due.length, maxCounted);
      return [
        {
          endpointId,
          ...countOutcomes(own, from, width),
          ...(last ? { last: { ...last.outcome, at: last.at, deliveryId: deliveryId(last.row) } } : {}),
          ...(isEnabled ? { waiting: count, held: 0 } : { waiting: 0, held: count }),
          ...(isEnabled && count > 0 ? { dueAt: Math.min(...due) } : {}),
        },
      ];
    });
    return { endpoints, isComplete: endpoints.length === 0 || deliveries.length <= maxRead };
  };
