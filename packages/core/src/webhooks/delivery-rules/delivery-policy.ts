import { type DurationMs, second } from '../../base/runtime/time.ts';
import { type DisableAfter, disableAfter } from './breaker.ts';
import { retrySchedule } from './retry-policy.ts';

/**
 * How deliveries are attempted, and when an endpoint that fails is disabled.
 *
 * A worker uses its own policy, for every delivery whose attempt it ends. So a changed policy holds from the next
 * attempt on, also for deliveries under way; a stored due time stays.
 * @public
 */
export interface DeliveryPolicy {
  /**
   * The delay after each failed attempt, in milliseconds: the first entry follows the first attempt. The number of
   * attempts is one more; an empty list makes one attempt. At most 50 delays, 30 days together, because receivers
   * remember an event for 35 days. @defaultValue 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h
   */
  readonly retrySchedule: readonly DurationMs[];
  /**
   * Maximum time of an attempt, from the DNS lookup to the headers of the response, in milliseconds: 1,000 to 15,000,
   * because the lease of a worker outlives each attempt. @defaultValue 15000
   */
  readonly timeout: DurationMs;
  /**
   * When an endpoint that fails is disabled: all of it, and one exhausted delivery.
   * @defaultValue 5 days of failures, 10 failed attempts
   */
  readonly disableAfter: Partial<DisableAfter>;
}

/** A policy with its defaults. */
export interface WholePolicy extends DeliveryPolicy {
  readonly disableAfter: DisableAfter;
}

export const minTimeout: DurationMs = second;
/** Five seconds less than the lease of a worker, which is renewed every two: a late heartbeat stops no attempt. */
export const maxTimeout: DurationMs = 15 * second;
export const maxRetries = 50;

export const defaultPolicy: WholePolicy = { retrySchedule, timeout: maxTimeout, disableAfter };
