import {
  type DeliveryStore,
  type LoggedAttempt,
  maxCounted,
  type SendOutcome,
  type Settlement,
  type SettleOutcome,
} from '@partnerkit/core/adapter';
import { appendAudit } from '../audit/append-audit.ts';
import type { Database } from '../database/database.ts';
import { fence, isMember, plannedAnew, workerId } from '../database/fragments.ts';
import { type Constants, type Part, rows, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { byUsual } from '../database/usual.ts';
import type { SqlRow } from '../drivers/driver.ts';
import { disableEndpoints } from '../endpoints/disable-endpoints.ts';
import { healthToWrite, writeHealth } from '../endpoints/health.ts';
import { countFailed } from './failed-hours.ts';
import { insertPending, isSame, keyRows, replacePending, withKey } from './pending.ts';
import { stateColumns, stateOf } from './store-state.ts';

type Answered = Extract<SendOutcome, { kind: 'answered' }>;

/** What is logged of an answer. */
const ofAnswer =
  (field: (answer: Answered) => string | number | undefined) =>
  ({ outcome }: LoggedAttempt) =>
    outcome.kind === 'answered' ? (field(outcome) ?? null) : null;

const columns = withKey<LoggedAttempt>({
  number: ['int', ({ number }) => number],
  duration_ms: ['float8', ({ outcome }) => outcome.durationMs],
  status: ['int', ofAnswer(({ status }) => status)],
  reason: ['text', ({ outcome }) => (outcome.kind === 'failed' ? outcome.reason : null)],
  retry_after: ['text', ofAnswer(({ retryAfter }) => retryAfter)],
  body: ['text', ofAnswer(({ body }) => body)],
  state: ['text', ({ state }) => state ?? null],
});

/** An attempt that delivers at once. */
const usual: Constants = { replay: 0, number: 1, reason: null, retry_after: null, body: '', state: 'delivered' };

const insertAttempts = (constants: Constants) => {
  const attempts = rows('attempts', columns, constants);
  return sql`
    insert into ${t.attempts} (${attempts.names}, at)
    select ${attempts.stored}, now() from ${attempts.as('a')}
    where ${isMember}`;
};

/** Attempts only, the usual case. Fails when a number is already logged. */
const settleAttempts = byUsual(
  columns,
  usual,
  (constants) =>
    statement`with ${fence}, logged as (${insertAttempts(constants)}) select ${isMember}::text as member, ${stateColumns}
  from ${t.endpoint_changes} c`,
);

const [pending, finished] = [keyRows('pending'), keyRows('finished')];
const queued = rows(
  'queued',
  withKey<Settlement['queued'][number]>({ is_urgent: ['boolean', ({ isUrgent = false }) => isUrgent] }),
);

/**
 * For the endpoint of transition `t`: its pending deliveries after the settlement, counted to `maxCounted`. All parts
 * of the statement see the rows as they were before it.
 */
const countPending = sql`least(${maxCounted}, (
      select count(*) from (
        select 1 from ${t.pending} p
        where p.shard = t.shard and p.account_id = t.account_id and p.endpoint_id = t.endpoint_id
          and not exists (select 1 from ${finished.few('f')} where ${isSame('f', 'p')})
        limit ${maxCounted}) p
    ) + (
      select count(*) from ${pending.few('g')}
      where g.account_id = t.account_id and g.endpoint_id = t.endpoint_id
        and (select true from ${t.pending} p where ${isSame('p', 'g')} limit 1) is null
    ))`;

const [number, after] = [value('number', 'bigint'), value('after', 'bigint')];

/**
 * Like `fence`; the worker is `me` unless a settlement with this number or a higher one was stored. The number is not
 * noted when one before it is missing.
 */
const numbered = sql`worker as materialized (select 1 from ${t.workers} where id = ${workerId} for key share
  ), me as (
    insert into ${t.last_settlements} as last (worker_id, number)
    select ${workerId}, case when ${after} = 0 then ${number} else 0 end from worker
    on conflict (worker_id) do update set number = case when ${after} <= last.number then ${number} else last.number end
    where last.number < ${number}
    returning true
  )`;

/** Everything in a settlement. `more`: what follows the log of attempts. */
const settleAllWith = <const P extends Part>(
  more: P,
) => statement`with ${numbered}, logged as (${insertAttempts({})} on conflict do nothing ${more}
  ), stored as (${insertPending} ${replacePending}
  ), queued as (
    update ${t.pending} p set state = 'queued', is_urgent = false from ${queued.few('k')}
    where ${isSame('p', 'k')} and p.state <> 'queued' and (k.is_urgent or not p.is_urgent) and ${isMember}
  ), finished as (
    delete from ${t.pending} p using ${finished.few('k')} where ${isSame('p', 'k')} and ${isMember}
  ), ${writeHealth}, ${disableEndpoints}
  select exists (select 1 from worker)::text as member, ${stateColumns}, (
    select json_agg(json_build_object('isDisabled', t.nth in (select nth from disabled),
      'isWritten', exists (select 1 from judged j where j.account_id = t.account_id and j.endpoint_id = t.endpoint_id), 'pending', ${countPending}) order by t.nth)
    from transitions t
  )::text as transitions
  from ${t.endpoint_changes} c where ${plannedAnew(workerId)}`;
const settleAll = settleAllWith('');
const settleFailed = settleAllWith(sql`returning account_id, endpoint_id, state
  ), tallied as (${countFailed('logged')}`);

const isPlain = ({ pending, queued, finished, health, transitions }: Settlement): boolean =>
  [pending, queued, finished, health, transitions].every(({ length }) => length === 0);

/** Whether a delivery fails: it is counted in its hour. */
const hasFailed = ({ attempts }: Settlement): boolean =>
  attempts.some(({ state }) => state === 'exhausted' || state === 'expired');

const isDuplicate = (cause: unknown): boolean => (cause as { readonly code?: unknown }).code === '23505';

/** What became of a transition. `isWritten`: the health of its endpoint was stored. */
type StoredTransition = SettleOutcome['transitions'][number] & { readonly isWritten: boolean };

const transitionsOf = (row: SqlRow | undefined): readonly StoredTransition[] =>
  JSON.parse(String(row?.['transitions'] ?? '[]'));

/** Stores the outcomes of attempts. */
export const settle = <Tx extends object>({ run, shortTransaction }: Database<Tx>): DeliveryStore['settle'] => {
  const runAll = (workerId: string, settlement: Settlement, knownVersion: number): Promise<readonly SqlRow[]> => {
    const health = healthToWrite(settlement.health, settlement.transitions);
    const values = { workerId, ...settlement, health, knownVersion };
    const all = hasFailed(settlement) ? settleFailed : settleAll;
    if (settlement.transitions.length === 0) return run(all, values);
    return shortTransaction(async (own) => {
      const settled = await own(all, values);
      const stored = transitionsOf(settled[0]);
      for (const [index, { disable, audit }] of settlement.transitions.entries())
        if (disable ? stored[index]?.isDisabled : stored[index]?.isWritten) await appendAudit(own, audit);
      return settled;
    });
  };

  const write: typeof runAll = async (workerId, settlement, knownVersion) => {
    if (!isPlain(settlement) || hasFailed(settlement)) return runAll(workerId, settlement, knownVersion);
    try {
      const { attempts } = settlement;
      return await run(settleAttempts(attempts), { workerId, attempts, knownVersion });
    } catch (cause) {
      // It was stored before, and the response was lost.
      if (!isDuplicate(cause)) throw cause;
      return runAll(workerId, settlement, knownVersion);
    }
  };

  return async (workerId, settlement, knownVersion) => {
    const [row] = await write(workerId, settlement, knownVersion);
    if (row?.['member'] !== 'true') return 'fenced';
    const transitions = transitionsOf(row).map(({ isDisabled, pending }) => ({ isDisabled, pending }));
    return { ...stateOf(row), transitions };
  };
};
