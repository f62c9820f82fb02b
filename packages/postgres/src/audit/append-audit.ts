import type { NewAuditEntry } from '@partnerkit/core/adapter';
import { shardOf } from '@partnerkit/core/adapter';
import type { Database, Run } from '../database/database.ts';
import { ms } from '../database/fragments.ts';
import { statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';

/** Stores entries without a stored id; makes their deliveries to handlers, which cannot be removed meanwhile. */
const append = statement`
  with stored as (
    insert into ${t.audit_entries} (id, account_id, shard, at, type, subject_id, actor, request_id, data, mac, state, position, link)
    select id, "accountId", shard, ${ms('now()')}, type, "subjectId", by, "requestId", data, mac, 'new', 0, ''
    from json_to_recordset((${value('entries', 'text')})::json)
      as g(id uuid, shard smallint, "accountId" text, type text, "subjectId" text, by json, "requestId" text, data json, mac text)
    on conflict (id) do nothing returning account_id, id, type
  ), registered as materialized (
    select name, events from ${t.handlers} order by name for key share
  )
  insert into ${t.handler_deliveries} (account_id, event_id, handler, state, due_at, attempts, log)
  select s.account_id, s.id, h.name, 'waiting', ${ms('now()')}, 0, '[]'
  from stored s join registered h on 'Operations.' || s.type = any(h.events) on conflict do nothing`;

/** Stores entries of the audit trail in one statement. */
export const appendEntries = async (own: Run, entries: readonly NewAuditEntry[]): Promise<void> => {
  if (entries.length === 0) return;
  // Two workers that tell the same facts wait for each other in the same order.
  const ordered = entries.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await own(append, {
    entries: JSON.stringify(ordered.map((entry) => ({ ...entry, shard: shardOf(entry.accountId) }))),
  });
};

/** Stores an entry of the audit trail in a transaction. */
export const appendAudit = (own: Run, entry: NewAuditEntry | undefined): Promise<void> =>
  appendEntries(own, entry ? [entry] : []);

/** Makes a change, and stores its entry in the same transaction if it was made. */
export const auditedBy =
  ({ run, shortTransaction }: Pick<Database<object>, 'run' | 'shortTransaction'>) =>
  (entry: NewAuditEntry | undefined, change: (run: Run) => Promise<boolean>): Promise<boolean> =>
    entry
      ? shortTransaction(async (own) => {
          const isMade = await change(own);
          if (isMade) await appendAudit(own, entry);
          return isMade;
        })
      : change(run);
