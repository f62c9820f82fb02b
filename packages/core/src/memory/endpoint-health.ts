import type { StoredHealth } from '../deliveries/delivery-store.ts';
import type { EpochMs } from '../runtime/time.ts';

/** How an endpoint fails, by the clock of the store. @internal */
export interface HealthRow extends Pick<StoredHealth, 'failures' | 'isExhausted' | 'openCount'> {
  readonly failingSince: EpochMs;
  readonly openUntil: EpochMs;
  readonly retryAfterUntil: EpochMs;
}

/** @internal */
export const healthRow = (health: StoredHealth, now: EpochMs): HealthRow => ({
  failures: health.failures,
  isExhausted: health.isExhausted,
  openCount: health.openCount,
  // A worker measures by a clock that counts parts of milliseconds, too.
  failingSince: Math.floor(now - health.failingFor),
  openUntil: Math.ceil(now + health.openFor),
  retryAfterUntil: Math.ceil(now + health.retryAfterFor),
});

/** @internal */
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
