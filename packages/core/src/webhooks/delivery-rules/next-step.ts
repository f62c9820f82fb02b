import type { DurationMs, EpochMs } from '../../base/runtime/time.ts';
import type { SendOutcome } from '../deliveries/sender.ts';
import { isDelivered, isGone, retryAfterPause, retryDelay } from './retry-policy.ts';

/**
 * What an outcome means for its delivery.
 *
 * - `gone`: the endpoint returned 410; it is disabled and the delivery held. Not counted as an attempt.
 * - `out_of_reach`: the event's account is no longer a child; the delivery expires. Not counted as an attempt.
 */
export interface NextStep {
  /** What follows. */
  readonly kind: 'delivered' | 'exhausted' | 'retry' | 'gone' | 'out_of_reach';
  /** The delay of a `retry`, in milliseconds. */
  readonly retryIn: DurationMs;
  /** How long `Retry-After` pauses the whole endpoint, in milliseconds. */
  readonly pauseFor?: DurationMs;
}

const delivered: NextStep = { kind: 'delivered', retryIn: 0 };
const gone: NextStep = { kind: 'gone', retryIn: 0 };
const outOfReach: NextStep = { kind: 'out_of_reach', retryIn: 0 };

/**
 * The next step after an attempt.
 * @param attempt - Its number among attempts that count, from 1.
 * @param jitter - Draws from [0, 1).
 */
export const nextStep = (
  attempt: number,
  outcome: SendOutcome,
  {
    jitter,
    now,
    schedule,
  }: { readonly jitter: () => number; readonly now: EpochMs; readonly schedule: readonly DurationMs[] },
): NextStep => {
  if (isDelivered(outcome)) return delivered;
  if (isGone(outcome)) return gone;
  if (outcome.kind === 'failed' && outcome.reason === 'out_of_reach') return outOfReach;
  const retryIn = retryDelay(attempt, outcome, { jitter: jitter(), now, schedule });
  const pauseFor = retryAfterPause(outcome, now);
  return retryIn === undefined ? { kind: 'exhausted', retryIn: 0, pauseFor } : { kind: 'retry', retryIn, pauseFor };
};
