import type { EpochMs, EpochSeconds } from '../../../base/runtime/time.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import type { KeyOf, NewRowOf, RowOf } from '../port/table.ts';
import type { inbox, seenKeys } from '../tables/receiver.ts';

/**
 * Adds a row, or replaces the known one if `mayReplace` says so. Returns whether it did. Waits for the transactions
 * that change the row, so simultaneous calls decide one after the other.
 */
export function* putInTurn<T extends typeof inbox | typeof seenKeys>(
  rows: RowTx,
  table: T,
  row: RowOf<T> & NewRowOf<T> & { readonly key: string },
  mayReplace: (known: RowOf<T>) => boolean,
): Plan<boolean> {
  for (;;) {
    const [isNew] = yield* rows.insert(table, [row], 'ignore');
    if (isNew) return true;
    const [known] = yield* rows.get(table, [[row.key] as unknown as KeyOf<T>], 'update');
    if (!known) continue;
    if (!mayReplace(known)) return false;
    yield* rows.put(table, [row]);
    return true;
  }
}

/** Whether a timestamp may replace the stored one. An expired one counts as none. */
export const mayAdvance = (
  timestamp: EpochSeconds,
  now: EpochMs,
  stored: { readonly timestamp: EpochSeconds | undefined; readonly until: EpochMs },
): boolean => (stored.timestamp ?? timestamp) <= timestamp || stored.until <= now;
