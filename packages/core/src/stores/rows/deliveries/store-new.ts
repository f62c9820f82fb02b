import type { DeliveryKey } from '../../../webhooks/deliveries/delivery-id.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import { attempts, type PendingRow, pending } from '../tables/deliveries.ts';
import { dispatches } from '../tables/events.ts';
import { eventKeyOf, inKeyOrder, keyOf, nameOf } from './keys.ts';

/** The events of deliveries that are stored, by their keys. */
export function* storedEvents(
  rows: RowTx,
  keys: readonly Pick<PendingRow, 'accountId' | 'eventId'>[],
): Plan<readonly boolean[]> {
  const ranges = keys.map((key) => ({ prefix: eventKeyOf(key), limit: 1 }));
  const found = yield* rows.scan(dispatches, 'list', ranges, { columns: ['accountId', 'id'] });
  let next = 0;
  // In the order of the ranges; a range without an event has no row.
  return keys.map(({ accountId, eventId }) => {
    const row = found[next];
    if (row?.id !== eventId || row.accountId !== accountId) return false;
    next++;
    return true;
  });
}

/** The names of deliveries with an attempt. */
export function* attempted(rows: RowTx, keys: readonly DeliveryKey[]): Plan<ReadonlySet<string>> {
  const ranges = keys.map((each) => ({ prefix: keyOf(each), limit: 1 }));
  const columns = ['accountId', 'eventId', 'endpointId', 'replay'] as const;
  return new Set((yield* rows.scan(attempts, 'delivery', ranges, { columns })).map(nameOf));
}

/** Stores pending deliveries of dispatched events, except known ones. */
export function* storeNew(rows: RowTx, wanted: readonly PendingRow[]): Plan<void> {
  if (wanted.length === 0) return;
  const hasEvent = yield* storedEvents(rows, wanted);
  const known = yield* attempted(rows, wanted);
  const fresh = wanted.filter((each, index) => hasEvent[index] && !known.has(nameOf(each)));
  yield* rows.insert(pending, inKeyOrder(fresh), 'ignore');
}
