import {
  type DeliveryStore,
  type LoggedAttempt,
  maxCounted,
  type Settlement,
  type SettleOutcome,
  shardOf,
} from '@partnerkit/core/ports';
import type { Database, SqlColumn } from '../database/database.ts';
import { fence, isMember, plannedAnew } from '../database/fragments.ts';
import type { SqlRow } from '../drivers/driver.ts';
import { disableEndpoints, transitionColumns } from '../endpoints/disable-endpoints.ts';
import { healthColumns, writeHealth } from '../endpoints/health.ts';
import { insertPending, isSame, keyColumns, keysFrom, pendingColumns, replacePending } from './pending.ts';
import { stateColumns, stateOf } from './store-state.ts';

/** The columns of `insertAttempts`: `$2` to `$13`. */
const attemptColumns = (attempts: readonly LoggedAttempt[]): readonly SqlColumn[] => {
  const outcomes = attempts.map(({ outcome }) => outcome);
  return [
    ...keyColumns(attempts),
    attempts.map(({ number }) => number),
    attempts.map(({ accountId }) => shardOf(accountId)),
    outcomes.map(({ durationMs }) => durationMs),
    outcomes.map((outcome) => (outcome.kind === 'answered' ? outcome.status : null)),
    outcomes.map((outcome) => (outcome.kind === 'failed' ? outcome.reason : null)),
    outcomes.map((outcome) => (outcome.kind === 'answered' ? (outcome.retryAfter ?? null) : null)),
    outcomes.map((outcome) => (outcome.kind === 'answered' ? outcome.body : null)),
    attempts.map(({ state }) => state ?? null),
  ];
};

const insertAttempts = `
    insert into partnerkit.attempts
      (account_id, event_id, endpoint_id, replay, number, shard, at, duration_ms, status, reason, retry_after, body, state)
    select account_id, event_id, endpoint_id, replay, number, shard, now(), duration_ms, status, reason, retry_after, body, state
    from unnest($2::text[], $3::uuid[], $4::uuid[], $5::int[], $6::int[], $7::int[], $8::float8[], $9::int[], $10::text[], $11::text[],
      $12::text[], $13::text[])
      as a(account_id, event_id, endpoint_id, replay, number, shard, duration_ms, status, reason, retry_after, body, state)
    where ${isMember}`;

/** Attempts only, the usual case. Fails when a number is already logged. */
const lean = `with ${fence}, logged as (${insertAttempts}) select ${isMember}::text as member, ${stateColumns}`;

/**
 * For the endpoint of transition `t`: its pending deliveries after the settlement, counted to `maxCounted`. All parts
 * of the statement see the rows as they were before it.
 */
const countPending = `least(${maxCounted}, (
      select count(*) from (
        select from partnerkit.pending p
        where p.shard = t.shard and p.account_id = t.account_id and p.endpoint_id = t.endpoint_id
          and not exists (select from ${keysFrom(28, 'f')} where ${isSame('f', 'p')})
        limit ${maxCounted}) p
    ) + (
      select count(*) from ${keysFrom(14, 'g')}
      where g.account_id = t.account_id and g.endpoint_id = t.endpoint_id
        and (select true from partnerkit.pending p where ${isSame('p', 'g')} limit 1) is null
    ))`;

/** Like `fence`; the worker is `me` unless a settlement numbered `$46` or higher was stored. */
const numbered = `worker as materialized (select from partnerkit.workers where id = $1 for key share
  ), me as (
    insert into partnerkit.last_settlements as last (worker_id, number) select $1, $46::bigint from worker
    on conflict (worker_id) do update set number = excluded.number where last.number < excluded.number
    returning true
  )`;

/**
 * Everything in a settlement: attempts, `$14` pending, `$24` queued, `$28` finished, `$32` health, `$41` transitions.
 */
const full = `with ${numbered}, logged as (${insertAttempts} on conflict do nothing
  ), stored as (${insertPending(14)} ${replacePending}
  ), queued as (
    update partnerkit.pending p set state = 'queued', is_urgent = false from ${keysFrom(24)}
    where ${isSame('p', 'k')} and p.state <> 'queued' and ${isMember}
  ), finished as (
    delete from partnerkit.pending p using ${keysFrom(28)} where ${isSame('p', 'k')} and ${isMember}
  ), ${writeHealth(32)}, ${disableEndpoints(41)}
  select exists (select from worker)::text as member, ${stateColumns}, (
    select json_agg(json_build_object('isDisabled', t.nth in (select nth from disabled), 'pending', ${countPending}) order by t.nth)
    from transitions t
  )::text as transitions
  where ${plannedAnew('$1')}`;

const isPlain = ({ pending, queued, finished, health, transitions }: Settlement): boolean =>
  [pending, queued, finished, health, transitions].every(({ length }) => length === 0);

const isDuplicate = (cause: unknown): boolean => (cause as { readonly code?: unknown }).code === '23505';

/** Stores the outcomes of attempts. @internal */
export const settle = <Tx extends object>({ sql, run }: Database<Tx>): DeliveryStore['settle'] => {
  const [settleAttempts, settleAll] = [sql(lean), sql(full)];

  const runAll = (workerId: string, settlement: Settlement): Promise<readonly SqlRow[]> => {
    const { number, attempts, pending, queued, finished, health, transitions } = settlement;
    return run(settleAll, [
      workerId,
      ...attemptColumns(attempts),
      ...pendingColumns(pending),
      ...keyColumns(queued),
      ...keyColumns(finished),
      ...healthColumns(health, transitions),
      ...transitionColumns(transitions),
      number,
    ]);
  };

  const write = async (workerId: string, settlement: Settlement): Promise<readonly SqlRow[]> => {
    if (!isPlain(settlement)) return runAll(workerId, settlement);
    try {
      return await run(settleAttempts, [workerId, ...attemptColumns(settlement.attempts)]);
    } catch (cause) {
      // It was stored before, and the response was lost.
      if (!isDuplicate(cause)) throw cause;
      return runAll(workerId, settlement);
    }
  };

  return async (workerId, settlement) => {
    const [row] = await write(workerId, settlement);
    if (row?.['member'] !== 'true') return 'fenced';
    const transitions: SettleOutcome['transitions'] = JSON.parse(String(row['transitions'] ?? '[]'));
    return { ...stateOf(row), transitions };
  };
};
