import { compareBytes } from '../../../base/runtime/byte-order.ts';
import type { EpochMs } from '../../../base/runtime/time.ts';
import { maxCounted } from '../../../base/signals/health-change.ts';
import type {
  HealthWrite,
  LoggedAttempt,
  PendingChange,
  Settlement,
  SettleOutcome,
} from '../../../webhooks/deliveries/delivery-store.ts';
import { appendAudit } from '../audit/append.ts';
import { healthRow } from '../endpoints/health.ts';
import { replaceRow } from '../endpoints/replace.ts';
import { lockVersions, readState } from '../endpoints/versions.ts';
import { nameIn } from '../port/name-in.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import { isMember } from '../shards/membership.ts';
import { attempts, pending } from '../tables/deliveries.ts';
import { type EndpointRow, endpoints, health } from '../tables/endpoints.ts';
import { lastSettlements } from '../tables/shards.ts';
import { countFailed } from './failed-hours.ts';
import { inKeyOrder, keyOf, nameOf, pendingRow } from './keys.ts';
import { storedEvents } from './store-new.ts';

interface OfEndpoint {
  readonly accountId: string;
  readonly endpointId: string;
}
const endpointName = ({ accountId, endpointId }: OfEndpoint): string => nameIn(accountId, endpointId);

/** Locks endpoints that change or whose health does: first the versions of the shards of those that change. */
function* lockEndpoints(
  rows: RowTx,
  { transitions, health: writes }: Settlement,
): Plan<ReadonlyMap<string, EndpointRow>> {
  const disabling = transitions.filter(({ disable }) => disable);
  if (disabling.length === 0 && writes.length === 0) return new Map();
  if (disabling.length > 0)
    yield* lockVersions(
      rows,
      disabling.map(({ shard }) => shard),
      'update',
    );
  const named = new Map([...disabling, ...writes].map((each) => [endpointName(each), each]));
  const keys = [...named.values()].sort(
    (a, b) => compareBytes(a.accountId, b.accountId) || (a.endpointId < b.endpointId ? -1 : 1),
  );
  const found = yield* rows.get(
    endpoints,
    keys.map(({ accountId, endpointId }) => [accountId, endpointId]),
    disabling.length > 0 ? 'update' : 'share',
  );
  return new Map(
    found
      .filter((row) => row !== undefined)
      .map((row) => [endpointName({ accountId: row.accountId, endpointId: row.id }), row]),
  );
}

/** Writes health. Returns the endpoints whose health was written. */
function* writeHealth(
  rows: RowTx,
  writes: readonly HealthWrite[],
  locked: ReadonlyMap<string, EndpointRow>,
  now: EpochMs,
): Plan<ReadonlySet<string>> {
  if (writes.length === 0) return new Set();
  const valid = writes.filter((write) => {
    const endpoint = locked.get(endpointName(write))?.endpoint;
    return endpoint?.version === write.version && endpoint.state === 'enabled';
  });
  const failing = valid.filter((write) => write.health !== undefined);
  const before = yield* rows.get(
    health,
    failing.map(({ accountId, endpointId }) => [accountId, endpointId] as const),
  );
  yield* rows.put(
    health,
    failing.flatMap((write, index) => (write.health ? [healthRow(write, write.health, now, before[index])] : [])),
  );
  yield* rows.delete(
    health,
    valid.flatMap(({ accountId, endpointId, health: fails }) => (fails ? [] : [[accountId, endpointId] as const])),
  );
  return new Set(valid.map(endpointName));
}

/** Disables endpoints. Returns for each transition whether it did. */
function* disableEndpoints(
  rows: RowTx,
  { transitions }: Settlement,
  locked: ReadonlyMap<string, EndpointRow>,
): Plan<readonly boolean[]> {
  const disabled = new Set<string>();
  const outcomes: boolean[] = [];
  for (const transition of transitions) {
    const name = endpointName(transition);
    const row = locked.get(name);
    const { disable } = transition;
    const isCurrent = row !== undefined && disable !== undefined && row.endpoint.version === disable.version;
    const isDisabling = isCurrent && row.endpoint.state === 'enabled' && !disabled.has(name);
    outcomes.push(isDisabling);
    if (!isDisabling) continue;
    disabled.add(name);
    yield* replaceRow(rows, row, { ...row.endpoint, state: 'disabled_by_breaker' }, disable.reason);
  }
  return outcomes;
}

/** Logs attempts, and counts those that fail their delivery. */
function* logAttempts(rows: RowTx, made: readonly LoggedAttempt[], at: EpochMs): Plan<void> {
  const ordered = inKeyOrder(made);
  const isNew = yield* rows.insert(
    attempts,
    ordered.map((attempt) => ({
      accountId: attempt.accountId,
      eventId: attempt.eventId,
      endpointId: attempt.endpointId,
      replay: attempt.replay,
      number: attempt.number,
      at,
      outcome: attempt.outcome,
      state: attempt.state,
    })),
    'ignore',
  );
  const failed = ordered.flatMap(({ accountId, endpointId, state }, index) =>
    isNew[index] && (state === 'exhausted' || state === 'expired') ? [{ accountId, endpointId, state }] : [],
  );
  yield* countFailed(rows, failed, at);
}

/** Changes of deliveries by whether their event is stored: in key order, those with it; those without it by name. */
function* byEvent(rows: RowTx, changes: readonly PendingChange[]) {
  if (changes.length === 0) return { stored: [], missing: new Set<string>() };
  const ordered = inKeyOrder(changes);
  const hasEvent = yield* storedEvents(rows, ordered);
  return {
    stored: ordered.filter((_, index) => hasEvent[index]),
    missing: new Set(ordered.filter((_, index) => !hasEvent[index]).map(nameOf)),
  };
}

function* queueAgain(rows: RowTx, queued: Settlement['queued']): Plan<void> {
  if (queued.length === 0) return;
  const ordered = inKeyOrder(queued);
  const found = yield* rows.get(pending, ordered.map(keyOf), 'update');
  const scheduled = found.flatMap((row, index) =>
    row?.state === 'scheduled' && (!row.isUrgent || ordered[index]?.isUrgent) ? [row] : [],
  );
  yield* rows.put(
    pending,
    scheduled.map((row) => ({ ...row, state: 'queued' as const, isUrgent: false })),
  );
}

/**
 * Whether a settlement of the worker with this number or a larger one was stored; else notes this one, unless the store
 * lost one before it.
 */
function* isLate(rows: RowTx, workerId: string, { number, after }: Settlement): Plan<boolean> {
  const [row] = yield* rows.get(lastSettlements, [[workerId]], 'update');
  const last = row?.number ?? 0;
  if (number <= last) return true;
  if (after <= last) yield* rows.put(lastSettlements, [{ workerId, number }]);
  return false;
}

/** Stores the outcomes of attempts. */
export function* settle(
  rows: RowTx,
  workerId: string,
  settlement: Settlement,
  knownVersion: number,
): Plan<SettleOutcome | 'fenced'> {
  if (!(yield* isMember(rows, workerId))) return 'fenced';
  const locked = yield* lockEndpoints(rows, settlement);
  const now = yield* rows.now();
  const { stored, missing } = yield* byEvent(rows, settlement.pending);
  // An event whose dispatch was lost is dispatched again: then nothing is known of its deliveries.
  const logged =
    missing.size === 0 ? settlement.attempts : settlement.attempts.filter((made) => !missing.has(nameOf(made)));
  yield* logAttempts(rows, logged, now);
  let disabled: readonly boolean[] = [];
  if (!(yield* isLate(rows, workerId, settlement))) {
    yield* rows.put(
      pending,
      stored.map((change) => pendingRow(change, now)),
    );
    yield* queueAgain(rows, settlement.queued);
    if (settlement.finished.length > 0) yield* rows.delete(pending, inKeyOrder(settlement.finished).map(keyOf));
    const written = yield* writeHealth(rows, settlement.health, locked, now);
    disabled = yield* disableEndpoints(rows, settlement, locked);
    for (const [index, transition] of settlement.transitions.entries())
      if (transition.disable ? disabled[index] : written.has(endpointName(transition)))
        yield* appendAudit(rows, transition.audit);
  }
  const ranges = settlement.transitions.map(({ shard, accountId, endpointId }) => ({
    prefix: [shard, accountId, endpointId] as const,
    limit: maxCounted,
  }));
  const counts = yield* rows.count(pending, 'endpoint', ranges);
  const transitions = counts.map((count, index) => ({ isDisabled: disabled[index] ?? false, pending: count }));
  return { ...(yield* readState(rows, knownVersion)), transitions };
}
