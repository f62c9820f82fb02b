import { type Column, type Plan, type RowTx, rowTables, type Table } from '@partnerkit/core/adapter';
import { wrongForm } from '../errors.ts';
import type { AnyRow } from './shape.ts';

/** Has most types of columns, and no unique index. */
const name = 'endpoint_history';

/** Values that a wrong character set, a cast or a hook would change. */
const samples: Readonly<Record<Exclude<Column['type'], 'identity'>, readonly [unknown, unknown]>> = {
  text: ['é 💶 "\\', ''],
  json: [{ 'é 💶': ['"\\'] }, []],
  number: [Number.POSITIVE_INFINITY, 0.5],
  integer: [Number.MAX_SAFE_INTEGER, 0],
  flag: [true, false],
};

const sampleOf = ({ columns, key }: Table, nth: 0 | 1): AnyRow =>
  Object.fromEntries(
    Object.entries(columns).map(([each, { type }]) => {
      if (type === 'identity') throw new TypeError(`${each}: the server assigns it.`);
      const isKey = type === 'text' && key.includes(each);
      return [each, isKey ? `check_${globalThis.crypto.randomUUID()}` : samples[type][nth]];
    }),
  );

/** The column of which a row has another value than was stored. */
const changedOf = ({ columns }: Table, stored: AnyRow, read: AnyRow | undefined): string | undefined =>
  Object.keys(columns).find((each) => JSON.stringify([stored[each]]) !== JSON.stringify([read?.[each]]));

/**
 * Stores two rows, reads and deletes them: what storage does, on a connection of the host. For a transaction that is
 * rolled back.
 * @throws Error with the code `wrong_form` when they are read in another form.
 */
export function* proveRows(rows: RowTx): Plan<void> {
  const table = rowTables.find((each) => each.name === name) as Table;
  const stored = [sampleOf(table, 0), sampleOf(table, 1)];
  const keys = stored.map((row) => table.key.map((each) => row[each])) as never;
  yield* rows.insert(table, stored as never, 'fail');
  const read = yield* rows.get(table, keys);
  for (const [nth, row] of stored.entries()) {
    const changed = changedOf(table, row, read[nth] as AnyRow | undefined);
    if (changed !== undefined) throw wrongForm(`${name}.${changed}`, 'not what was stored');
  }
  const deleted = yield* rows.delete(table, keys);
  if (!deleted.every(Boolean)) throw wrongForm(name, 'a row that was not deleted');
}
