import type { DeliveryStore, ShardRange } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { plannedAnew } from '../database/fragments.ts';
import { sql, statement } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { inQueueOrder } from './pending.ts';
import { limit, ranges } from './ranges.ts';

/** The first account of a shard with pending deliveries, after another one: one index lookup. */
const nextAccount = (after: string) => sql`(
      select account_id from ${t.pending} where shard = r.shard and account_id > ${after}
      order by ${inQueueOrder} limit 1)`;

/** One index lookup per endpoint: with `exists`, the planner may read all queues. */
const hasQueued = sql`exists (select 1 from ${t.endpoints} e where e.account_id = w.account_id and (
      select true from ${t.pending} p
      where p.shard = r.shard and p.account_id = e.account_id and p.endpoint_id = e.id and p.state = 'queued'
      order by p.due_at limit 1) is not null)`;

const read = statement`
  select w.shard, w.account_id as account, w.nth, w.queued::text as queued
  from ${ranges.as('r')} cross join lateral (
    with recursive accounts as (
      select a.account_id, 1 as nth from ${nextAccount('r.after')} a
      union all
      select a.account_id, w.nth + 1 from accounts w cross join lateral ${nextAccount('w.account_id')} a where w.nth < ${limit}
    )
    select r.shard, w.account_id, w.nth, ${hasQueued} as queued from accounts w
    where r.before is null or w.account_id < r.before
  ) w
  where ${plannedAnew(ranges.column('shard'))}
  order by w.shard, w.nth`;

/** Finds accounts with queued deliveries. */
export const readQueuedAccounts =
  <Tx extends object>({ run }: Database<Tx>): DeliveryStore['readQueuedAccounts'] =>
  async (ranges, limit) => {
    const found = await run(read, { ranges, limit });
    const ofShard = new Map(ranges.map((range) => [range.shard, range]));
    const rest = found.flatMap((row): readonly ShardRange[] => {
      const range = ofShard.get(Number(row['shard']));
      return range && Number(row['nth']) === limit ? [{ ...range, after: String(row['account']) }] : [];
    });
    const queued = found.filter((row) => row['queued'] === 'true');
    return { accountIds: queued.map((row) => String(row['account'])), rest };
  };
