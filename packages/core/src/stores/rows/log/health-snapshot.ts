import { maxCounted } from '../../../base/signals/health-change.ts';
import type { HealthSnapshot } from '../../../webhooks/log/health-snapshot.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import { membersOf } from '../shards/members.ts';
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
  const owners = (yield* rows.scan(shards, 'all', all)).map(({ owner }) => [owner, 1] as const);
  const failing = yield* rows.scan(health, 'all', all, { limit: maxCounted });
  const endpoints = yield* readTroubled(rows, failing, yield* readQueues(rows, { prefix: [] }), now);
  return {
    now,
    ...(oldest ? { oldestUndispatched: Math.max(now - oldest.storedAt, 0) } : {}),
    ...membersOf(members, owners, now),
    failingEndpoints: failing.length,
    endpoints,
  };
}
