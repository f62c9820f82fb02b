import type { UsageDay } from '../../../access/clients/client-usage.ts';
import { compareBytes } from '../../../base/runtime/byte-order.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import type { RangeOf, RowOf } from '../port/table.ts';
import { clients, clientUsage } from '../tables/clients.ts';

type Range = RangeOf<typeof clientUsage, 'client'>;

/** Deletes the days of ranges. */
export function* deleteUsage(rows: RowTx, ranges: readonly Range[]): Plan<void> {
  const old = yield* rows.scan(clientUsage, 'client', ranges, { columns: ['clientId', 'date'] });
  yield* rows.delete(
    clientUsage,
    old.map(({ clientId, date }) => [clientId, date] as const),
  );
}

const sum = (stored: RowOf<typeof clientUsage> | undefined, added: UsageDay): RowOf<typeof clientUsage> => {
  if (!stored) return { ...added, lastRefusal: added.lastRefusal };
  const [known, other] = [stored.lastRefusal, added.lastRefusal];
  return {
    ...stored,
    calls: stored.calls + added.calls,
    lastCallAt: Math.max(stored.lastCallAt, added.lastCallAt),
    lastRefusal: known && other ? (known.at > other.at ? known : other) : (known ?? other),
  };
};

/** Adds the days of the clients that exist. Their rows are locked: simultaneous calls and deletions wait. */
export function* addUsage(rows: RowTx, days: readonly UsageDay[], since: string): Plan<void> {
  const ids = [...new Set(days.map(({ clientId }) => clientId))].toSorted(compareBytes);
  const found = yield* rows.get(
    clients,
    ids.map((id) => [id] as const),
    'update',
  );
  const known = new Set(found.flatMap((row) => row?.id ?? []));
  const added = days
    .filter(({ clientId }) => known.has(clientId))
    .toSorted((a, b) => compareBytes(a.clientId, b.clientId) || compareBytes(a.date, b.date));
  const stored = yield* rows.get(
    clientUsage,
    added.map(({ clientId, date }) => [clientId, date] as const),
    'update',
  );
  yield* rows.put(
    clientUsage,
    added.map((each, index) => sum(stored[index], each)),
  );
  yield* deleteUsage(
    rows,
    [...known].map((id) => ({ prefix: [id] as const, before: [since] as const })),
  );
}
