import { isSelected } from '../../../webhooks/catalogue/event-selector.ts';
import type { HandlerRegistration } from '../../../webhooks/deliveries/handler-store.ts';
import { allShards } from '../../../webhooks/shards/shard.ts';
import { lockVersions, raiseVersions } from '../endpoints/versions.ts';
import { inDeliveryOrder, newDelivery } from '../handler-deliveries/deliver.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import { dispatches, events } from '../tables/events.ts';
import { type Backfill, type HandlerRow, handlerDeliveries, handlers } from '../tables/handlers.ts';

const isSame = (a: readonly string[], b: readonly string[] | undefined): boolean => String(a) === String(b);

/** Gives a handler the deliveries of the next past events. */
function* fill(rows: RowTx, row: HandlerRow, at: Backfill, limit: number): Plan<boolean> {
  const from = [at.since] as const;
  const prefix = [at.shard] as const;
  const first = at.after ? { prefix, after: at.after } : { prefix, from };
  const others = allShards.slice(at.shard + 1).map((shard) => ({ prefix: [shard] as const, from }));
  const found = yield* rows.scan(dispatches, 'dispatched', [first, ...others], {
    limit,
    columns: ['shard', 'dispatchedAt', 'accountId', 'id'],
  });
  const published = yield* rows.scan(
    events,
    'list',
    found.map(({ accountId, id }) => ({ prefix: [accountId, id] as const })),
    { columns: ['accountId', 'id', 'objectName', 'type', 'onlyTo', 'origin'] },
  );
  const selected = published.filter(
    (event) => event.onlyTo === undefined && event.origin === undefined && isSelected(row.events, event),
  );
  const now = yield* rows.now();
  const keys = selected.map(({ accountId, id: eventId }) => ({ accountId, eventId, handler: row.name }));
  yield* rows.insert(
    handlerDeliveries,
    inDeliveryOrder(keys).map((key) => newDelivery(key, now)),
    'ignore',
  );
  const last = found[limit - 1];
  const backfill: Backfill | undefined = last && {
    since: at.since,
    shard: last.shard,
    after: [last.dispatchedAt, last.accountId, last.id],
  };
  yield* rows.put(handlers, [{ ...row, backfill }]);
  return backfill !== undefined;
}

/** Registers handlers, or notes that a worker has them. */
export function* register(rows: RowTx, given: readonly HandlerRegistration[], limit: number): Plan<boolean> {
  const named = given.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const keys = named.map(({ name }) => [name] as const);
  const known = yield* rows.get(handlers, keys);
  const isOther = named.some(({ events: of }, index) => of && !isSame(of, known[index]?.events));
  // Dispatches under way hold them: no event is dispatched with other handlers afterwards.
  if (isOther) yield* lockVersions(rows, allShards, 'update');
  const locked = yield* rows.get(handlers, keys, 'update');
  const now = yield* rows.now();
  const stored = named.flatMap(({ name, events: of, since }, index): readonly HandlerRow[] => {
    const before = locked[index];
    if (before) return [{ ...before, events: of ?? before.events, seenAt: now }];
    const backfill = since === undefined ? undefined : { since, shard: 0 };
    return of ? [{ name, events: of, registeredAt: now, seenAt: now, backfill }] : [];
  });
  yield* rows.put(handlers, stored);
  if (isOther) yield* raiseVersions(rows, allShards);
  for (const row of stored) if (row.backfill && (yield* fill(rows, row, row.backfill, limit))) return true;
  return false;
}
