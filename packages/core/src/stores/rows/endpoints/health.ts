import { type EpochMs, minute } from '../../../base/runtime/time.ts';
import type { StoredHealth } from '../../../webhooks/deliveries/delivery-store.ts';
import { isPulled } from '../../../webhooks/endpoints/endpoint-kind.ts';
import type { EndpointHealth } from '../../../webhooks/endpoints/endpoint-store.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import { endpoints, type HealthRow, health } from '../tables/endpoints.ts';
import { latestHistory, reasonOf } from './history.ts';
import { readPauses } from './sending.ts';

/** Until when nothing is sent. */
export const pausedUntil = ({ openUntil, retryAfterUntil }: HealthRow): EpochMs => Math.max(openUntil, retryAfterUntil);

/** Within this time of each other, two measured starts are of the same failures: writing takes a moment. */
const sameStart = minute;

const startOf = (measured: EpochMs, stored: EpochMs = measured): EpochMs =>
  Math.abs(measured - stored) < sameStart ? stored : measured;

/** A row from durations. Failures that go on keep the start of the row `before`. */
export const healthRow = (
  { accountId, endpointId }: Pick<HealthRow, 'accountId' | 'endpointId'>,
  of: StoredHealth,
  now: EpochMs,
  before?: HealthRow,
): HealthRow => ({
  accountId,
  endpointId,
  failures: of.failures,
  isExhausted: of.isExhausted,
  openCount: of.openCount,
  // The worker's clock also counts fractions of milliseconds.
  failingSince: startOf(Math.floor(now - of.failingFor), before?.failingSince),
  openUntil: Math.ceil(now + of.openFor),
  retryAfterUntil: Math.ceil(now + of.retryAfterFor),
  lastFailure: of.lastFailure,
});

/** Durations from a row. */
export const storedHealth = (row: HealthRow, now: EpochMs): StoredHealth => ({
  failures: row.failures,
  isExhausted: row.isExhausted,
  openCount: row.openCount,
  failingFor: Math.max(now - row.failingSince, 0),
  openFor: Math.max(row.openUntil - now, 0),
  retryAfterFor: Math.max(row.retryAfterUntil - now, 0),
  ...(row.lastFailure ? { lastFailure: row.lastFailure } : {}),
});

/** Reads the health of endpoints that fail, are disabled or paused. */
export function* readHealth(
  rows: RowTx,
  accountId: string,
  endpointIds: readonly string[],
): Plan<readonly EndpointHealth[]> {
  const now = yield* rows.now();
  const keys = endpointIds.map((id) => [accountId, id] as const);
  const found = yield* rows.get(endpoints, keys);
  const failing = yield* rows.get(health, keys);
  const latest = yield* latestHistory(rows, accountId, endpointIds);
  const pausedSince = yield* readPauses(rows, [accountId]);
  return endpointIds.flatMap((endpointId, index): readonly EndpointHealth[] => {
    const [row, fails] = [found[index], failing[index]];
    if (!row) return [];
    const since = isPulled(row.endpoint) ? undefined : pausedSince(accountId, endpointId);
    const paused = since === undefined ? {} : { sendingPausedSince: since };
    const disabledBy = reasonOf(latest.get(endpointId));
    if (disabledBy) return [{ endpointId, failures: 0, disabledBy, disabledSince: row.since, ...paused }];
    if (!fails) return since === undefined ? [] : [{ endpointId, failures: 0, ...paused }];
    const { failures, failingSince } = fails;
    const until = pausedUntil(fails);
    return [{ endpointId, failures, failingSince, ...(until > now ? { pausedUntil: until } : {}), ...paused }];
  });
}
