/** A time as whole milliseconds since 1970. @internal */
export const ms = (time: string): string => `floor(extract(epoch from ${time}) * 1000)::float8`;

/** Milliseconds since 1970 as a time. @internal */
export const moment = (epochMs: string): string => `to_timestamp((${epochMs})::float8 / 1000)`;

/** Milliseconds as an interval. @internal */
export const duration = (milliseconds: string): string => `((${milliseconds})::float8 * interval '1 millisecond')`;

/** An event `e` of `outbox` or `events` as JSON, but for its body. @internal */
export const eventJson = (second: string): string => `json_strip_nulls(json_build_object(
    'id', e.id, 'accountId', e.account_id, 'objectName', e.object_name, 'objectId', e.object_id, 'type', e.type,
    'occurredAt', ${ms('e.occurred_at')}, 'idempotencyKey', e.idempotency_key, 'rest', e.rest, 'traceContext', e.trace_context, 'onlyTo', e.only_to, 'origin', e.origin, 'timestamp', ${second}))`;
