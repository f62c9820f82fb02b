import { type Part, sql, value, withSchema } from './statement.ts';
import { t } from './tables.ts';

/**
 * A time as whole milliseconds since 1970, without the slower `numeric`. Times have whole microseconds; the added
 * constant exceeds the rounding error.
 */
export const ms = <const P extends Part>(time: P) => sql`floor(date_part('epoch', ${time}) * 1000 + 0.0005)`;

/** Milliseconds since 1970 as a time. */
export const moment = <const P extends Part>(epochMs: P) => sql`to_timestamp(${epochMs} / 1000)`;

/** Milliseconds as an interval. */
export const duration = <const P extends Part>(milliseconds: P) => sql`(${milliseconds} * interval '1 millisecond')`;

/** The time this many milliseconds ago. */
export const ago = <const P extends Part>(age: P) => sql`now() - ${duration(age)}`;

/** A time as text without loss: microseconds since 1970, or null. */
export const exactly = (time: string) => sql`(extract(epoch from ${time}) * 1000000)::bigint::text`;

/** Reads the text of `exactly`; null is the beginning of time. */
export const exactTime = <const P extends Part>(text: P) =>
  sql`coalesce(timestamptz 'epoch' + (${text})::bigint * interval '1 microsecond', '-infinity')`;

/** The worker that calls. */
export const workerId = value('workerId', 'text');

/**
 * The calling worker as a CTE; no row when it was deleted. The row cannot be deleted before the statement commits.
 * Heartbeats are not blocked.
 */
export const fence = sql`me as materialized (select 1 from ${t.workers} where id = ${workerId} for key share)`;

/** Whether the worker of `fence` exists. */
export const isMember = 'exists (select 1 from me)';

/** The shards that the calling worker owns. No other worker acquires them while the row of `fence` stays. */
export const ownShards = sql`array(select shard from ${t.shards} where owner = ${workerId})`;

/**
 * A condition that is always true, for a value that is never null. It makes the generic plan look expensive, so that
 * the server plans every execution for the current tables. A plan made while a table was empty would scan it, and
 * would be cached.
 */
export const plannedAnew = <const P extends Part>(bound: P) =>
  sql`(${bound} is not null or (select count(*) > 0 from generate_series(1, 1000000)))`;

/**
 * Whether an event was dispatched at `time` or later. For one unknown bound, the planner expects a third of all rows;
 * for two it expects few and uses the index.
 */
export const isSince = <const P extends Part>(time: P) => sql`dispatched_at >= ${time} and dispatched_at < 'infinity'`;

/** Whether a process has an idle worker. */
export const isWorkerIdle = sql`exists (select 1 from ${t.idle_workers} where expires_at > now())`;

export const wakeChannel = (schema: string): string => `${schema}:wake`;

/** A notification on the channel of wakes. */
export const notify = <const P extends Part>(payload: P) =>
  sql`pg_notify(${withSchema((schema) => `'${wakeChannel(schema)}'`)}, ${payload})`;

/**
 * Wakes workers that wait for events, if one is idle. A condition that is always true, evaluated once per statement or
 * per row of which `payload` has columns. Commits with a notification wait for each other: none is sent while all
 * workers are busy, and none in a transaction of the host.
 */
export const wakes = <const P extends Part>(payload: P) =>
  sql`(select count(*) from (
      select ${notify(payload)} from ${t.idle_workers} where expires_at > now() limit 1
    ) sent) >= 0`;

/** Begins the payload for entries of feeds; the shards follow. */
export const feedsPrefix = 'feeds:';

/** Wakes the watchers of workers and shards. */
export const wakesMembers = sql`${notify("'members'")}::text`;
