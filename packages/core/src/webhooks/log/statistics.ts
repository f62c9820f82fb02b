import { type DurationMs, day, type EpochMs, hour } from '../../base/runtime/time.ts';
import { maxCounted } from '../../base/signals/health-change.ts';
import { failureKinds } from '../../base/signals/send-failure.ts';
import type { SendOutcome } from '../deliveries/sender.ts';
import type { FeedProgress } from '../feeds/feed-store.ts';

/**
 * Failed attempts by kind.
 * @public
 */
export interface FailureCounts {
  /** The receiver returned a status of 400 to 499. */
  readonly clientError: number;
  /** The receiver returned a status of 500 to 599. */
  readonly serverError: number;
  /** The receiver returned another status than 2xx, such as a redirect: none is followed. */
  readonly otherStatus: number;
  /** No response headers before the deadline. */
  readonly timeout: number;
  /** No connection, or no usable response on it: `dns`, `forbidden_address`, `connect`, `reset`, `http_…`. */
  readonly connection: number;
  /** The TLS handshake failed: `tls`, `tls_…`. */
  readonly tls: number;
  /** The platform did not send it, or lost the outcome: `abandoned`, `internal`, `out_of_reach`. */
  readonly platform: number;
}

/**
 * Attempts by outcome.
 * @public
 */
export interface OutcomeCounts {
  /** Attempts that the receiver confirmed with a 2xx status. */
  readonly delivered: number;
  /** The others. */
  readonly failed: FailureCounts;
}

/**
 * The attempts of one hour or day of UTC.
 * @public
 */
export interface AttemptBucket extends OutcomeCounts {
  /** The first moment of the hour or day. */
  readonly at: EpochMs;
}

/**
 * How long receivers took to answer, whatever their status.
 * @public
 */
export interface AnswerDurations {
  /** Half of the answers took this long or less, in milliseconds. */
  readonly medianMs: DurationMs;
  /** Nine of ten answers took this long or less, in milliseconds: the slowest tenth took at least as long. */
  readonly p90Ms: DurationMs;
}

/**
 * The last attempt of an endpoint.
 * @public
 */
export type LastAttempt = SendOutcome & {
  /** When the outcome was stored, by the store's clock. */
  readonly at: EpochMs;
  readonly deliveryId: string;
};

/**
 * The work of an endpoint as a store counts it.
 * @public
 */
export interface StoredStatistics {
  readonly endpointId: string;
  /** Hours or days with attempts, oldest first. */
  readonly buckets: readonly AttemptBucket[];
  /** Absent: no receiver answered in the period. */
  readonly durations?: AnswerDurations;
  /** Of all attempts that were read, whatever the period. */
  readonly last?: LastAttempt;
  /**
   * Deliveries that are due, scheduled or in flight; of a pull endpoint, events that were not asked for. At most 10,000
   * (`maxCounted`).
   */
  readonly waiting: number;
  /** Deliveries that are held; at most 10,000. */
  readonly held: number;
  /** When the first of the waiting deliveries is due. Absent: none waits. */
  readonly dueAt?: EpochMs;
}

/**
 * The figures of a webhook for a period.
 * @public
 */
export interface EndpointStatistics extends Omit<StoredStatistics, 'dueAt'> {
  /** Every hour or day of the period, oldest first, with the current one. */
  readonly buckets: readonly AttemptBucket[];
  /** The sum of the buckets. */
  readonly total: OutcomeCounts;
  /** The part of the attempts that were delivered, 0 to 1. Absent: there were none. */
  readonly successRate?: number;
  /** When something is sent next, if nothing is published before: due, and not paused. Absent: nothing waits. */
  readonly nextAttemptAt?: EpochMs;
  /**
   * Pull endpoints: when the place of its program was stored last, which is once a minute at most. `waiting` counts the
   * events after that place. Absent: its events were never read.
   */
  readonly pulledAt?: EpochMs;
  /** Whether all attempts of the period were counted. `false`: only those of the newest events of the account. */
  readonly isComplete: boolean;
}

/** The hours or days of a period, the current one included. */
const periods = {
  '24h': { width: hour, count: 24 },
  '7d': { width: day, count: 7 },
  '30d': { width: day, count: 30 },
} as const satisfies Readonly<Record<StatisticsPeriod, object>>;

/**
 * A period of statistics, up to now: 24 hours, or 7 or 30 days of UTC.
 * @public
 */
export type StatisticsPeriod = '24h' | '7d' | '30d';

/** The names of the periods. */
export const statisticsPeriods = Object.keys(periods) as [StatisticsPeriod, ...StatisticsPeriod[]];

/** The buckets of a period: where they begin, their width, and how many there are. */
interface Buckets {
  readonly from: EpochMs;
  readonly width: DurationMs;
  readonly count: number;
}

/** The buckets of a period up to now. */
export const bucketsOf = (period: StatisticsPeriod, now: EpochMs): Buckets => {
  const { width, count } = periods[period];
  return { from: now - (now % width) - (count - 1) * width, width, count };
};

const noFailures: FailureCounts = {
  clientError: 0,
  serverError: 0,
  otherStatus: 0,
  timeout: 0,
  connection: 0,
  tls: 0,
  platform: 0,
};

/** How an attempt failed; `undefined`: it did not. */
const failureKind = (outcome: SendOutcome): keyof FailureCounts | undefined => {
  if (outcome.kind === 'failed') return failureKinds[outcome.reason];
  const { status } = outcome;
  if (status >= 200 && status < 300) return undefined;
  if (status >= 400 && status < 500) return 'clientError';
  return status >= 500 && status < 600 ? 'serverError' : 'otherStatus';
};

const addCounts = (a: OutcomeCounts, b: OutcomeCounts): OutcomeCounts => {
  const failed: { -readonly [Kind in keyof FailureCounts]: number } = { ...a.failed };
  for (const kind of Object.keys(noFailures) as (keyof FailureCounts)[]) failed[kind] += b.failed[kind];
  return { delivered: a.delivered + b.delivered, failed };
};

/** How many attempts failed. */
const failedIn = ({ failed }: OutcomeCounts): number => Object.values(failed).reduce((sum, count) => sum + count, 0);

/** An attempt to count. */
export interface CountedAttempt {
  readonly at: EpochMs;
  readonly outcome: SendOutcome;
}

/** The value that a part of the sorted values does not exceed. */
const quantile = (sorted: readonly number[], part: number): number => sorted[Math.ceil(part * sorted.length) - 1] ?? 0;

/** Counts the attempts of an endpoint that ended at `from` or later, by outcome. */
export const countOutcomes = (
  attempts: readonly CountedAttempt[],
  from: EpochMs,
  width: DurationMs,
): Pick<StoredStatistics, 'buckets' | 'durations'> => {
  const buckets = new Map<number, AttemptBucket>();
  const durations: number[] = [];
  for (const { at, outcome } of attempts) {
    if (at < from) continue;
    const start = at - (at % width);
    const kind = failureKind(outcome);
    const counts =
      kind === undefined
        ? { delivered: 1, failed: noFailures }
        : { delivered: 0, failed: { ...noFailures, [kind]: 1 } };
    buckets.set(start, { at: start, ...addCounts(buckets.get(start) ?? { delivered: 0, failed: noFailures }, counts) });
    if (outcome.kind === 'answered') durations.push(outcome.durationMs);
  }
  durations.sort((a, b) => a - b);
  return {
    buckets: [...buckets.values()].sort((a, b) => a.at - b.at),
    ...(durations.length === 0
      ? {}
      : { durations: { medianMs: quantile(durations, 0.5), p90Ms: quantile(durations, 0.9) } }),
  };
};

/** The figures of a pull endpoint. */
export const pulledOf = (
  progress: FeedProgress | undefined,
): Partial<Pick<EndpointStatistics, 'waiting' | 'pulledAt'>> => {
  if (!progress) return {};
  const { last, pruned, asked } = progress;
  const waiting = Math.min(last - Math.max(asked?.number ?? 0, pruned), maxCounted);
  return { waiting, ...(asked ? { pulledAt: asked.at } : {}) };
};

/** What a store counted, for every bucket of the period. */
export const statisticsOf = (
  { dueAt, ...stored }: StoredStatistics,
  { from, width, count }: Buckets,
  pausedUntil: EpochMs = 0,
): Omit<EndpointStatistics, 'isComplete'> => {
  const buckets = Array.from({ length: count }, (_none, index): AttemptBucket => {
    const at = from + index * width;
    return stored.buckets.find((each) => each.at === at) ?? { at, delivered: 0, failed: noFailures };
  });
  const total = stored.buckets.reduce<OutcomeCounts>(addCounts, { delivered: 0, failed: noFailures });
  const attempts = total.delivered + failedIn(total);
  return {
    ...stored,
    buckets,
    total,
    ...(attempts === 0 ? {} : { successRate: total.delivered / attempts }),
    ...(dueAt === undefined ? {} : { nextAttemptAt: Math.max(dueAt, pausedUntil) }),
  };
};
