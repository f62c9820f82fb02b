import type { EpochMs } from '../../../base/runtime/time.ts';
import type { DisabledBy, Endpoint } from '../../../webhooks/endpoints/endpoint.ts';
import type { EndpointSnapshot } from '../../../webhooks/log/explain-snapshot.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import { endpointHistory, type HistoryRow } from '../tables/endpoints.ts';

const forEver = Number.POSITIVE_INFINITY;

/** The configurations of an endpoint, oldest first. */
export function* historyOf(rows: RowTx, accountId: string, endpointId: string): Plan<readonly HistoryRow[]> {
  return yield* rows.scan(endpointHistory, 'endpoint', [{ prefix: [accountId, endpointId] }]);
}

/** The last configuration of each endpoint. */
export function* latestHistory(
  rows: RowTx,
  accountId: string,
  endpointIds: readonly string[],
): Plan<ReadonlyMap<string, HistoryRow>> {
  const ranges = endpointIds.map((endpointId) => ({ prefix: [accountId, endpointId], limit: 1 }) as const);
  const found = yield* rows.scan(endpointHistory, 'endpoint', ranges, { newestFirst: true });
  return new Map(found.map((row) => [row.endpointId, row]));
}

/** Why the endpoint is disabled now. */
export const reasonOf = (latest: HistoryRow | undefined): DisabledBy | undefined =>
  latest && latest.until === forEver && latest.state !== 'enabled' ? latest.disabledBy : undefined;

/** When the endpoint was deleted, if it is known. */
export const endedAt = (latest: HistoryRow | undefined): EpochMs | undefined =>
  latest && latest.until !== forEver ? latest.until : undefined;

/** Records the configuration from this version of the shard on, if it differs. */
export function* noteHistory(
  rows: RowTx,
  { id, accountId, state, disabledBy: host, events, includeChildren }: Endpoint,
  { version, now, by }: { readonly version: number; readonly now: EpochMs; readonly by?: DisabledBy | undefined },
): Plan<void> {
  const latest = (yield* latestHistory(rows, accountId, [id])).get(id);
  // An endpoint that was deleted may be imported again: its last configuration has ended.
  const last = endedAt(latest) === undefined ? latest : undefined;
  const hasSameState = last?.state === state;
  const hasSameChoice = String(last?.events) === String(events) && last?.includeChildren === includeChildren;
  if (hasSameState && hasSameChoice) return;
  const reason = by ?? (state === 'disabled' ? (host ?? 'partner') : 'failing');
  yield* rows.put(endpointHistory, [
    ...(last ? [{ ...last, to: version, until: now }] : []),
    {
      accountId,
      endpointId: id,
      from: version,
      to: forEver,
      since: now,
      until: forEver,
      isFirst: latest === undefined,
      state,
      events,
      includeChildren,
      disabledBy: hasSameState ? last.disabledBy : reason,
    },
  ]);
}

/** Records the deletion. */
export function* endHistory(
  rows: RowTx,
  { accountId, endpointId }: { readonly accountId: string; readonly endpointId: string },
  version: number,
  now: EpochMs,
): Plan<void> {
  const last = (yield* latestHistory(rows, accountId, [endpointId])).get(endpointId);
  if (last) yield* rows.put(endpointHistory, [{ ...last, to: version, until: now }]);
}

/** The configuration at a version of the shard. */
export const snapshotAt = (history: readonly HistoryRow[], version: number): EndpointSnapshot => {
  const then = history.find(({ from, to }) => from <= version && version < to);
  if (then) {
    const { state, events, includeChildren, since } = then;
    return { kind: 'there', state, events, includeChildren, since };
  }
  const [first, last] = [history[0], history.at(-1)];
  if (first?.isFirst && version < first.from) return { kind: 'created_later', at: first.since };
  if (last && version >= last.to) return { kind: 'deleted_before', at: last.until };
  return { kind: 'forgotten' };
};
