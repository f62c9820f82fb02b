import { maxCounted } from '../../../base/signals/health-change.ts';
import type { HealthSnapshot } from '../../../webhooks/log/health-snapshot.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import { health } from '../tables/endpoints.ts';
import { events, outbox } from '../tables/events.ts';
import { shards, workers } from '../tables/shards.ts';
import { readQueues } from './backlog.ts';
import { readTroubled } from './troubled.ts';

const all = [{ prefix: [] }] as const;

/** Reads the health of the store: rows of what is unfinished, none of what is finished. */
export function* readHealthSnapshot(rows: RowTx): Plan<HealthSnapshot> {
  const now = yield* rows.now();
  const [first] = yield* rows.scan(outbox, 'position', all, { limit: 1, columns: ['accountId', 'id'] });
  const [oldest] = first ? yield* rows.get(events, [[first.accountId, first.id]]) : [];
  const members = yield* rows.scan(workers, 'expiry', all);
  const alive = new Set(members.filter(({ expiresAt }) => expiresAt > now).map(({ id }) => id));
  const owned = new Map<string | undefined, number>();
  for (const { owner } of yield* rows.scan(shards, 'all', all)) {
    const known = owner !== undefined && alive.has(owner) ? owner : undefined;
    owned.set(known, (owned.get(known) ?? 0) + 1);
  }
  const failing = yield* rows.scan(health, 'all', all, { limit: maxCounted });
  const endpoints = yield* readTroubled(rows, failing, yield* readQueues(rows, { prefix: [] }), now);
  return {
    now,
    ...(oldest ? { oldestUndispatched: Math.max(now - oldest.storedAt, 0) } : {}),
    workers: members
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ id, isStopping, expiresAt }) => ({
        ...{ id, shards: owned.get(id) ?? 0, isStopping, leaseLeft: Math.max(expiresAt - now, 0) },
      })),
    freeShards: owned.get(undefined) ?? 0,
    failingEndpoints: failing.length,
    endpoints,
  };
}
