import { compareBytes } from '../../../base/runtime/byte-order.ts';
import { type EpochMs, hour } from '../../../base/runtime/time.ts';
import type { DeliveryLog, EndpointPlace, FailedHour, FailedHourKey } from '../../../webhooks/log/delivery-log.ts';
import { nameIn } from '../port/name-in.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import { failedHours } from '../tables/deliveries.ts';

const keyOf = (each: FailedHourKey) => [each.hour, each.accountId, each.endpointId, each.state] as const;

const compare = (a: FailedHourKey, b: FailedHourKey): number =>
  a.hour - b.hour ||
  compareBytes(a.accountId, b.accountId) ||
  compareBytes(a.endpointId, b.endpointId) ||
  compareBytes(a.state, b.state);

/** Counts failed deliveries in the hour of `now`: one entry for each. */
export function* countFailed(
  rows: RowTx,
  failed: readonly (EndpointPlace & Pick<FailedHour, 'state'>)[],
  now: EpochMs,
): Plan<void> {
  if (failed.length === 0) return;
  const sums = new Map<string, FailedHour>();
  for (const { accountId, endpointId, state } of failed) {
    const name = nameIn(accountId, `${endpointId} ${state}`);
    const deliveries = (sums.get(name)?.deliveries ?? 0) + 1;
    sums.set(name, { hour: now - (now % hour), accountId, endpointId, state, deliveries });
  }
  const added = [...sums.values()].sort(compare);
  // A row that others may add is there before it is locked.
  const empty = added.map((each) => ({ ...each, deliveries: 0 }));
  yield* rows.insert(failedHours, empty, 'ignore');
  const stored = yield* rows.get(failedHours, added.map(keyOf), 'update');
  yield* rows.put(
    failedHours,
    added.map((each, index) => ({ ...each, deliveries: each.deliveries + (stored[index]?.deliveries ?? 0) })),
  );
}

type Read = Parameters<DeliveryLog['readFailedHours']>;

/** Reads a page of the hours that ended some time ago. */
export function* readFailedHours(rows: RowTx, age: Read[0], { after, limit }: Read[1]): Plan<readonly FailedHour[]> {
  const to = [(yield* rows.now()) - age - hour] as const;
  return yield* rows.scan(failedHours, 'all', [{ prefix: [], to, ...(after ? { after: keyOf(after) } : {}) }], {
    limit,
  });
}

export function* deleteFailedHours(rows: RowTx, hours: readonly FailedHourKey[]): Plan<void> {
  yield* rows.delete(failedHours, hours.toSorted(compare).map(keyOf));
}
