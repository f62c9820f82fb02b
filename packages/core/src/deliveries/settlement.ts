import type { DurationMs, EpochMs } from '../runtime/time.ts';
import type { ClaimedDelivery, Settlement } from './delivery-queue.ts';
import { isDelivered, isGone, pauseAskedFor, retryDelay } from './retry-schedule.ts';
import type { SendOutcome } from './sender.ts';

/**
 * What an outcome means for its delivery and its endpoint. `jitter` draws from [0, 1) where it is needed.
 * @internal
 */
export const settlementOf = (
  { deliveryId, lease, attempt }: Pick<ClaimedDelivery, 'deliveryId' | 'lease' | 'attempt'>,
  outcome: SendOutcome,
  jitter: () => number,
  now: EpochMs,
  schedule?: readonly DurationMs[],
): Settlement => {
  const settled = { deliveryId, lease, outcome };
  if (isDelivered(outcome)) return { ...settled, next: 'delivered' };
  if (isGone(outcome)) return { ...settled, next: 'gone' };
  const retryIn = retryDelay(attempt, outcome, jitter(), now, schedule);
  const pauseFor = pauseAskedFor(outcome, now);
  return {
    ...settled,
    next: retryIn === undefined ? 'exhausted' : { retryIn },
    ...(pauseFor > 0 ? { pauseFor } : {}),
  };
};

/** What becomes of a delivery that may not be sent, since the account of its event is no child any more. @internal */
export const outOfReach = ({ deliveryId, lease }: Pick<ClaimedDelivery, 'deliveryId' | 'lease'>): Settlement => ({
  deliveryId,
  lease,
  outcome: { kind: 'failed', reason: 'out_of_reach', took: 0 },
  next: 'out_of_reach',
});
