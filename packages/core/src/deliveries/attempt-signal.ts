import type { EpochMs } from '../runtime/time.ts';
import type { Signal } from '../signals/signal.ts';
import type { ClaimedDelivery, Settlement } from './delivery-queue.ts';

/** What is told of an attempt; of one that was not to be made, that its delivery expired. @internal */
export const attemptSignal = (
  { event, endpoint, deliveryId, attempt: number }: ClaimedDelivery,
  { outcome, next }: Settlement,
  startedAt: EpochMs,
): Signal =>
  next === 'out_of_reach'
    ? {
        kind: 'delivery_expired',
        accountId: event.accountId,
        endpointId: endpoint.id,
        deliveries: 1,
        why: next,
      }
    : {
        kind: 'attempt',
        accountId: event.accountId,
        eventId: event.id,
        deliveryId,
        endpointId: endpoint.id,
        attempt: number,
        startedAt,
        took: outcome.took,
        outcome: outcome.kind === 'answered' ? outcome.status : outcome.reason,
        next: typeof next === 'string' ? next : 'retry',
        ...(event.traceContext === undefined ? {} : { traceContext: event.traceContext }),
      };
