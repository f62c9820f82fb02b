import type { StoredFields } from '../../base/fields/field.ts';
import { day, type EpochMs } from '../../base/runtime/time.ts';
import type { Client } from './client.ts';
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
  /** The client. */
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

/** Number of days whose calls are stored, today included. */
const storedDays = 30;
/** Number of days without a login and a call after which a client is unused. */
const unusedDays = 90;

/** The day of a time, in UTC. */
export const dateOf = (at: EpochMs): string => new Date(at).toISOString().slice(0, 10);

/** The first day whose calls are stored. */
export const firstDate = (now: EpochMs): string => dateOf(now - (storedDays - 1) * day);

const latest = (times: readonly (EpochMs | undefined)[]): EpochMs | undefined => {
  const known = times.filter((at) => at !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
};

/** The last login of a client. */
export const lastLoginOf = ({ secrets }: Pick<Client, 'secrets'>): EpochMs | undefined =>
  latest(secrets.map(({ lastUsedAt }) => lastUsedAt));

/** The usage of a client from its days, in any order. */
export const usageOf = (client: Client, days: readonly UsageDay[], now: EpochMs): ClientUsage => {
  const first = firstDate(now);
  const current = days.filter(({ date }) => date >= first).toSorted((a, b) => (a.date < b.date ? -1 : 1));
  const lastCallAt = latest(days.map((each) => each.lastCallAt));
  const lastRefusal = current.findLast((each) => each.lastRefusal)?.lastRefusal;
  const lastUse = latest([client.createdAt, lastLoginOf(client), lastCallAt]) ?? now;
  return {
    ...(lastCallAt === undefined ? {} : { lastCallAt }),
    calls: current.reduce((sum, { calls }) => sum + calls, 0),
    days: current.map(({ date, calls }) => ({ date, calls })),
    ...(lastRefusal ? { lastRefusal } : {}),
    isUnused: lastUse + unusedDays * day <= now,
  };
};
