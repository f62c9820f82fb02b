import { type NewAuditEntry, operationsObject } from '../../../base/audit/audit-entry.ts';
import { shardOf } from '../../../webhooks/shards/shard.ts';
import { deliverToHandlers } from '../handler-deliveries/deliver.ts';
import type { Plan, RowTx } from '../port/row-store.ts';
import { auditEntries } from '../tables/audit.ts';
import { handlers } from '../tables/handlers.ts';

/** Stores an entry, unless its id is stored; makes its deliveries to handlers. */
export function* appendAudit(rows: RowTx, entry: NewAuditEntry | undefined): Plan<void> {
  if (!entry) return;
  const { id, accountId, type } = entry;
  const at = yield* rows.now();
  const unlinked = { shard: shardOf(accountId), at, state: 'new', position: 0, link: '' } as const;
  const [isNew] = yield* rows.insert(auditEntries, [{ requestId: undefined, ...entry, ...unlinked }], 'ignore');
  if (!isNew) return;
  const selecting = (yield* rows.scan(handlers, 'all', [{ prefix: [] }])).filter(({ events }) =>
    events.includes(`${operationsObject}.${type}`),
  );
  yield* deliverToHandlers(
    rows,
    selecting.map(({ name }) => ({ accountId, eventId: id, handler: name })),
  );
}
