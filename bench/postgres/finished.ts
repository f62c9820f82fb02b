/** Finished deliveries as a temporary table `made`, and their events. Objects have random ids, as those of hosts. */
export const made = (count: number, endpoints: string): string => `
  set synchronous_commit = off;
  set maintenance_work_mem = '256MB';
  create temp table made as
    select position, e.account_id, e.id as endpoint_id,
      (lpad(to_hex(1700000000000 + position), 12, '0') || '70008000' || lpad(to_hex(position), 12, '0'))::uuid as id
    from generate_series(1, ${count}) position join (
      select row_number() over (order by account_id, id) as nth, count(*) over () as all, account_id, id
      from partnerkit.endpoints where ${endpoints}
    ) e on e.nth = 1 + position % e.all;
  alter table partnerkit.events drop constraint events_pkey;
  alter table partnerkit.dispatches drop constraint dispatches_pkey, drop constraint dispatches_timestamp;
  insert into partnerkit.events (account_id, id, object_name, object_id, type, stored_at, body_tail)
  select account_id, id, 'RequestPayment', 'pay_' || gen_random_uuid(), 'payed', now() - interval '1 day', '' from made;
  insert into partnerkit.dispatches (account_id, event_id, shard, object_hash, dispatched_at, timestamp, endpoints)
  select account_id, id, 0, ('x' || left(md5(id::text), 16))::bit(64)::bigint, now() - interval '1 day', 1700000000, array[endpoint_id]
  from made;
  alter table partnerkit.events add primary key (account_id, id);
  alter table partnerkit.dispatches add primary key (account_id, event_id), add constraint dispatches_timestamp unique (object_hash, timestamp);`;

/** A month of deliveries over the existing endpoints. Their events are short, because nobody reads them. */
export const month = (finished: number): string => `
  ${made(finished, 'true')}
  alter table partnerkit.attempts drop constraint attempts_pkey;
  insert into partnerkit.attempts (account_id, event_id, endpoint_id, replay, number, at, duration_ms, status, body, state)
  select account_id, id, endpoint_id, 0, 1, now() - interval '1 day', 12, 200, '', 'delivered' from made;
  alter table partnerkit.attempts add primary key (account_id, event_id, endpoint_id, replay, number);`;
