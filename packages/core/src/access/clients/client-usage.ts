import type { StoredFields } from '../../base/fields/field.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import type { callRefusals, usageFields } from './usage-fields.ts';

/**
 * Why a call was refused, as the code of its answer.
 *
 * - `insufficient_scope`: the client or its access token does not have the right.
 * - `too_many_requests`: the limit `limits.callsPerClient` is reached.
 * @public
 */
export type CallRefusal = (typeof callRefusals)[number];

/**
 * A refused call of a client.
 * @public
 */
export interface RefusedCall {
  /** When it was refused. */
  readonly at: EpochMs;
  /** Why. */
  readonly reason: CallRefusal;
}

/**
 * The calls of a client on one day.
 * @public
 */
export interface UsageDay {
  readonly clientId: string;
  /** The day in UTC, as `2028-12-31`. */
  readonly date: string;
  /** Number of calls with a valid access token, refused ones included. */
  readonly calls: number;
  /** The last of them. */
  readonly lastCallAt: EpochMs;
  /** The last of them that was refused. */
  readonly lastRefusal?: RefusedCall;
}

/**
 * How a client was used: calls with a valid access token. What a process has not written yet is missing.
 * @public
 */
export interface ClientUsage extends StoredFields<ReturnType<typeof usageFields>> {
  /** The days of the last 30 with calls, oldest first. */
  readonly days: readonly Pick<UsageDay, 'date' | 'calls'>[];
  /** The last of these calls that was refused for its right or a limit. */
  readonly lastRefusal?: RefusedCall;
}
