import {
  type AttemptBucket,
  type DeliveryLog,
  deliveryIdOf,
  failureKinds,
  maxCounted,
  type StoredStatistics,
  shardOf,
} from '@partnerkit/core/adapter';
import { isAttempt } from '../database/attempts.ts';
import type { Database } from '../database/database.ts';
import { isSince, moment, ms, plannedAnew } from '../database/fragments.ts';
import { sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { isUuid } from '../database/uuid.ts';
import { inQueueOrder } from '../deliveries/pending.ts';
import { isUnknown } from '../deliveries/recover.ts';
import { outcomeOf } from './list-attempts.ts';

/** Maximum number of attempts that one call reads. */
const maxRead = 20_000;

const [accountId, shard, ids] = [value('accountId', 'text'), value('shard', 'int'), value('ids', 'uuid[]')];
const [from, width] = [value('from', 'float8'), value('width', 'float8')];

/** Attempts `o` with a status of a class, or with a reason of this kind. */
const answered = (low: number, high: number): string => `count(*) filter (where status between ${low} and ${high})`;
const failed = (kind: (typeof failureKinds)[keyof typeof failureKinds]): string => {
  const reasons = Object.entries(failureKinds).flatMap(([reason, each]) => (each === kind ? [`'${reason}'`] : []));
  return `count(*) filter (where reason in (${reasons.join(', ')}))`;
};

const failures = `json_build_object('clientError', ${answered(400, 499)}, 'serverError', ${answered(500, 599)},
      'otherStatus', count(*) filter (where status not between 200 and 299 and status not between 400 and 599),
      'timeout', ${failed('timeout')}, 'connection', ${failed('connection')}, 'tls', ${failed('tls')}, 'platform', ${failed('platform')})`;

/**
 * When the first delivery of a state is due. A replayed one (due at infinity) is due as soon as no other is. The
 * condition on the state is a range: the index of scheduled deliveries of all endpoints does not fit it.
 */
const firstDue = (
  state: string,
) => sql`(select case when first.due_at = 'infinity' then now() else first.due_at end from (
        select p.due_at from ${t.pending} p
        where p.shard = ${shard} and p.account_id = ${accountId} and p.endpoint_id = e.id and p.state between '${state}' and '${state}'
        order by ${inQueueOrder} limit 1
      ) first)`;

/**
 * Each endpoint with its attempts among the newest of the account, and with what waits. Orders are those of indexes:
 * with less, the planner may scan a table.
 */
const read = statement`with recent as materialized (
    select a.event_id, a.endpoint_id, a.replay, a.number, a.at, a.status, a.reason, a.duration_ms from ${t.attempts} a
    where a.account_id = ${accountId} and ${isAttempt} and ${plannedAnew(accountId)} order by a.event_id desc, a.endpoint_id desc, a.replay desc, a.number desc limit ${maxRead + 1}
  ), own as materialized (
    select * from recent where at >= ${moment(from)} and endpoint_id = any(${ids})
  ), buckets as (
    select endpoint_id, floor(${ms('at')} / ${width}) * ${width} as at, count(*) filter (where status between 200 and 299) as delivered, ${failures} as failed
    from own group by 1, 2
  ), fresh as materialized (
    select d.endpoint_id, d.dispatched_at from (
      select e.account_id, e.event_id, unnest(e.endpoints) as endpoint_id, e.dispatched_at from (
        select * from ${t.dispatches} where shard = ${shard} and ${isSince(sql`(select watermark from ${t.shards} where shard = ${shard})`)}
        order by dispatched_at limit ${maxCounted}
      ) e where e.account_id = ${accountId}
    ) d where d.endpoint_id = any(${ids}) and ${isUnknown}
  )
  select e.id::text as endpoint, e.state, (select count(*) from recent)::int as total,
    (select json_agg(json_build_object('at', b.at, 'delivered', b.delivered, 'failed', b.failed) order by b.at)::text
      from buckets b where b.endpoint_id = e.id) as buckets,
    (select (percentile_disc(array[0.5, 0.9]) within group (order by duration_ms))::float8[]::text
      from own o where o.endpoint_id = e.id and o.status is not null) as durations,
    least(${maxCounted}, (select count(*) from (
      select 1 from ${t.pending} p where p.shard = ${shard} and p.account_id = ${accountId} and p.endpoint_id = e.id
      order by ${inQueueOrder} limit ${maxCounted}
    ) counted) + (select count(*) from fresh f where f.endpoint_id = e.id))::int as unfinished,
    ${ms(sql`least(${firstDue('scheduled')}, ${firstDue('queued')}, (select min(dispatched_at) from fresh f where f.endpoint_id = e.id))`)} as due,
    l.*
  from ${t.endpoints} e left join lateral (
    select a.event_id::text as event, a.replay::int, ${ms('a.at')} as at, a.duration_ms as duration, a.status::int, a.reason, a.retry_after as retry, a.body
    from (
      select * from recent r where r.endpoint_id = e.id order by r.at desc, r.event_id desc, r.replay desc, r.number limit 1
    ) r join ${t.attempts} a on a.account_id = ${accountId} and a.event_id = r.event_id and a.endpoint_id = r.endpoint_id
      and a.replay = r.replay and a.number = r.number
  ) l on true
  where e.account_id = ${accountId} and e.id = any(${ids})`;

/** Counts the attempts of endpoints, and what waits. */
export const readStatistics =
  <Tx extends object>({ run }: Database<Tx>): DeliveryLog['readStatistics'] =>
  async (accountId, endpointIds, period) => {
    const ids = endpointIds.filter(isUuid);
    const rows = ids.length === 0 ? [] : await run(read, { accountId, shard: shardOf(accountId), ids, ...period });
    const endpoints = rows.map((row): StoredStatistics => {
      const endpointId = String(row['endpoint']);
      const isEnabled = row['state'] === 'enabled';
      const count = Number(row['unfinished']);
      const [medianMs, p90Ms] = String(row['durations'] ?? '').match(/[\d.e+-]+/g) ?? [];
      const last =
        row['event'] === null
          ? {}
          : {
              last: {
                ...outcomeOf(row),
                at: Number(row['at']),
                deliveryId: deliveryIdOf({
                  accountId,
                  endpointId,
                  eventId: String(row['event']),
                  replay: Number(row['replay']),
                }),
              },
            };
      return {
        endpointId,
        buckets: JSON.parse(String(row['buckets'] ?? '[]')) as readonly AttemptBucket[],
        ...(medianMs === undefined ? {} : { durations: { medianMs: Number(medianMs), p90Ms: Number(p90Ms) } }),
        ...last,
        ...(isEnabled ? { waiting: count, held: 0 } : { waiting: 0, held: count }),
        ...(isEnabled && row['due'] !== null ? { dueAt: Number(row['due']) } : {}),
      };
    });
    return { endpoints, isComplete: rows.every(({ total }) => Number(total) <= maxRead) };
  };
