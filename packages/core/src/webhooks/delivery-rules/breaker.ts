import { type DurationMs, day, minute, second } from '../../base/runtime/time.ts';
import type { HealthChange, LastFailure } from '../../base/signals/health-change.ts';
import type { HealthWrite, StoredHealth } from '../deliveries/delivery-store.ts';
import type { SendOutcome } from '../deliveries/sender.ts';
import type { NextStep } from './next-step.ts';

/** Consecutive failed attempts that open the breaker. @public */
export const failuresToOpen = 5;

/** How long the breaker stays open: after it opens, and after each failed probe. The last entry repeats. @public */
export const breakerPauses: readonly DurationMs[] = [minute, 5 * minute, 15 * minute];

/** The pauses with a sender for development: the same number, each at most 5 seconds. */
export const developmentPauses: readonly DurationMs[] = breakerPauses.map((pause) => Math.min(pause, 5 * second));

/**
 * When an endpoint that fails is disabled, beside one exhausted delivery.
 * @public
 */
export interface DisableAfter {
  /** Minimum duration of the failures, in milliseconds. @defaultValue 5 days */
  readonly failing: DurationMs;
  /** Minimum number of failed attempts. @defaultValue 10 */
  readonly failures: number;
}

/**
 * By default, an endpoint is disabled after 5 days of failures, at least 10 failed attempts and one exhausted delivery.
 * A quiet endpoint that fails once is not disabled, however long ago it last succeeded.
 * @public
 */
export const disableAfter: DisableAfter = { failing: 5 * day, failures: 10 };

/** What the breaker does, and when. */
export interface BreakerPolicy {
  /** How long the breaker stays open: after it opens, and after each failed probe. The last entry repeats. */
  readonly pauses: readonly DurationMs[];
  readonly disableAfter: DisableAfter;
}

/** The policy of a breaker without options. */
export const defaultBreaker: BreakerPolicy = { pauses: breakerPauses, disableAfter };

/** The failures of an enabled endpoint, by the worker's monotonic clock. `undefined` for an endpoint that works. */
export interface Health {
  /** Failed attempts since the last success. */
  readonly failures: number;
  /** When the first of them ended. */
  readonly since: number;
  /** Whether one of them exhausted its delivery. */
  readonly isExhausted: boolean;
  /** How often the breaker opened since the last success; 0 while it is closed. */
  readonly openCount: number;
  /** Until when the breaker is open. */
  readonly openUntil: number;
  /** Until when `Retry-After` pauses the endpoint. Neither a success nor a shorter `Retry-After` reduces it. */
  readonly retryAfterUntil: number;
  /** The last of the failed attempts. */
  readonly lastFailure?: LastFailure | undefined;
}

/** The effect of an attempt on health. */
export interface HealthUpdate {
  /** `undefined` for an endpoint that works. */
  readonly health: Health | undefined;
  /** The change to signal, if any. */
  readonly change?: HealthChange;
}

const healthy = (now: number): Health => ({
  failures: 0,
  since: now,
  isExhausted: false,
  openCount: 0,
  openUntil: now,
  retryAfterUntil: now,
});

/** Until when nothing is sent. */
export const pausedUntil = ({ openUntil, retryAfterUntil }: Health): number => Math.max(openUntil, retryAfterUntil);

/** Whether only one delivery at a time is sent, as a probe. */
export const isHalfOpen = (health: Health | undefined): boolean => health !== undefined && health.openCount > 0;

const afterSuccess = ({ retryAfterUntil }: Health, now: number): Health | undefined =>
  retryAfterUntil > now ? { ...healthy(now), retryAfterUntil } : undefined;

const afterFailure = (
  health: Health,
  { next: { kind, pauseFor = 0 }, now, lastFailure }: { next: NextStep; now: number; lastFailure: LastFailure },
  pauses: readonly DurationMs[],
): Health => {
  const failures = health.failures + 1;
  // Attempts that were in flight when the pause began do not reopen the breaker.
  const opens = failures >= failuresToOpen && now >= pausedUntil(health);
  const pause = pauses[Math.min(health.openCount, pauses.length - 1)] as DurationMs;
  return {
    failures,
    since: health.failures === 0 ? now : health.since,
    isExhausted: health.isExhausted || kind === 'exhausted',
    openCount: health.openCount + (opens ? 1 : 0),
    openUntil: opens ? now + pause : health.openUntil,
    retryAfterUntil: Math.max(health.retryAfterUntil, now + pauseFor),
    lastFailure,
  };
};

/** Whether an attempt was never made: it does not count against the endpoint. */
export const isBlameless = (outcome: SendOutcome): boolean =>
  outcome.kind === 'failed' && (outcome.reason === 'internal' || outcome.reason === 'out_of_reach');

/** An attempt that ended. */
interface EndedAttempt {
  readonly event: Omit<LastFailure, 'outcome'>;
  readonly outcome: SendOutcome;
  readonly next: NextStep;
  readonly now: number;
}

/** The circuit breaker: the health of an enabled endpoint after an attempt. */
export const updateHealth = (
  known: Health | undefined,
  { event, outcome, next, now }: EndedAttempt,
  { pauses, disableAfter: { failing, failures } }: BreakerPolicy = defaultBreaker,
): HealthUpdate => {
  const health = known ?? healthy(now);
  const code = outcome.kind === 'answered' ? outcome.status : outcome.reason;
  const details = (updated: Health) => ({
    failures: updated.failures,
    failingFor: Math.max(now - updated.since, 0),
    outcome: code,
  });
  if (next.kind === 'delivered') {
    const after = afterSuccess(health, now);
    if (health.openCount === 0) return { health: after };
    return { health: after, change: { kind: 'endpoint_recovered', ...details(health) } };
  }
  if (isBlameless(outcome)) return { health: known };
  const lastFailure = { ...event, outcome: code };
  const after = afterFailure(health, { next, now, lastFailure }, pauses);
  const hasFailedForDays = after.isExhausted && after.failures >= failures && now - after.since >= failing;
  if (next.kind === 'gone' || hasFailedForDays) {
    const reason = next.kind === 'gone' ? 'gone' : 'failing';
    return { health: undefined, change: { kind: 'endpoint_disabled', reason, lastFailure, ...details(after) } };
  }
  const opensFirst = health.openCount === 0 && after.openCount > 0;
  if (!opensFirst) return { health: after };
  return { health: after, change: { kind: 'endpoint_failing', lastFailure, ...details(after) } };
};

/** Whether the endpoint receives urgent deliveries: the breaker's pause does not delay them, `Retry-After` does. */
export const takesUrgent = (health: Health | undefined, now: number): boolean =>
  health === undefined || health.retryAfterUntil <= now;

/** What an endpoint has to do. */
interface Load {
  readonly inFlight: number;
  /** Maximum in flight. */
  readonly perEndpoint: number;
  readonly now: number;
  /** Whether its next delivery is urgent. @defaultValue false */
  readonly isUrgent?: boolean | undefined;
}

/**
 * How many more deliveries of an endpoint may be in flight: one while half-open; while paused none, or one urgent one.
 */
export const availableCapacity = (
  health: Health | undefined,
  { inFlight, perEndpoint, now, isUrgent = false }: Load,
): number => {
  if (health === undefined) return perEndpoint - inFlight;
  if (pausedUntil(health) > now && !(isUrgent && takesUrgent(health, now))) return 0;
  return (isHalfOpen(health) ? 1 : perEndpoint) - inFlight;
};

/** Health from its stored form. */
export const readHealth = (stored: StoredHealth | undefined, now: number): Health | undefined =>
  stored && {
    failures: stored.failures,
    since: now - stored.failingFor,
    isExhausted: stored.isExhausted,
    openCount: stored.openCount,
    openUntil: now + stored.openFor,
    retryAfterUntil: now + stored.retryAfterFor,
    lastFailure: stored.lastFailure,
  };

/** Health in its stored form. */
export const healthWrite = (
  { id, accountId, version }: { readonly id: string; readonly accountId: string; readonly version: number },
  health: Health | undefined,
  now: number,
): HealthWrite => ({
  accountId,
  endpointId: id,
  version,
  ...(health
    ? {
        health: {
          failures: health.failures,
          failingFor: Math.max(now - health.since, 0),
          isExhausted: health.isExhausted,
          openCount: health.openCount,
          openFor: Math.max(health.openUntil - now, 0),
          retryAfterFor: Math.max(health.retryAfterUntil - now, 0),
          ...(health.lastFailure ? { lastFailure: health.lastFailure } : {}),
        },
      }
    : {}),
});
