/**
 * A time as whole milliseconds since 1970, computed without the slower `numeric`. Times have whole microseconds; what is added is more than
 * the error of rounding.
 * @internal
 */
export const ms = (time: string): string => `floor(date_part('epoch', ${time}) * 1000 + 0.0005)`;

/** Milliseconds since 1970 as a time. @internal */
export const moment = (epochMs: string): string => `to_timestamp((${epochMs})::float8 / 1000)`;

/** Milliseconds as an interval. @internal */
export const duration = (milliseconds: string): string => `((${milliseconds})::float8 * interval '1 millisecond')`;

/** The time that is so many milliseconds ago. @internal */
export const ago = (age: string): string => `now() - ${duration(age)}`;

/** A time as text that every server reads back as the same: in microseconds since 1970, or null. @internal */
export const exactly = (time: string): string => `(extract(epoch from ${time}) * 1000000)::bigint::text`;

/** Reads what `exactly` wrote; null as the beginning of time. @internal */
export const exactTime = (text: string): string =>
  `coalesce(timestamptz 'epoch' + (${text}::text)::bigint * interval '1 microsecond', '-infinity')`;

/** An event `e` of `outbox` or `events` as JSON, but for its body. @internal */
export const eventJson = (second: string): string => `json_strip_nulls(json_build_object(
    'id', e.id, 'accountId', e.account_id, 'objectName', e.object_name, 'objectId', e.object_id, 'type', e.type,
    'occurredAt', ${ms('e.occurred_at')}, 'idempotencyKey', e.idempotency_key, 'bodyTail', e.body_tail, 'traceContext', e.trace_context,
    'onlyTo', e.only_to, 'origin', e.origin, 'timestamp', ${second}))`;

/** An endpoint `e` as JSON. @internal */
export const endpointJson = `json_strip_nulls(json_build_object(
    'id', e.id, 'accountId', e.account_id, 'url', e.url, 'events', e.events, 'state', e.state, 'label', e.label,
    'standardWebhooks', e.standard_webhooks, 'includeChildren', e.include_children, 'createdAt', ${ms('e.created_at')},
    'secret', e.secret, 'nextSecret', e.next_secret, 'activateNextAt', ${ms('e.activate_next_at')},
    'apiKey', case when e.api_key_header is not null then json_build_object('header', e.api_key_header, 'value', e.api_key_value) end,
    'version', e.version))`;

/**
 * The worker `$1`, as a CTE: no row when it was deleted. Nobody deletes it before the statement is committed; a heartbeat does not wait.
 * @internal
 */
export const fence = 'me as materialized (select from partnerkit.workers where id = $1 for key share)';

/** The worker of `fence` is there. @internal */
export const isMember = 'exists (select from me)';

/**
 * A condition that is always true, of a parameter that is never null. It makes a generic plan look more expensive than a plan for the
 * values at hand, so the server plans every execution, for the tables as they are now. A plan that was made while a table was empty reads
 * all of it, and would be kept.
 * @internal
 */
export const plannedAnew = (parameter: string): string =>
  `(${parameter} is not null or (select count(*) > 0 from generate_series(1, 1000000)))`;

/**
 * An event was dispatched at `time` or later. For one bound that it does not know, the planner expects a third of all rows; for two it
 * expects few, and reads the index.
 * @internal
 */
export const isSince = (time: string): string => `dispatched_at >= ${time} and dispatched_at < 'infinity'`;

/**
 * Wakes workers that wait for events of shards (text: their numbers), if one is idle. A condition that is always true, and found out once a
 * statement. A commit with a notification waits for other such commits, so there is none while all workers are busy.
 * @internal
 */
export const wakes = (shards: string): string =>
  `(select count(pg_notify('partnerkit:wake', ${shards})::text)
      from (select from partnerkit.idle_workers where expires_at > now() limit 1) idle) >= 0`;

/** Wakes those who wait for workers or shards to come and go. @internal */
export const wakesMembers = "pg_notify('partnerkit:wake', 'members')::text";

/**
 * A bound array whose length the planner does not know, and takes for small: rows that are looked up by their keys are found by an index, and
 * never by a join that reads the whole table.
 * @internal
 */
export const keys = (parameter: string, type: string): string => `(select ${parameter}::${type}[])`;
