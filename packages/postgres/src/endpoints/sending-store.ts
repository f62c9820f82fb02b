import { type SendingScope, type SendingStore, shardCount, shardOf } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
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
const begin = statement`insert into ${t.sending_pauses} (account_id, endpoint_id, since)
  values (${accountId}, ${endpointId}, ${ms('now()')}) on conflict do nothing returning 1 as changed`;
const end = statement`delete from ${t.sending_pauses} where ${ofScope} returning 1 as changed`;
const raise = statement`with ${raiseVersions(sql`select unnest(${shards})`, '0')} select 1`;
const list = statement`select account_id as account, endpoint_id as endpoint, since from ${t.sending_pauses}
  order by account_id, endpoint_id`;

/** Since when the endpoint of these columns is paused, whatever the scope; null: it is not. */
export const pausedSince = (account: string, endpoint: string) => sql`(select min(p.since) from ${t.sending_pauses} p
    where p.account_id in ('', ${account}) and p.endpoint_id in ('', ${endpoint}::text))`;

const everyShard = Array.from({ length: shardCount }, (_, shard) => shard);

/** Pauses of sending. */
export const sendingStore = <Tx extends object>({ run, shortTransaction }: Database<Tx>): SendingStore => {
  const change = (by: typeof begin | typeof end, { accountId, endpointId = '' }: SendingScope): Promise<void> =>
    shortTransaction(async (own) => {
      const shards = accountId === undefined ? everyShard : [shardOf(accountId)];
      await own(lock, { shards });
      const changed = await own(by, { accountId: accountId ?? '', endpointId });
      if (changed.length > 0) await own(raise, { shards });
    });
  return {
    pause: (scope) => change(begin, scope),
    resume: (scope) => change(end, scope),
    listPauses: async () =>
      (await run(list)).map((row) => ({
        ...(row['account'] === '' ? {} : { accountId: String(row['account']) }),
        ...(row['endpoint'] === '' ? {} : { endpointId: String(row['endpoint']) }),
        since: Number(row['since']),
      })),
  };
};
