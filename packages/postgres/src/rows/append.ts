import { appendedRows, type NewEvent, type StoreWake } from '@partnerkit/core/adapter';
import type { OperationsOptions } from './operations.ts';
import type { AnyRow } from './shape.ts';

/** The column that the statement fills by the server's clock. */
const storedAt = 'storedAt';

/** Inserts events without idempotency keys by one statement. Resolves to what wakes workers for them. */
export const insertEvents = async (
  { shapeOf, now, query }: Pick<OperationsOptions, 'shapeOf' | 'now' | 'query'>,
  appended: readonly NewEvent[],
): Promise<StoreWake> => {
  const [events, outbox] = appendedRows(appended, 0).inserts.map(({ table, rows }) => ({
    shape: shapeOf(table),
    rows: rows as readonly AnyRow[],
  }));
  if (!events || !outbox) throw new TypeError('An event has rows of two tables.');
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
  return appendedRows(appended, Number(row?.['now'])).wake;
};
