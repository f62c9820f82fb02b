import type { EpochMs } from '../../../base/runtime/time.ts';
import { maxCountedOfEndpoint, maxTroubled, type TroubledEndpoint } from '../../../webhooks/log/health-snapshot.ts';
import { shardOf } from '../../../webhooks/shards/shard.ts';
import { pausedUntil } from '../endpoints/health.ts';
import { reasonOf } from '../endpoints/history.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import { pending } from '../tables/deliveries.ts';
import { endpointHistory, type HealthRow } from '../tables/endpoints.ts';
import type { StoredQueue } from './backlog.ts';

interface Named {
  readonly accountId: string;
  readonly endpointId: string;
}

const nameOf = ({ accountId, endpointId }: Named): string => JSON.stringify([accountId, endpointId]);
const inKeyOrder = (a: Named, b: Named): number => (nameOf(a) < nameOf(b) ? -1 : 1);

/** The first of each list, then the second of each, without repetition. */
const inTurns = (lists: readonly (readonly Named[])[]): readonly Named[] => {
  const chosen = new Map<string, Named>();
  for (let place = 0; place < maxTroubled; place++)
    for (const list of lists) {
      const each = list[place];
      if (each && chosen.size < maxTroubled && !chosen.has(nameOf(each))) chosen.set(nameOf(each), each);
    }
  return [...chosen.values()];
};

/** Reads the worst of endpoints that fail, and of those with unfinished deliveries. */
export function* readTroubled(
  rows: RowTx,
  failing: readonly HealthRow[],
  queues: readonly StoredQueue[],
  now: EpochMs,
): Plan<readonly TroubledEndpoint[]> {
  const oldestFirst = (some: readonly StoredQueue[]) =>
    some.toSorted((a, b) => a.firstDue - b.firstDue || inKeyOrder(a, b));
  const chosen = inTurns([
    failing.toSorted((a, b) => a.failingSince - b.failingSince || inKeyOrder(a, b)),
    oldestFirst(queues.filter(({ state }) => state === 'disabled_by_breaker')),
    oldestFirst(queues.filter(({ state, firstDue }) => state === 'enabled' && firstDue <= now)),
  ]);
  const numbers = yield* rows.count(
    pending,
    'endpoint',
    chosen.map(({ accountId, endpointId }) => ({
      prefix: [shardOf(accountId), accountId, endpointId] as const,
      limit: maxCountedOfEndpoint,
    })),
  );
  const ofChosen = chosen.map(({ accountId, endpointId }) => ({ prefix: [accountId, endpointId], limit: 1 }) as const);
  const latest = yield* rows.scan(endpointHistory, 'endpoint', ofChosen, { newestFirst: true });
  const reasons = new Map(latest.map((row) => [nameOf(row), reasonOf(row)]));
  const fails = new Map(failing.map((row) => [nameOf(row), row]));
  const waits = new Map(queues.map((queue) => [nameOf(queue), queue]));
  return chosen.map(({ accountId, endpointId }, index): TroubledEndpoint => {
    const name = nameOf({ accountId, endpointId });
    const health = fails.get(name);
    const until = health ? pausedUntil(health) : now;
    const disabledBy = reasons.get(name);
    const { firstDue = Number.POSITIVE_INFINITY } = waits.get(name) ?? {};
    return {
      ...{ accountId, endpointId, failures: health?.failures ?? 0, unfinished: numbers[index] ?? 0 },
      ...(health ? { failingSince: health.failingSince } : {}),
      ...(until > now ? { pausedUntil: until } : {}),
      ...(disabledBy ? { disabledBy } : {}),
      ...(firstDue <= now ? { oldestDue: now - firstDue } : {}),
    };
  });
}
