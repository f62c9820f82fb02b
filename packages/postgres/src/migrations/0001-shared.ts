/** A time as whole milliseconds since 1970. @internal */
export const ms = (time: string): string => `floor(extract(epoch from ${time}) * 1000)::float8`;

/** Milliseconds as an interval. @internal */
export const duration = (milliseconds: string): string => `((${milliseconds}) * interval '1 millisecond')`;

/**
 * Every step has its index, and one plan holds for whatever is asked and however old the statistics are. Plain index scans also mark what
 * they find dead, so that tables through which everything passes stay fast between two vacuums. Compiling would cost more than running.
 * Who waits for somebody that hangs says so after a while, and gives its connection back.
 * @internal
 */
export const settings = `language plpgsql volatile
  set plan_cache_mode = force_generic_plan set jit = off set enable_seqscan = off set enable_bitmapscan = off
  set lock_timeout = '30s'`;

/**
 * Rows that are asked for in an order come by the index that has it. To a planner that takes a table for small every index that begins
 * with the account is as good, and one that is not will be read from end to end. What no index can order is sorted all the same.
 * @internal
 */
export const inOrder = 'set enable_sort = off set enable_incremental_sort = off';

/**
 * The event of this id or, should it be gone, one that comes after it: whoever asks looks at its id. Needs `inOrder`.
 * @internal
 */
export const eventAt = (account: string, id: string): string =>
  `select * from partnerkit.events where account_id = ${account} and id >= ${id} order by id limit 1`;

/** The one row of this id, by the index that begins with what is asked before it. Needs `inOrder`. @internal */
export const onlyAt = (id: string): string => `id between ${id} and ${id} order by id`;

/** Each row is looked up by its key: the joins that this rules out would read all rows there are. @internal */
export const byKey = 'set enable_mergejoin = off set enable_hashjoin = off';

/** Where replayed deliveries stand in line: behind all others. @internal */
export const lastInLine = '9999-01-01 00:00:00+00';
const inLine = `(due_at <= now() or due_at = '${lastInLine}')`;

/** Waits until nobody else does. What comes after it in its function sees all that they did. @internal */
export const alone = `
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'partnerkit needs READ COMMITTED here' using errcode = '25001';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('partnerkit:alone', 0));`;

/**
 * Deliveries `given` (`account_id`, `endpoint_id`, `id`, `event_id`, `attempts`, `due_at`) go where they are to be tried again: in
 * line, held, or out, as their endpoint stands. The endpoints stay as they are until this commits.
 * @internal
 */
export const putBack = (given: string): string => `standing as (
    -- In one order, so that no two wait for each other in a circle.
    select g.*, e.state from (select * from ${given} order by account_id, endpoint_id) g left join lateral (
      select state from partnerkit.endpoints where account_id = g.account_id and id = g.endpoint_id for share
    ) e on true
  ), due as (
    insert into partnerkit.queue (account_id, endpoint_id, due_at, id, event_id, attempts)
    select account_id, endpoint_id, due_at, id, event_id, attempts from standing where state = 'enabled' and ${inLine}
  ), later as (
    insert into partnerkit.later (account_id, endpoint_id, due_at, id, event_id, attempts)
    select account_id, endpoint_id, due_at, id, event_id, attempts from standing where state = 'enabled' and not ${inLine}
  ), parked as (
    insert into partnerkit.parked (account_id, endpoint_id, due_at, id, event_id, attempts, state, since)
    select account_id, endpoint_id, due_at, id, event_id, attempts, case when state is null then 'expired' else 'held' end, clock_timestamp()
    from standing where state is distinct from 'enabled'
  )`;
