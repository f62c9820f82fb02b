import {
  type NewAuditEntry,
  type SendingScope,
  type SendingStore,
  shardCount,
  shardOf,
} from '@partnerkit/core/adapter';
import { appendAudit } from '../audit/append-audit.ts';
import type { Database, Run } from '../database/database.ts';
import { ms } from '../database/fragments.ts';
import { sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { raiseVersions } from './raise-versions.ts';

const [accountId, endpointId, shards] = [
  value('accountId', 'text'),
  value('endpointId', 'text'),
  value('shards', 'int[]'),
];
const ofScope = sql`account_id = ${accountId} and endpoint_id = ${endpointId}`;

const lock = statement`select 1 from ${t.endpoint_versions} where shard = any(${shards}) order by shard for update`;
const begin = statement`insert into ${t.sending_pauses} (account_id, endpoint_id, since, actor)
  values (${accountId}, ${endpointId}, ${ms('now()')}, ${value('actor', 'text')}::json) on conflict do nothing returning 1 as changed`;
const end = statement`delete from ${t.sending_pauses} where ${ofScope} returning 1 as changed`;
const raise = statement`with ${raiseVersions(sql`select unnest(${shards})`, '0')} select 1`;
const list = statement`select account_id as account, endpoint_id as endpoint, since, actor::text as actor from ${t.sending_pauses}
  order by account_id, endpoint_id`;

/** Since when the endpoint of these columns is paused, whatever the scope; null: it is not. */
export const pausedSince = (account: string, endpoint: string) => sql`(select min(p.since) from ${t.sending_pauses} p
    where p.account_id in ('', ${account}) and p.endpoint_id in ('', ${endpoint}::text))`;

const everyShard = Array.from({ length: shardCount }, (_, shard) => shard);

/** Pauses of sending. */
export const sendingStore = <Tx extends object>({ run, shortTransaction }: Database<Tx>): SendingStore => {
  /** Makes a change of a scope; with its entry, and the versions raised, if it changed something. */
  const change = (
    { accountId, endpointId = '' }: SendingScope,
    audit: NewAuditEntry,
    make: (own: Run, of: { readonly accountId: string; readonly endpointId: string }) => Promise<readonly unknown[]>,
  ): Promise<void> =>
    shortTransaction(async (own) => {
      const shards = accountId === undefined ? everyShard : [shardOf(accountId)];
      await own(lock, { shards });
      const changed = await make(own, { accountId: accountId ?? '', endpointId });
      if (changed.length === 0) return;
      await appendAudit(own, audit);
      await own(raise, { shards });
    });
  return {
    pause: (scope, audit) => change(scope, audit, (own, of) => own(begin, { ...of, actor: JSON.stringify(audit.by) })),
    resume: (scope, audit) => change(scope, audit, (own, of) => own(end, of)),
    listPauses: async () =>
      (await run(list)).map((row) => ({
        ...(row['account'] === '' ? {} : { accountId: String(row['account']) }),
        ...(row['endpoint'] === '' ? {} : { endpointId: String(row['endpoint']) }),
        since: Number(row['since']),
        by: JSON.parse(String(row['actor'])),
      })),
  };
};
