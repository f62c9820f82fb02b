import { type DurationMs, day, type EpochMs, minute } from '../runtime/time.ts';
import type { Settlement } from './delivery-queue.ts';
import type { Turn } from './endpoint-turn.ts';

/** So many attempts that fail in a row open the breaker. @public */
export const failuresToOpen = 5;

/** How long nothing is leased once it opened, and after each probe that failed; the last entry repeats. @public */
export const breakerPauses: readonly DurationMs[] = [minute, 5 * minute, 15 * minute];

/**
 * When a failure disables its endpoint: so long after the first one in a row, as the so manieth at least, and if a delivery
 * was exhausted meanwhile. So a quiet endpoint that fails once is not disabled, however long ago it last succeeded.
 * @public
 */
export const disablesAfter: { readonly failing: DurationMs; readonly failures: number } = {
  failing: 5 * day,
  failures: 10,
};

/**
 * How an enabled endpoint fails, by the store's clock. There is none for an endpoint that does not fail, and was not asked to be
 * left alone.
 * @public
 */
export interface Health {
  /** Attempts that failed since the last success. */
  readonly failures: number;
  /** When the first of them ended. */
  readonly since: EpochMs;
  /** One of them exhausted its delivery. */
  readonly exhausted: boolean;
  /** How often the breaker opened since the last success: 0 while it is closed. */
  readonly openings: number;
  /** Until when it is open. */
  readonly openUntil: EpochMs;
  /** Until when the receiver asked to be left alone. No success, and no smaller wish, shortens that. */
  readonly askedUntil: EpochMs;
}

/**
 * What a settlement made of an endpoint.
 * @public
 */
export interface Judged {
  /** Absent when there is nothing to remember. */
  readonly health: Health | undefined;
  readonly turn?: Turn;
}

/** What of a settlement counts here. @public */
export type Judgeable = Pick<Settlement, 'outcome' | 'next' | 'pauseFor'>;

const healthy = (now: EpochMs): Health => ({
  failures: 0,
  since: now,
  exhausted: false,
  openings: 0,
  openUntil: 0,
  askedUntil: 0,
});

/** Until when nothing of an endpoint may be leased. @internal */
export const pausedUntil = ({ openUntil, askedUntil }: Health): EpochMs => Math.max(openUntil, askedUntil);

const afterSuccess = (health: Health, now: EpochMs): Health | undefined =>
  health.askedUntil > now ? { ...healthy(now), askedUntil: health.askedUntil } : undefined;

const afterFailure = (health: Health, { next, pauseFor = 0 }: Judgeable, now: EpochMs): Health => {
  const failures = health.failures + 1;
  // What was in flight when the pause began tells nothing new.
  const opens = failures >= failuresToOpen && now >= pausedUntil(health);
  const pause = breakerPauses[Math.min(health.openings, breakerPauses.length - 1)] as DurationMs;
  return {
    failures,
    since: health.failures === 0 ? now : health.since,
    exhausted: health.exhausted || next === 'exhausted',
    openings: health.openings + (opens ? 1 : 0),
    openUntil: opens ? now + pause : health.openUntil,
    askedUntil: Math.max(health.askedUntil, pauseFor > 0 ? now + pauseFor : 0),
  };
};

/** Attempts that were never made, or whose worker died, are not the endpoint's fault. */
const blameless = ({ outcome }: Judgeable): boolean =>
  outcome.kind === 'failed' && ['internal', 'abandoned', 'out_of_reach'].includes(outcome.reason);

/**
 * The breaker: what a settlement that counts makes of its endpoint, which is enabled. A store keeps the health with the endpoint, takes
 * it away when the endpoint is disabled, by whomever, or deleted, and settlements of one endpoint are judged one after another.
 * @public
 */
export const judge = (known: Health | undefined, settlement: Judgeable, now: EpochMs): Judged => {
  const health = known ?? healthy(now);
  const { outcome, next } = settlement;
  const told = (judged: Health) => ({
    failures: judged.failures,
    failingFor: Math.max(now - judged.since, 0),
    outcome: outcome.kind === 'answered' ? outcome.status : outcome.reason,
  });
  if (next === 'delivered') {
    const after = afterSuccess(health, now);
    if (health.openings === 0) return { health: after };
    return { health: after, turn: { kind: 'endpoint_recovered', ...told(health) } };
  }
  if (blameless(settlement)) return { health: known };
  const after = afterFailure(health, settlement, now);
  const { failing, failures } = disablesAfter;
  const hopeless = after.exhausted && after.failures >= failures && now - after.since >= failing;
  if (next === 'gone' || hopeless) {
    const reason = next === 'gone' ? 'gone' : 'failing';
    return { health: undefined, turn: { kind: 'endpoint_disabled', reason, ...told(after) } };
  }
  const failingNow = health.openings === 0 && after.openings > 0;
  return failingNow ? { health: after, turn: { kind: 'endpoint_failing', ...told(after) } } : { health: after };
};

/**
 * How many more deliveries of an endpoint may be leased: none while it is paused, one at a time while the breaker is half-open.
 * @public
 */
export const roomFor = (health: Health | undefined, leased: number, perEndpoint: number, now: EpochMs): number => {
  if (health && pausedUntil(health) > now) return 0;
  return Math.max((health && health.openings > 0 ? Math.min(perEndpoint, 1) : perEndpoint) - leased, 0);
};
