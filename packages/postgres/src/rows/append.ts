import { appendedRows, type NewEvent, quoted, type StoreWake } from '@partnerkit/core/adapter';
import type { OperationsOptions } from './operations.ts';
import type { AnyRow } from './shape.ts';

/** The column that the statement fills by the server's clock. */
const storedAt = 'storedAt';

/** How events are inserted. */
export interface AppendOptions extends Pick<OperationsOptions, 'shapeOf' | 'now' | 'query'> {
  /** Whether a single event is two plain inserts of a transaction: Citus runs one statement of both as three parts. */
  readonly isApart: boolean;
}

/** Inserts events without idempotency keys. Resolves to what wakes workers for them. */
export const insertEvents = async (
  { shapeOf, now, query, isApart }: AppendOptions,
  appended: readonly NewEvent[],
): Promise<StoreWake> => {
  const [events, outbox] = appendedRows(appended, 0).inserts.map(({ table, rows }) => ({
    shape: shapeOf(table),
    rows: rows as readonly AnyRow[],
  }));
  if (!events || !outbox) throw new TypeError('An event has rows of two tables.');
  const wakeAt = (row: AnyRow | undefined): StoreWake => appendedRows(appended, Number(row?.['now'])).wake;
  if (isApart && appended.length === 1) {
    const event = events.shape.insert(events.rows, { [storedAt]: now() });
    // Bound before the first is sent: a text that cannot be stored leaves no row behind.
    const place = outbox.shape.insert(outbox.rows);
    const [row] = await query(`${event[0]} returning ${quoted(storedAt)} as now`, event[1]);
    await query(...place);
    return wakeAt(row);
  }
  const [row] = await query(
    `with m as materialized (select ${now()} as now), ` +
      `stored as (${events.shape.insertOf(events.shape.given, 1, { [storedAt]: '(select m.now from m)' })}), ` +
      `placed as (${outbox.shape.insertOf(outbox.shape.given, 2)}) select m.now as now from m`,
    [
      events.shape.rows(
        events.rows,
        events.shape.given.filter((name) => name !== storedAt),
      ),
      outbox.shape.rows(outbox.rows, outbox.shape.given),
    ],
  );
  return wakeAt(row);
};
