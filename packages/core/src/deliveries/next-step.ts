import type { DurationMs, EpochMs } from '../runtime/time.ts';
import { isDelivered, isGone, pauseAskedFor, retryDelay } from './retry-schedule.ts';
import type { SendOutcome } from './sender.ts';

/**
 * What an outcome means for its delivery.
 *
 * `gone`: the endpoint answered 410; it is disabled, the delivery is held. `out_of_reach`: the account of the event is no child of the
 * endpoint's any more; the delivery expires. Neither counts as an attempt.
 * @internal
 */
export interface NextStep {
  readonly kind: 'delivered' | 'exhausted' | 'retry' | 'gone' | 'out_of_reach';
  /** Of a `retry`. */
  readonly retryIn: DurationMs;
  /** How long the receiver asks that its endpoint be left alone. */
  readonly pauseFor?: DurationMs;
}

const delivered: NextStep = { kind: 'delivered', retryIn: 0 };
const gone: NextStep = { kind: 'gone', retryIn: 0 };
const outOfReach: NextStep = { kind: 'out_of_reach', retryIn: 0 };

/**
 * @param attempt - Its number among those that count, from 1.
 * @param jitter - Draws from [0, 1).
 * @internal
 */
export const nextStep = (
  attempt: number,
  outcome: SendOutcome,
  jitter: () => number,
  now: EpochMs,
  schedule: readonly DurationMs[],
): NextStep => {
  if (isDelivered(outcome)) return delivered;
  if (isGone(outcome)) return gone;
  if (outcome.kind === 'failed' && outcome.reason === 'out_of_reach') return outOfReach;
  const retryIn = retryDelay(attempt, outcome, jitter(), now, schedule);
  const pauseFor = pauseAskedFor(outcome, now);
  return retryIn === undefined ? { kind: 'exhausted', retryIn: 0, pauseFor } : { kind: 'retry', retryIn, pauseFor };
};
