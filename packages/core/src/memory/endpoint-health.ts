import type { StoredHealth } from '../deliveries/delivery-store.ts';
import type { EpochMs } from '../runtime/time.ts';

/** The failures of an endpoint, by the store's clock. @internal */
export interface HealthRow extends Pick<StoredHealth, 'failures' | 'isExhausted' | 'openCount'> {
  /** When the first failed attempt since the last success ended. */
  readonly failingSince: EpochMs;
  /** Until when the breaker is open. */
  readonly openUntil: EpochMs;
  /** Until when `Retry-After` pauses the endpoint. */
  readonly retryAfterUntil: EpochMs;
}

/** A row from durations. @internal */
export const healthRow = (health: StoredHealth, now: EpochMs): HealthRow => ({
  failures: health.failures,
  isExhausted: health.isExhausted,
  openCount: health.openCount,
  // The worker's clock also counts fractions of milliseconds.
  failingSince: Math.floor(now - health.failingFor),
  openUntil: Math.ceil(now + health.openFor),
  retryAfterUntil: Math.ceil(now + health.retryAfterFor),
});

/** Durations from a row. @internal */
export const storedHealth = (row: HealthRow, now: EpochMs): StoredHealth => ({
  failures: row.failures,
  isExhausted: row.isExhausted,
  openCount: row.openCount,
  failingFor: Math.max(now - row.failingSince, 0),
  openFor: Math.max(row.openUntil - now, 0),
  retryAfterFor: Math.max(row.retryAfterUntil - now, 0),
});

/** Until when nothing is sent. @internal */
export const pausedUntil = ({ openUntil, retryAfterUntil }: HealthRow): EpochMs => Math.max(openUntil, retryAfterUntil);
