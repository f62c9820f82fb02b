import type { DeliveryKey } from '../deliveries/delivery-id.ts';
import type { DeliveryRow, DispatchedRow, LogRow } from './rows.ts';
import type { Tables } from './tables.ts';

/** A delivery that has a log or is pending. @internal */
export const storedDelivery = (
  { deliveries }: DispatchedRow,
  endpointId: string,
  replay: number,
): DeliveryRow | undefined => {
  for (const row of deliveries) if (row.replay === replay && row.endpointId === endpointId) return row;
  return undefined;
};

/** A stored delivery by its key. @internal */
export const findDelivery = (
  tables: Tables,
  { accountId, eventId, endpointId, replay }: DeliveryKey,
): DeliveryRow | undefined => {
  const event = tables.findDispatched(accountId, eventId);
  return event && storedDelivery(event, endpointId, replay);
};

/** A delivery without log that is not pending. @internal */
export const newDelivery = (event: DispatchedRow, endpointId: string, replay: number): DeliveryRow => ({
  event,
  endpointId,
  replay,
  log: [],
  pending: undefined,
});

/** The row of a delivery, created if absent. @internal */
export const deliveryRow = (event: DispatchedRow, endpointId: string, replay: number): DeliveryRow => {
  const known = storedDelivery(event, endpointId, replay);
  if (known) return known;
  const made = newDelivery(event, endpointId, replay);
  event.deliveries = event.deliveries.length === 0 ? [made] : [...event.deliveries, made];
  return made;
};

/** Removes a delivery without log that is not pending. @internal */
export const dropIfEmpty = (delivery: DeliveryRow): void => {
  if (delivery.log.length > 0 || delivery.pending) return;
  delivery.event.deliveries = delivery.event.deliveries.filter((each) => each !== delivery);
};

/** Adds a row to the log; an existing number stays as it is. @internal */
export const addToLog = (delivery: DeliveryRow, row: LogRow): void => {
  const { log } = delivery;
  if (log.length === 0) {
    delivery.log = [row];
    return;
  }
  if (log.some(({ number }) => number === row.number)) return;
  delivery.log = [...log, row].sort((a, b) => a.number - b.number);
};

/** The rows of the deliveries that a read leaves out. @internal */
export const toSet = (tables: Tables, keys: readonly DeliveryKey[]): ReadonlySet<DeliveryRow> => {
  const rows = new Set<DeliveryRow>();
  for (const key of keys) {
    const row = findDelivery(tables, key);
    if (row) rows.add(row);
  }
  return rows;
};
