import { type Catalogue, type Partition, partitioned } from './catalogue.ts';
import { comingDays, type Day, firstKept } from './day.ts';

/** SQLSTATE of a partition that must stay. */
export const inUse = '55006';

/** A change, in a transaction of its own. */
export interface Step {
  readonly kind: 'make' | 'drop';
  /** The day, or the partition of `events`. */
  readonly name: string;
  /** Whether the database needs it no more, because another process was faster. */
  readonly isDone: (catalogue: Catalogue) => boolean;
  /** Several statements. */
  readonly sql: string;
}

const suffixOf = ({ name }: Day): string => name.replaceAll('-', '');

const hasDay = ({ partitions }: Catalogue, { from, to }: Day): boolean =>
  partitioned.every((table) =>
    partitions.some(
      (each) => each.table === table && each.from !== undefined && each.from <= from && to <= (each.to ?? ''),
    ),
  );

/**
 * A table is made apart and then attached, which does not block the partitioned table, as making it in place would.
 * No unique index of a partitioned table can leave out its key, so each day has one of its own.
 */
const make = (schema: string, day: Day): Step => ({
  kind: 'make',
  name: day.name,
  isDone: (catalogue) => hasDay(catalogue, day),
  sql: partitioned
    .map((table) => {
      const name = `"${schema}".${table}_${suffixOf(day)}`;
      const guard = table === 'dispatches' ? `create unique index on ${name} (object_hash, timestamp);\n` : '';
      return `create table ${name} (like "${schema}".${table} including all excluding identity);
${guard}alter table "${schema}".${table} attach partition ${name} for values from ('${day.from}') to ('${day.to}');
`;
    })
    .join(''),
});

/** Takes the events of a partition out of feeds, which remember the last one. A feed of a deleted endpoint ends. */
const takeOutOfFeeds = (schema: string, ofEvent: string): string => `with unfed as (
  delete from "${schema}".feed_entries where ${ofEvent} returning account_id, endpoint_id, number, event_id
), newest as (
  select distinct on (account_id, endpoint_id) * from unfed order by account_id, endpoint_id, number desc
)
update "${schema}".feeds f set pruned = n.number, pruned_event = n.event_id
from newest n where f.account_id = n.account_id and f.endpoint_id = n.endpoint_id and f.pruned < n.number;
delete from "${schema}".feeds f where f.pruned = f.last and f.last > 0
  and not exists (select 1 from "${schema}".endpoints e where e.account_id = f.account_id and e.id = f.endpoint_id);
`;

/** The largest timestamp of each shard among the events of a partition. */
export type LastTimestamps = readonly { readonly shard: number; readonly timestamp: string }[];

/** What a drop must not lose. */
interface Kept {
  /** Events that were dispatched within these days. */
  readonly keep: number;
  readonly last: LastTimestamps;
}

/** A condition for the ids of the events of a partition. */
export const idsOf = ({ from, to }: Partition): string => `event_id >= '${from}' and event_id < '${to}'`;

/**
 * The locks come first, and only the tables to drop are locked while conditions are checked. An event stays while it
 * is not dispatched, has an unfinished delivery, may have one in the memory of a worker, or was dispatched within the
 * time to keep. An event that is published again after the drop gets a later timestamp.
 */
const drop = (schema: string, events: Partition, others: readonly Partition[], { keep, last }: Kept): Step => {
  const names = [events, ...others].map(({ name }) => `"${schema}"."${name}"`);
  const ofEvent = idsOf(events);
  const raised =
    last.length === 0
      ? ''
      : `update "${schema}".shards s set pruned_timestamp = greatest(s.pruned_timestamp, d.timestamp)
from (values ${last.map(({ shard, timestamp }) => `(${shard}, ${timestamp}::bigint)`).join(', ')}) d(shard, timestamp) where s.shard = d.shard;
`;
  return {
    kind: 'drop',
    name: events.name,
    isDone: ({ partitions }) => !partitions.some(({ name }) => name === events.name),
    sql: `lock table ${names.join(', ')} in access exclusive mode;
do $$ begin
  if exists (select 1 from "${schema}".outbox where ${ofEvent})
    or exists (select 1 from "${schema}".pending where ${ofEvent})
    or exists (select 1 from "${schema}".parent_propagation where ${ofEvent})
    or exists (select 1 from "${schema}".handler_deliveries where ${ofEvent} and state in ('waiting', 'ready'))
    or exists (
      select 1 from "${schema}".shards s cross join lateral (
        select 1 from "${schema}".dispatches
        where ${ofEvent} and shard = s.shard and dispatched_at >= least(s.watermark, now() - interval '${keep} days') limit 1
      ) young
    )
  then raise exception 'It has deliveries that are unfinished or too young.' using errcode = '${inUse}';
  end if;
end $$;
delete from "${schema}".handler_deliveries where ${ofEvent};
${raised}${takeOutOfFeeds(schema, ofEvent)}drop table ${names.join(', ')};
`,
  };
};

/** The steps that make days which no partition has. */
export const daysToMake = (schema: string, catalogue: Catalogue, days: number): readonly Step[] =>
  comingDays(catalogue.now, days)
    .filter((day) => !hasDay(catalogue, day))
    .map((day) => make(schema, day));

/** The partitions of `events` that ended so many days ago. */
export const oldPartitions = ({ now, partitions }: Catalogue, keep: number): readonly Partition[] =>
  partitions.filter(({ table, to }) => table === 'events' && to !== undefined && to <= firstKept(now, keep));

/** The step that drops a partition of `events`, with those of other tables that are of the same events. */
export const dropOf = (schema: string, { partitions }: Catalogue, events: Partition, kept: Kept): Step => {
  const others = partitions.filter(
    ({ table, from = '', to = '' }) =>
      table !== 'events' && from >= (events.from ?? '') && to !== '' && to <= (events.to ?? ''),
  );
  return drop(schema, events, others, kept);
};
