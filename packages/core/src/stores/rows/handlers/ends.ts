import { inDeliveryOrder, keyOfDelivery } from '../handler-deliveries/deliver.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import type { KeyOf } from '../port/table.ts';
import type { events } from '../tables/events.ts';
import { type HandlerDeliveryRow, handlerDeliveries } from '../tables/handlers.ts';

type EventKey = KeyOf<typeof events>;
const columns = ['accountId', 'eventId', 'handler', 'state'] as const;
type Ended = Pick<HandlerDeliveryRow, (typeof columns)[number]>;

function* deliveriesOf(rows: RowTx, keys: readonly EventKey[]): Plan<readonly Ended[]> {
  if (keys.length === 0) return [];
  const ranges = keys.map((prefix) => ({ prefix }));
  return yield* rows.scan(handlerDeliveries, 'event', ranges, { columns });
}

/** The unfinished deliveries of events to handlers. */
export function* unhandledEvents(rows: RowTx, keys: readonly EventKey[]): Plan<readonly Ended[]> {
  return (yield* deliveriesOf(rows, keys)).filter(({ state }) => state === 'waiting' || state === 'ready');
}

/** Deletes the deliveries of deleted events to handlers. */
export function* pruneHandled(rows: RowTx, keys: readonly EventKey[]): Plan<void> {
  const deleted = yield* deliveriesOf(rows, keys);
  if (deleted.length > 0) yield* rows.delete(handlerDeliveries, inDeliveryOrder(deleted).map(keyOfDelivery));
}
