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
      const guard = table === 'events' ? `create unique index on ${name} (account_id, object_id, timestamp);\n` : '';
      return `create table ${name} (like "${schema}".${table} including all);
${guard}alter table "${schema}".${table} attach partition ${name} for values from ('${day.from}') to ('${day.to}');
`;
    })
    .join(''),
});

/** The largest timestamp of each shard in a partition of `events`. */
export type LastTimestamps = readonly { readonly shard: number; readonly timestamp: string }[];

/** What a drop must not lose. */
interface Kept {
  /** Events that were dispatched within these days. */
  readonly keep: number;
  readonly last: LastTimestamps;
}

/**
 * The locks come first, and only the tables to drop are locked while conditions are checked. An event stays while it
 * has an unfinished delivery, may have one in the memory of a worker, or was dispatched within the time to keep. An
 * event that is published again after the drop gets a later timestamp.
 */
const drop = (schema: string, events: Partition, others: readonly Partition[], { keep, last }: Kept): Step => {
  const names = [events, ...others].map(({ name }) => `"${schema}"."${name}"`);
  const ofEvent = `event_id >= '${events.from}' and event_id < '${events.to}'`;
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
  if exists (select 1 from "${schema}".pending where ${ofEvent})
    or exists (select 1 from "${schema}".parent_propagation where ${ofEvent})
    or exists (
      select 1 from "${schema}".shards s cross join lateral (
        select 1 from ${names[0]} e
        where e.shard = s.shard and e.dispatched_at >= least(s.watermark, now() - interval '${keep} days') limit 1
      ) young
    )
  then raise exception 'It has deliveries that are unfinished or too young.' using errcode = '${inUse}';
  end if;
end $$;
${raised}drop table ${names.join(', ')};
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

/** The step that drops a partition of `events`, with those of `attempts` that are of the same events. */
export const dropOf = (schema: string, { partitions }: Catalogue, events: Partition, kept: Kept): Step => {
  const others = partitions.filter(
    ({ table, from = '', to = '' }) =>
      table === 'attempts' && from >= (events.from ?? '') && to !== '' && to <= (events.to ?? ''),
  );
  return drop(schema, events, others, kept);
};
