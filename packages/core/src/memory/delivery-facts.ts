import { deliveryIdOf } from '../deliveries/delivery-id.ts';
import type { SendOutcome } from '../deliveries/sender.ts';
import type { DeliveryFact } from '../log/explain-snapshot.ts';
import { newDelivery, storedDelivery } from './delivery-rows.ts';
import type { EndpointHistory } from './endpoint-history.ts';
import type { DeliveryRow, DispatchedRow, LogRow, PendingRow } from './rows.ts';

/** Whether an attempt counts: 410, abandoned and out-of-reach attempts do not. */
const isCounted = ({ outcome }: LogRow): boolean => {
  if (outcome.kind === 'answered') return outcome.status !== 410;
  return outcome.kind === 'failed' && outcome.reason !== 'abandoned' && outcome.reason !== 'out_of_reach';
};

/** Whether a row of the log is an attempt. @internal */
export const isAttempt = (row: LogRow): row is LogRow & { readonly outcome: SendOutcome } =>
  row.outcome.kind !== 'expired';

/** Whether the shard's owner has it in memory: dispatched, neither logged nor pending. @internal */
export const isFresh = ({ log, pending, event }: DeliveryRow): boolean =>
  log.length === 0 && !pending && event.dispatch.at >= event.account.shard.watermark;

/** All known deliveries of an event, by endpoint and replay. @internal */
export const deliveriesOf = (event: DispatchedRow): readonly DeliveryRow[] => {
  const fresh = event.dispatch.endpointIds
    .filter((endpointId) => !storedDelivery(event, endpointId, 0))
    .map((endpointId) => newDelivery(event, endpointId, 0))
    .filter(isFresh);
  return [...event.deliveries, ...fresh].sort((a, b) =>
    a.endpointId === b.endpointId ? a.replay - b.replay : a.endpointId < b.endpointId ? -1 : 1,
  );
};

/** The id of a delivery. @internal */
export const deliveryId = ({ event, endpointId, replay }: DeliveryRow): string =>
  deliveryIdOf({ accountId: event.account.accountId, eventId: event.event.id, endpointId, replay });

/** The current state of deliveries. @internal */
export interface DeliveryFacts {
  /** The state of one delivery. */
  of(delivery: DeliveryRow): DeliveryFact;
}

type Standing<F = DeliveryFact> = F extends DeliveryFact ? Omit<F, 'id' | 'attempts' | 'last'> : never;

/** Creates the facts over the tables. @internal */
export const createFacts = (history: EndpointHistory): DeliveryFacts => {
  const ofPending = ({ delivery, dueAt, since }: PendingRow): Standing => {
    const row = delivery.event.account.endpoints.get(delivery.endpointId);
    if (!row)
      return { state: 'expired', since: history.endedAt(delivery.endpointId) ?? since, reason: 'endpoint_deleted' };
    if (row.endpoint.state !== 'enabled') return { state: 'held', since: Math.max(row.since, since) };
    // A replayed delivery is due as soon as no other is.
    return { state: 'waiting', dueAt: dueAt === Number.POSITIVE_INFINITY ? since : dueAt };
  };

  const ofLog = ({ log, event }: DeliveryRow): Standing => {
    const last = log.findLast(({ state }) => state !== undefined);
    if (last?.state === undefined) return { state: 'waiting', dueAt: event.dispatch.at };
    const { state, at: since, outcome } = last;
    if (state !== 'expired') return { state, since };
    return { state, since, reason: outcome.kind === 'expired' ? outcome.reason : 'out_of_reach' };
  };

  return {
    of: (delivery) => {
      const { pending, log } = delivery;
      const last = log.findLast(isAttempt)?.outcome;
      return {
        id: deliveryId(delivery),
        attempts: pending ? pending.attempts : log.filter(isCounted).length,
        ...(last ? { last } : {}),
        ...(pending ? ofPending(pending) : ofLog(delivery)),
      };
    },
  };
};
