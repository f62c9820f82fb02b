/** A time as milliseconds since 1970, exactly. @internal */
export const ms = (time: string): string => `(extract(epoch from ${time}) * 1000)::float8`;

/** Milliseconds since 1970 as a time. @internal */
export const moment = (epochMs: string): string => `to_timestamp((${epochMs})::float8 / 1000)`;

/** Milliseconds as an interval. @internal */
export const duration = (milliseconds: string): string => `((${milliseconds})::float8 * interval '1 millisecond')`;

/** An endpoint `e` as JSON. @internal */
export const endpointJson = `json_strip_nulls(json_build_object(
    'id', e.id, 'accountId', e.account_id, 'url', e.url, 'events', e.events, 'state', e.state, 'label', e.label,
    'standardWebhooks', e.standard_webhooks, 'createdAt', ${ms('e.created_at')}, 'secret', e.secret, 'nextSecret', e.next_secret,
    'activateNextAt', ${ms('e.activate_next_at')},
    'apiKey', case when e.api_key_header is not null then json_build_object('header', e.api_key_header, 'value', e.api_key_value) end,
    'version', e.version))`;

/** An event `e` of `outbox` or `events` as JSON, but for its body. @internal */
export const eventJson = (second: string): string => `json_strip_nulls(json_build_object(
    'id', e.id, 'accountId', e.account_id, 'objectName', e.object_name, 'objectId', e.object_id, 'type', e.type,
    'occurredAt', ${ms('e.occurred_at')}, 'idempotencyKey', e.idempotency_key, 'rest', e.rest, 'traceContext', e.trace_context, 'onlyTo', e.only_to, 'timestamp', ${second}))`;
