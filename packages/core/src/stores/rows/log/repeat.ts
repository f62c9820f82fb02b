import { isId } from '../../../base/runtime/id.ts';
import { isSelected } from '../../../webhooks/catalogue/event-selector.ts';
import { type DeliveryKey, deliveryIdOf } from '../../../webhooks/deliveries/delivery-id.ts';
import { isPulled } from '../../../webhooks/endpoints/endpoint-kind.ts';
import type { ReplayOutcome, ReplaySelection, SendAgainOutcome } from '../../../webhooks/log/delivery-log.ts';
import { shardOf } from '../../../webhooks/shards/shard.ts';
import { lockVersions, raiseVersion } from '../endpoints/versions.ts';
import { withEvents } from '../events/event-rows.ts';
import { idRange } from '../events/events.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import { attempts, type PendingRow, pending } from '../tables/deliveries.ts';
import { endpoints } from '../tables/endpoints.ts';
import { dispatches } from '../tables/events.ts';
import {
  dispatchedColumns,
  factOf,
  isUnfinished,
  type KnownDelivery,
  readDeliveries,
  readDeliveriesTo,
  readSurroundings,
} from './facts.ts';

/** Maximum number of events of a replay that one call handles. */
const batch = 100;

/** One more delivery of an event to an endpoint. */
const repetition = (
  { accountId, eventId, endpointId }: Omit<DeliveryKey, 'replay'>,
  known: readonly KnownDelivery[],
  change: Pick<PendingRow, 'state' | 'dueAt' | 'isUrgent' | 'since'>,
): PendingRow => ({
  accountId,
  eventId,
  endpointId,
  shard: shardOf(accountId),
  replay: Math.max(0, ...known.map(({ key }) => key.replay)) + 1,
  attempts: 0,
  logged: 0,
  isAbandoned: false,
  ...change,
});

/** Sends a delivery again. */
export function* sendAgain(rows: RowTx, key: DeliveryKey): Plan<SendAgainOutcome> {
  const { accountId, eventId, endpointId } = key;
  // Its lock orders simultaneous calls for one endpoint.
  const [target] = yield* rows.get(endpoints, [[accountId, endpointId]], 'update');
  const { event, deliveries } = yield* readDeliveriesTo(rows, accountId, eventId, endpointId);
  const own = deliveries.find((each) => each.key.replay === key.replay);
  if (!own) return { kind: 'not_found' };
  const surroundings = yield* readSurroundings(rows, accountId, [endpointId]);
  const { state } = factOf(own, surroundings);
  if (state === 'held') return { kind: 'held' };
  const now = yield* rows.now();
  const wake = { kind: 'events', shards: [shardOf(accountId)] } as const;
  if (state === 'waiting') {
    const [row] = yield* rows.get(pending, [[accountId, eventId, endpointId, key.replay]], 'update');
    if (row) {
      const dueAt = Math.min(row.dueAt, now);
      yield* rows.put(pending, [{ ...row, state: 'scheduled', dueAt, isUrgent: true }]);
      yield* rows.wake(wake);
    }
    return { kind: 'sent', deliveryId: deliveryIdOf(own.key) };
  }
  if (!event) return { kind: 'event_dropped' };
  if (!target) return { kind: 'endpoint_deleted' };
  if (target.endpoint.state !== 'enabled') return { kind: 'endpoint_disabled' };
  const other = deliveries.find((each) => isUnfinished(each, surroundings));
  if (other) return { kind: 'unfinished', deliveryId: deliveryIdOf(other.key) };
  const change = { state: 'scheduled', dueAt: now, isUrgent: true, since: now } as const;
  const made = repetition({ accountId, eventId, endpointId }, deliveries, change);
  yield* rows.insert(pending, [made], 'fail');
  yield* rows.wake(wake);
  return { kind: 'sent', deliveryId: deliveryIdOf(made) };
}

type Period = ReturnType<typeof idRange>;

/** The ids of the next events of a period: one more than a batch. */
function* eventIds(rows: RowTx, period: Period): Plan<readonly string[]> {
  const found = yield* rows.scan(dispatches, 'list', [period], { limit: batch + 1, columns: ['id'] });
  return found.map(({ id }) => id);
}

/** The ids of the next events of a period of which a delivery to the endpoint failed: one more than a batch. */
function* failedIds(rows: RowTx, endpointId: string, { prefix: [accountId], ...bounds }: Period) {
  const ranges = (['exhausted', 'expired'] as const).map((state) => ({
    prefix: [accountId, endpointId, state] as const,
    limit: batch + 1,
    ...bounds,
  }));
  const found = yield* rows.scan(attempts, 'state', ranges, { distinct: 4, columns: ['eventId'] });
  return [...new Set(found.map(({ eventId }) => eventId))].sort().slice(0, batch + 1);
}

/** Queues new deliveries of one batch of events. */
export function* replay(
  rows: RowTx,
  accountId: string,
  endpointId: string,
  { after, onlyFailed = false, isDryRun = false, ...period }: ReplaySelection,
): Plan<ReplayOutcome> {
  const shard = shardOf(accountId);
  // Before the endpoint: versions come first.
  if (!isDryRun) yield* lockVersions(rows, [shard], 'update');
  const [target] = yield* rows.get(endpoints, [[accountId, endpointId]], isDryRun ? undefined : 'update');
  if (!target) return { kind: 'not_found' };
  const { endpoint } = target;
  if (isPulled(endpoint)) return { kind: 'wrong_kind' };
  if (endpoint.state !== 'enabled') return { kind: 'endpoint_disabled' };
  if (after !== undefined && !isId(after)) return { kind: 'invalid_cursor' };
  const range = idRange(accountId, after === undefined ? {} : { after }, period);
  const found = yield* onlyFailed ? failedIds(rows, endpointId, range) : eventIds(rows, range);
  const read = found.slice(0, batch);
  const ranges = read.map((id) => ({ prefix: [accountId, id] as const }));
  const dispatched = yield* rows.scan(dispatches, 'list', ranges, { columns: dispatchedColumns });
  const all = yield* withEvents(rows, accountId, dispatched, ['objectName', 'type', 'onlyTo', 'origin']);
  const wanted = all.filter(
    (event) =>
      event.onlyTo === undefined &&
      isSelected(endpoint.events, event) &&
      (event.origin === undefined || endpoint.includeChildren),
  );
  const deliveries = yield* readDeliveries(rows, accountId, wanted, { endpointId });
  const surroundings = yield* readSurroundings(rows, accountId, [endpointId]);
  const since = yield* rows.now();
  const change = { state: 'queued', dueAt: Number.POSITIVE_INFINITY, isUrgent: false, since } as const;
  const made = wanted.flatMap(({ id: eventId }) => {
    const known = deliveries.filter(({ key }) => key.eventId === eventId);
    const states = known.map((each) => factOf(each, surroundings).state);
    if (states.some((state) => state === 'waiting' || state === 'held')) return [];
    if (onlyFailed && states.includes('delivered')) return [];
    return [repetition({ accountId, eventId, endpointId }, known, change)];
  });
  if (made.length > 0 && !isDryRun) {
    yield* rows.insert(pending, made, 'fail');
    yield* raiseVersion(rows, shard);
    yield* rows.wake({ kind: 'events', shards: [shard] });
  }
  const next = found.length > batch ? read.at(-1) : undefined;
  return { kind: 'replayed', deliveries: made.length, ...(next === undefined ? {} : { next }) };
}
