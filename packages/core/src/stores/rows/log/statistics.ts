import type { EpochMs } from '../../../base/runtime/time.ts';
import { maxCounted } from '../../../base/signals/health-change.ts';
import { type DeliveryKey, deliveryIdOf } from '../../../webhooks/deliveries/delivery-id.ts';
import type { SendOutcome } from '../../../webhooks/deliveries/sender.ts';
import type { DeliveryLog } from '../../../webhooks/log/delivery-log.ts';
import {
  type CountedAttempt,
  countOutcomes,
  type LastAttempt,
  type StoredStatistics,
} from '../../../webhooks/log/statistics.ts';
import { shardOf } from '../../../webhooks/shards/shard.ts';
import { dispatchedSince, freshDeliveries } from '../deliveries/dispatched.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import { attempts, pending } from '../tables/deliveries.ts';
import { endpoints } from '../tables/endpoints.ts';
import { shards } from '../tables/shards.ts';

type Read = Parameters<DeliveryLog['readStatistics']>;
type Statistics = Awaited<ReturnType<DeliveryLog['readStatistics']>>;

/** Maximum number of attempts that one call reads. */
const maxRead = 20_000;

const columns = ['accountId', 'eventId', 'endpointId', 'replay', 'at', 'outcome'] as const;

type LoggedAttempt = DeliveryKey & CountedAttempt;

const isAttempt = <R extends { readonly outcome: { readonly kind: string } }>(
  row: R,
): row is R & { readonly outcome: SendOutcome } => row.outcome.kind !== 'expired';

/** The newest of attempts; of some that ended at once, the first. */
const lastOf = (found: readonly LoggedAttempt[]): LastAttempt | undefined => {
  const [first] = found;
  if (!first) return undefined;
  const last = found.reduce((newest, each) => (each.at > newest.at ? each : newest), first);
  return { ...last.outcome, at: last.at, deliveryId: deliveryIdOf(last) };
};

/** Unfinished deliveries of endpoints: their number, and when the first of each is due. */
function* readUnfinished(
  rows: RowTx,
  accountId: string,
  endpointIds: readonly string[],
): Plan<ReadonlyMap<string, { readonly count: number; readonly dueAt: EpochMs }>> {
  const [shard, now] = [shardOf(accountId), yield* rows.now()];
  const known = new Map<string, { count: number; dueAt: EpochMs }>();
  const add = (endpointId: string, count: number, dueAt: EpochMs): void => {
    const before = known.get(endpointId) ?? { count: 0, dueAt };
    // A replayed delivery is due as soon as no other is.
    const due = Math.min(before.dueAt, dueAt === Number.POSITIVE_INFINITY ? now : dueAt);
    known.set(endpointId, { count: Math.min(before.count + count, maxCounted), dueAt: due });
  };
  const prefixes = endpointIds.map((endpointId) => [shard, accountId, endpointId] as const);
  const counts = yield* rows.count(
    pending,
    'endpoint',
    prefixes.map((prefix) => ({ prefix, limit: maxCounted })),
  );
  const countOf = new Map(endpointIds.map((endpointId, index) => [endpointId, counts[index] ?? 0]));
  const ranges = prefixes.map((prefix) => ({ prefix, limit: 1 }));
  const due = ['endpointId', 'dueAt'] as const;
  for (const { endpointId, dueAt } of yield* rows.scan(pending, 'endpoint', ranges, { columns: due }))
    add(endpointId, countOf.get(endpointId) ?? 0, dueAt);
  for (const { endpointId, dueAt } of yield* rows.scan(pending, 'queued', ranges, { columns: due }))
    add(endpointId, 0, dueAt);
  const own = (yield* rows.get(shards, [[shard]])).filter((row) => row !== undefined);
  yield* dispatchedSince(rows, own, function* (found) {
    const ofAccount = found.filter((row) => row.accountId === accountId);
    for (const { endpointId, dispatchedAt } of yield* freshDeliveries(rows, ofAccount))
      add(endpointId, 1, dispatchedAt);
  });
  return known;
}

/** Counts the attempts of endpoints, and what waits. */
export function* readStatistics(
  rows: RowTx,
  accountId: Read[0],
  endpointIds: Read[1],
  { from, width }: Read[2],
): Plan<Statistics> {
  const keys = endpointIds.map((id) => [accountId, id] as const);
  const own = (yield* rows.get(endpoints, keys)).filter((row) => row !== undefined);
  if (own.length === 0) return { endpoints: [], isComplete: true };
  const options = { limit: maxRead + 1, newestFirst: true, columns };
  const found = yield* rows.scan(attempts, 'delivery', [{ prefix: [accountId] }], options);
  const read = found.slice(0, maxRead).filter(isAttempt);
  const unfinished = yield* readUnfinished(
    rows,
    accountId,
    own.map(({ id }) => id),
  );
  return {
    endpoints: own.map(({ id: endpointId, endpoint: { state } }): StoredStatistics => {
      const mine = read.filter((row) => row.endpointId === endpointId);
      const last = lastOf(mine);
      const { count = 0, dueAt } = unfinished.get(endpointId) ?? {};
      const isEnabled = state === 'enabled';
      return {
        endpointId,
        ...countOutcomes(mine, from, width),
        ...(last === undefined ? {} : { last }),
        ...(isEnabled ? { waiting: count, held: 0 } : { waiting: 0, held: count }),
        ...(isEnabled && dueAt !== undefined ? { dueAt } : {}),
      };
    }),
    isComplete: found.length <= maxRead,
  };
}
