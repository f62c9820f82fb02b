import { compareBytes } from '../../../base/runtime/byte-order.ts';
import type { HandlerDeliveryKey } from '../../../webhooks/deliveries/handler-store.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import type { NewRowOf } from '../port/table.ts';
import { handlerDeliveries, handlers } from '../tables/handlers.ts';

export const keyOfDelivery = ({ accountId, eventId, handler }: HandlerDeliveryKey) =>
  [accountId, eventId, handler] as const;

const byKey = (a: HandlerDeliveryKey, b: HandlerDeliveryKey): number =>
  compareBytes(a.accountId, b.accountId) || compareBytes(a.eventId, b.eventId) || compareBytes(a.handler, b.handler);

/** Deliveries in the order of their keys, in which rows are locked. */
export const inDeliveryOrder = <K extends HandlerDeliveryKey>(keys: readonly K[]): readonly K[] =>
  keys.length < 2 ? keys : keys.toSorted(byKey);

/** A delivery that is due now. */
export const newDelivery = (
  { accountId, eventId, handler }: { readonly accountId: string; readonly eventId: string; readonly handler: string },
  dueAt: number,
): NewRowOf<typeof handlerDeliveries> => ({
  ...{ accountId, eventId, handler, state: 'waiting', dueAt, attempts: 0, log: [] },
});

/** Makes the deliveries of dispatched events. A handler that is no longer registered gets none. */
export function* deliverToHandlers(rows: RowTx, wanted: readonly HandlerDeliveryKey[]): Plan<void> {
  const names = [...new Set(wanted.map(({ handler }) => handler))].sort();
  const found = yield* rows.get(
    handlers,
    names.map((name) => [name] as const),
    'keep',
  );
  const registered = new Set(found.map((row) => row?.name));
  const now = yield* rows.now();
  const own = inDeliveryOrder(wanted.filter(({ handler }) => registered.has(handler)));
  yield* rows.insert(
    handlerDeliveries,
    own.map((key) => newDelivery(key, now)),
    'ignore',
  );
}
