import type { EpochMs } from '../../../base/runtime/time.ts';
import { type DeliveryKey, deliveryIdOf } from '../../../webhooks/deliveries/delivery-id.ts';
import type { DeliveryFact, ExpiryReason } from '../../../webhooks/log/explain-snapshot.ts';
import { shardOf } from '../../../webhooks/shards/shard.ts';
import type { DispatchedRow } from '../deliveries/dispatched.ts';
import { keyOf, nameOf } from '../deliveries/keys.ts';
import { endedAt, latestHistory } from '../endpoints/history.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import { type AttemptRow, attempts, type PendingRow, pending } from '../tables/deliveries.ts';
import { type EndpointRow, endpoints } from '../tables/endpoints.ts';
import { dispatches } from '../tables/events.ts';
import { shards } from '../tables/shards.ts';

const forEver = Number.POSITIVE_INFINITY;

/** A delivery with all its rows. */
export interface KnownDelivery {
  readonly key: DeliveryKey;
  readonly log: readonly AttemptRow[];
  readonly event: DispatchedRow | undefined;
  readonly pending: PendingRow | undefined;
}

/** What the state of an account's deliveries depends on. */
export interface Surroundings {
  readonly endpoints: ReadonlyMap<string, EndpointRow>;
  /** When endpoints were deleted. */
  readonly ended: ReadonlyMap<string, EpochMs | undefined>;
}

/** Whether an attempt counts: a response 410, abandoned and out-of-reach attempts do not. */
const isCounted = ({ outcome }: AttemptRow): boolean =>
  outcome.kind === 'answered'
    ? outcome.status !== 410
    : outcome.kind === 'failed' && outcome.reason !== 'abandoned' && outcome.reason !== 'out_of_reach';

type Standing<F = DeliveryFact> = F extends DeliveryFact ? Omit<F, 'id' | 'attempts' | 'last'> : never;

const ofPending = ({ endpointId, since, dueAt }: PendingRow, { endpoints: all, ended }: Surroundings): Standing => {
  const row = all.get(endpointId);
  if (!row) return { state: 'expired', since: ended.get(endpointId) ?? since, reason: 'endpoint_deleted' };
  if (row.endpoint.state !== 'enabled') return { state: 'held', since: Math.max(row.since, since) };
  // A replayed delivery is due as soon as no other is.
  return { state: 'waiting', dueAt: dueAt === forEver ? since : dueAt };
};

const ofLog = ({ log, event }: KnownDelivery): Standing => {
  const last = log.findLast(({ state }) => state !== undefined);
  if (last?.state === undefined) return { state: 'waiting', dueAt: event?.dispatchedAt ?? log.at(-1)?.at ?? 0 };
  const { state, at: since, outcome } = last;
  if (state !== 'expired') return { state, since };
  const reason: ExpiryReason = outcome.kind === 'expired' ? outcome.reason : 'out_of_reach';
  return { state, since, reason };
};

/** The current state of a delivery. */
export const factOf = (known: KnownDelivery, surroundings: Surroundings): DeliveryFact => {
  const last = known.log.findLast(({ outcome }) => outcome.kind !== 'expired')?.outcome;
  return {
    id: deliveryIdOf(known.key),
    attempts: known.pending?.attempts ?? known.log.filter(isCounted).length,
    ...(last && last.kind !== 'expired' ? { last } : {}),
    ...(known.pending ? ofPending(known.pending, surroundings) : ofLog(known)),
  };
};

/** Whether another delivery of the event to the endpoint would be one too many. */
export const isUnfinished = (known: KnownDelivery, surroundings: Surroundings): boolean =>
  ['waiting', 'held'].includes(factOf(known, surroundings).state);

/** Reads what the states of deliveries to these endpoints depend on. */
export function* readSurroundings(rows: RowTx, accountId: string, ids: Iterable<string>): Plan<Surroundings> {
  const endpointIds = [...new Set(ids)];
  const found = yield* rows.get(
    endpoints,
    endpointIds.map((id) => [accountId, id]),
  );
  const latest = yield* latestHistory(rows, accountId, endpointIds);
  return {
    endpoints: new Map(found.filter((row) => row !== undefined).map((row) => [row.id, row])),
    ended: new Map([...latest].map(([id, row]) => [id, endedAt(row)])),
  };
}

/** The moment of an account's shard up to which everything is settled or pending. */
function* readWatermark(rows: RowTx, accountId: string): Plan<EpochMs> {
  const [row] = yield* rows.get(shards, [[shardOf(accountId)]]);
  return row?.watermark ?? 0;
}

/**
 * Puts the rows of deliveries together, in the order of event, endpoint and repetition. Adds those that only the owner
 * of the shard has in its memory: of events that were dispatched at the watermark or later.
 */
const assemble = (
  { events: found, log, pending: unfinished }: DeliveryRows,
  watermark: EpochMs,
): readonly KnownDelivery[] => {
  const all = new Map<string, { key: DeliveryKey; log: AttemptRow[]; pending: PendingRow | undefined }>();
  const open = ({ accountId, eventId, endpointId, replay }: DeliveryKey) => {
    const key = { accountId, eventId, endpointId, replay };
    const known = all.get(nameOf(key)) ?? { key, log: [], pending: undefined };
    all.set(nameOf(key), known);
    return known;
  };
  for (const row of log) open(row).log.push(row);
  for (const row of unfinished) open(row).pending = row;
  for (const { accountId, id: eventId, dispatchedAt, endpointIds } of found) {
    if (dispatchedAt < watermark) continue;
    for (const endpointId of endpointIds) open({ accountId, eventId, endpointId, replay: 0 });
  }
  const byId = new Map(found.map((row) => [row.id, row]));
  const order = ({ eventId, endpointId }: DeliveryKey): string => `${eventId}.${endpointId}`;
  return [...all.values()]
    .map((known) => ({ ...known, event: byId.get(known.key.eventId) }))
    .sort(({ key: a }, { key: b }) => (order(a) === order(b) ? a.replay - b.replay : order(a) < order(b) ? -1 : 1));
};

/** The rows of deliveries. */
interface DeliveryRows {
  readonly events: readonly DispatchedRow[];
  readonly log: readonly AttemptRow[];
  readonly pending: readonly PendingRow[];
}

/** The columns of an event that its deliveries depend on. */
export const dispatchedColumns = ['accountId', 'id', 'dispatchedAt', 'endpointIds'] as const;

/** Reads the deliveries of events, or those of them to one endpoint. */
export function* readDeliveries(
  rows: RowTx,
  accountId: string,
  found: readonly DispatchedRow[],
  { endpointId, eventIds = found.map(({ id }) => id) }: { endpointId?: string; eventIds?: readonly string[] } = {},
): Plan<readonly KnownDelivery[]> {
  const ranges = eventIds.map((eventId) =>
    endpointId === undefined
      ? { prefix: [accountId, eventId] as const }
      : { prefix: [accountId, eventId, endpointId] as const },
  );
  const log = yield* rows.scan(attempts, 'delivery', ranges);
  const unfinished = yield* rows.scan(pending, 'event', ranges);
  const known = assemble({ events: found, log, pending: unfinished }, yield* readWatermark(rows, accountId));
  return endpointId === undefined ? known : known.filter(({ key }) => key.endpointId === endpointId);
}

/** Reads the deliveries of one event to one endpoint; the event may have been pruned. */
export function* readDeliveriesTo(
  rows: RowTx,
  accountId: string,
  eventId: string,
  endpointId: string,
): Plan<{ readonly event: DispatchedRow | undefined; readonly deliveries: readonly KnownDelivery[] }> {
  const range = { prefix: [accountId, eventId] as const };
  const found = yield* rows.scan(dispatches, 'list', [range], { columns: dispatchedColumns });
  const deliveries = yield* readDeliveries(rows, accountId, found, { endpointId, eventIds: [eventId] });
  return { event: found[0], deliveries };
}

/** The log of a delivery. */
export function* readLog(rows: RowTx, key: DeliveryKey): Plan<readonly AttemptRow[]> {
  return yield* rows.scan(attempts, 'delivery', [{ prefix: keyOf(key) }]);
}
