import { type DurationMs, day, type EpochMs } from '../../base/runtime/time.ts';
import type { Client } from './client.ts';
import type { ClientUsage, UsageDay } from './client-usage.ts';

/** Number of days whose calls are stored, today included. */
const storedDays = 30;
/** Number of days without a login and a call after which a client is unused. */
const unusedDays = 90;
/** The same in milliseconds. */
export const unusedAfter: DurationMs = unusedDays * day;

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

/** When a client was made, logged in or called last, from its days. */
export const lastUseOf = (client: Client, days: readonly UsageDay[]): EpochMs =>
  Math.max(client.createdAt, lastLoginOf(client) ?? 0, ...days.map(({ lastCallAt }) => lastCallAt));

/** The usage of a client from its days, in any order. */
export const usageOf = (client: Client, days: readonly UsageDay[], now: EpochMs): ClientUsage => {
  const first = firstDate(now);
  const current = days.filter(({ date }) => date >= first).toSorted((a, b) => (a.date < b.date ? -1 : 1));
  const lastCallAt = latest(days.map((each) => each.lastCallAt));
  const lastRefusal = current.findLast((each) => each.lastRefusal)?.lastRefusal;
  return {
    ...(lastCallAt === undefined ? {} : { lastCallAt }),
    calls: current.reduce((sum, { calls }) => sum + calls, 0),
    days: current.map(({ date, calls }) => ({ date, calls })),
    ...(lastRefusal ? { lastRefusal } : {}),
    isUnused: lastUseOf(client, days) + unusedAfter <= now,
  };
};
