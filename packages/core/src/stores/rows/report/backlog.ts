import { maxCounted } from '../../../base/signals/health-change.ts';
import type { Backlog } from '../../../webhooks/log/delivery-log.ts';
import { shardCount } from '../../../webhooks/shards/shard.ts';
import type { RowStore } from '../port/row-store.ts';
import type { SqlReports } from '../port/sql-reports.ts';
import { attempts, pending } from '../tables/deliveries.ts';
import { dispatches, outbox } from '../tables/events.ts';
import { shards } from '../tables/shards.ts';
import { countTo, queueColumns, queues, sameIn, storedQueues } from './parts.ts';

const columns = {
  undispatched: 'number',
  waiting: 'number',
  held: 'number',
  due_at: 'number',
  fresh: 'number',
  dispatched_at: 'number',
  moment: 'number',
} as const;

/** Has the values of `now`, then of each shard and its watermark. */
const textOf = (reports: SqlReports): string => {
  const { join, table, literal, once, texts } = reports;
  const pendingOf = (sign: string): string =>
    `visits v ${join} ${table(pending, 'p', 'endpoint')} on ${sameIn('p', 'v', queueColumns)}
      where v.state ${sign} ${literal('enabled')}`;
  const ofDelivery = (alias: string): string =>
    `where ${alias}.account_id = d.account_id and ${alias}.event_id = d.id and ${alias}.endpoint_id = each_text.value
      and ${alias}.replay = 0 limit 1`;
  const since = Array.from({ length: shardCount }, () => '(f.shard = ? and f.dispatched_at >= ?)').join(' or ');
  return `with recursive ${queues(reports)},
  ${once('visits', [...queueColumns, 'due_at', 'state'], storedQueues(reports))}
  select ${countTo(maxCounted, table(outbox, 'o', 'queue'))} as undispatched,
    ${countTo(maxCounted, pendingOf('='))} as waiting, ${countTo(maxCounted, pendingOf('<>'))} as held,
    (select min(due_at) from visits where state = ${literal('enabled')}) as due_at,
    fresh.deliveries as fresh, fresh.dispatched_at, ? as moment
  from (
    select count(*) as deliveries, min(d.dispatched_at) as dispatched_at from (
      select f.account_id, f.id, f.dispatched_at, f.endpoint_ids from ${table(dispatches, 'f', 'dispatched')}
      where ${since} limit ${maxCounted}
    ) d ${join} ${texts('d.endpoint_ids')}
    where (select 1 from ${table(attempts, 'a', 'delivery')} ${ofDelivery('a')}) is null
      and (select 1 from ${table(pending, 'p', 'event')} ${ofDelivery('p')}) is null
  ) fresh`;
};

/**
 * Counts the backlog of all accounts. Watermarks are read first: a database needs their values to search by them. A
 * delivery that ends between the two statements has a row of its attempt, so that it is not counted.
 */
export const reportBacklog = (store: Pick<RowStore<object>, 'run'>, reports: SqlReports): (() => Promise<Backlog>) => {
  const text = textOf(reports);
  return async () => {
    const all = await store.run('one', function* (rows) {
      return yield* rows.scan(shards, 'all', [{ prefix: [] }], { columns: ['shard', 'watermark'] });
    });
    const since = all.flatMap(({ shard, watermark }) => [shard, watermark]);
    const [row] = await reports.read(text, ['now', ...since], columns);
    const { undispatched = 0, waiting = 0, held = 0, fresh = 0, moment = 0 } = row ?? {};
    const { due_at = Number.POSITIVE_INFINITY, dispatched_at = Number.POSITIVE_INFINITY } = row ?? {};
    const oldest = Math.min(due_at, dispatched_at);
    return {
      ...{ undispatched, waiting: Math.min(waiting + fresh, maxCounted), held },
      ...(oldest <= moment ? { oldestDue: moment - oldest } : {}),
    };
  };
};
