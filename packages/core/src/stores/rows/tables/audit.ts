import type { AuditType } from '../../../base/audit/audit-entry.ts';
import type { Actor } from '../../../base/signals/actor.ts';
import { integer, json, number, optional, type RowOf, table, text } from '../port/table.ts';

/** The audit trail. A `new` entry has no link yet: its position is 0. */
export const auditEntries = table({
  name: 'audit_entries',
  columns: {
    id: text(),
    accountId: text(),
    shard: integer(),
    at: number(),
    type: text<AuditType>(),
    subjectId: text(),
    by: json<Actor>(),
    requestId: optional(text()),
    data: json<Readonly<Record<string, unknown>>>(),
    mac: text(),
    state: text<'new' | 'linked'>(),
    position: integer(),
    link: text(),
  },
  key: ['id'],
  indexes: {
    all: { columns: ['id'] },
    account: { columns: ['accountId', 'id'] },
    new: { columns: ['shard', 'id'], where: ['state', 'new'] },
    linked: { columns: ['shard', 'position'], where: ['state', 'linked'] },
  },
});

/** The ends of the chains of the audit trail, by shard. */
export const auditChains = table({
  name: 'audit_chains',
  columns: {
    shard: integer(),
    position: integer(),
    link: text(),
    prunedPosition: integer(),
    prunedLink: text(),
  },
  key: ['shard'],
  indexes: {},
});

export type AuditRow = RowOf<typeof auditEntries>;
