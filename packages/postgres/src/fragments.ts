/** A time as milliseconds since 1970, exactly. @internal */
export const ms = (time: string): string => `(extract(epoch from ${time}) * 1000)::float8`;

/** Milliseconds since 1970 as a time. @internal */
export const moment = (epochMs: string): string => `to_timestamp((${epochMs})::float8 / 1000)`;

/** Milliseconds as an interval. @internal */
export const duration = (milliseconds: string): string => `((${milliseconds})::float8 * interval '1 millisecond')`;

/** An endpoint \`e\` as JSON. @internal */
export const endpointJson = `json_strip_nulls(json_build_object(
    'id', e.id, 'accountId', e.account_id, 'url', e.url, 'events', e.events, 'state', e.state, 'label', e.label,
    'standardWebhooks', e.standard_webhooks, 'createdAt', ${ms('e.created_at')}, 'secret', e.secret, 'nextSecret', e.next_secret,
    'activateNextAt', ${ms('e.activate_next_at')},
    'apiKey', case when e.api_key_header is not null then json_build_object('header', e.api_key_header, 'value', e.api_key_value) end,
    'version', e.version))`;

/** An event \`e\` of \`outbox\` or \`events\` as JSON, but for its body. @internal */
export const eventJson = (second: string): string => `json_strip_nulls(json_build_object(
    'id', e.id, 'accountId', e.account_id, 'objectName', e.object_name, 'objectId', e.object_id, 'type', e.type,
    'occurredAt', ${ms('e.occurred_at')}, 'idempotencyKey', e.idempotency_key, 'rest', e.rest, 'timestamp', ${second}))`;

/**
 * Deliveries \`given\` (\`account_id\`, \`endpoint_id\`, \`id\`, \`event_id\`, \`attempts\`, \`due_at\`) go where they are to be tried again: in
 * line, held, or out, as their endpoint stands. The endpoints stay as they are until this commits.
 * @internal
 */
export const putBack = (given: string): string => `standing as (
    select g.*, e.state from ${given} g left join lateral (
      select state from partnerkit.endpoints where account_id = g.account_id and id = g.endpoint_id for share
    ) e on true
  ), due as (
    insert into partnerkit.queue (account_id, endpoint_id, due_at, id, event_id, attempts)
    select account_id, endpoint_id, due_at, id, event_id, attempts from standing where state = 'enabled' and due_at <= now()
  ), later as (
    insert into partnerkit.later (account_id, endpoint_id, due_at, id, event_id, attempts)
    select account_id, endpoint_id, due_at, id, event_id, attempts from standing where state = 'enabled' and due_at > now()
  ), parked as (
    insert into partnerkit.parked (account_id, endpoint_id, due_at, id, event_id, attempts, state)
    select account_id, endpoint_id, due_at, id, event_id, attempts, case when state is null then 'expired' else 'held' end
    from standing where state is distinct from 'enabled'
  )`;
