/**
 * A time as whole milliseconds since 1970, without the slower `numeric`. Times have whole microseconds; the added
 * constant exceeds the rounding error.
 * @internal
 */
export const ms = (time: string): string => `floor(date_part('epoch', ${time}) * 1000 + 0.0005)`;

/** Milliseconds since 1970 as a time. @internal */
export const moment = (epochMs: string): string => `to_timestamp((${epochMs})::float8 / 1000)`;

/** Milliseconds as an interval. @internal */
export const duration = (milliseconds: string): string => `((${milliseconds})::float8 * interval '1 millisecond')`;

/** The time this many milliseconds ago. @internal */
export const ago = (age: string): string => `now() - ${duration(age)}`;

/** A time as text without loss: microseconds since 1970, or null. @internal */
export const exactly = (time: string): string => `(extract(epoch from ${time}) * 1000000)::bigint::text`;

/** Reads the text of `exactly`; null is the beginning of time. @internal */
export const exactTime = (text: string): string =>
  `coalesce(timestamptz 'epoch' + (${text}::text)::bigint * interval '1 microsecond', '-infinity')`;

/** An event `e` of `outbox` or `events` as JSON. The text of a body is long: only `more` may name it. @internal */
export const eventJson = (timestamp: string, more = ''): string => `json_strip_nulls(json_build_object(
    'id', e.id, 'accountId', e.account_id, 'objectName', e.object_name, 'objectId', e.object_id, 'type', e.type,
    'occurredAt', ${ms('e.occurred_at')}, 'idempotencyKey', e.idempotency_key, 'traceContext', e.trace_context,
    'onlyTo', e.only_to, 'origin', e.origin, 'timestamp', ${timestamp}${more}))`;

/** An endpoint `e` as JSON. @internal */
export const endpointJson = `json_strip_nulls(json_build_object(
    'id', e.id, 'accountId', e.account_id, 'url', e.url, 'events', e.events, 'state', e.state, 'label', e.label,
    'disabledBy', case when e.state = 'disabled' and e.disabled_by = 'host' then 'host' end,
    'standardWebhooks', e.standard_webhooks, 'includeChildren', e.include_children, 'createdAt', ${ms('e.created_at')},
    'secret', e.secret, 'nextSecret', e.next_secret, 'activateNextAt', ${ms('e.activate_next_at')},
    'deliveryHeader', case when e.delivery_header_name is not null then json_build_object('name', e.delivery_header_name, 'value', e.delivery_header_value) end,
    'version', e.version))`;

/**
 * The worker `$1` as a CTE; no row when it was deleted. The row cannot be deleted before the statement commits.
 * Heartbeats are not blocked.
 * @internal
 */
export const fence = 'me as materialized (select from partnerkit.workers where id = $1 for key share)';

/** Whether the worker of `fence` exists. @internal */
export const isMember = 'exists (select from me)';

/**
 * A condition that is always true, for a parameter that is never null. It makes the generic plan look expensive, so
 * that the server plans every execution for the current tables. A plan made while a table was empty would scan it, and
 * would be cached.
 * @internal
 */
export const plannedAnew = (parameter: string): string =>
  `(${parameter} is not null or (select count(*) > 0 from generate_series(1, 1000000)))`;

/**
 * Whether an event was dispatched at `time` or later. For one unknown bound, the planner expects a third of all rows;
 * for two it expects few and uses the index.
 * @internal
 */
export const isSince = (time: string): string => `dispatched_at >= ${time} and dispatched_at < 'infinity'`;

/** Whether a process has an idle worker. @internal */
export const isWorkerIdle = 'exists (select from partnerkit.idle_workers where expires_at > now())';

/**
 * Wakes workers that wait for events, if one is idle. A condition that is always true, evaluated once per statement or
 * per row of which `payload` has columns. Commits with a notification wait for each other: none is sent while all
 * workers are busy, and none in a transaction of the host.
 * @internal
 */
export const wakes = (payload: string): string =>
  `(select count(*) from (
      select pg_notify('partnerkit:wake', ${payload}) from partnerkit.idle_workers where expires_at > now() limit 1
    ) sent) >= 0`;

/** Wakes the watchers of workers and shards. @internal */
export const wakesMembers = "pg_notify('partnerkit:wake', 'members')::text";

/**
 * A bound array whose length is unknown to the planner, which assumes a small one: rows are found by index, never by a
 * join that scans the table.
 * @internal
 */
export const keys = (parameter: string, type: string): string => `(select ${parameter}::${type}[])`;
