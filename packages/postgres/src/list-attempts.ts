import type { Attempt, DeliveryLog, SendOutcome } from '@partnerkit/core';
import type { Database } from './database.ts';
import { ms, plannedAnew } from './fragments.ts';
import { isUuid } from './uuid.ts';

/** What of an attempt is logged. @internal */
export interface LoggedOutcome {
  readonly took: unknown;
  readonly status: unknown;
  readonly reason: unknown;
  readonly retry: unknown;
  readonly body: unknown;
}

/** @internal */
export const outcomeOf = ({ took, status, reason, retry, body }: LoggedOutcome): SendOutcome => {
  if (reason !== null)
    return {
      kind: 'failed',
      reason: reason as Extract<SendOutcome, { kind: 'failed' }>['reason'],
      took: Number(took),
    };
  const retryAfter = retry === null ? {} : { retryAfter: String(retry) };
  return { kind: 'answered', status: Number(status), body: String(body), ...retryAfter, took: Number(took) };
};

/** A row `a` of the log is an attempt. The others say why a delivery expired. @internal */
export const isAttempt = "(a.reason is null or a.reason not in ('endpoint_deleted', 'held_too_long'))";

/** How many attempts of a finished delivery count, of rows `a` of the log that a condition chooses. @internal */
export const countAttempts = (where: string): string => `(select count(*) from partnerkit.attempts a where ${where}
      and (a.reason is null or a.reason not in ('abandoned', 'out_of_reach', 'endpoint_deleted', 'held_too_long'))
      and a.status is distinct from 410)::int`;

/** @internal */
export const listAttempts = <Tx extends object>({ sql, run }: Database<Tx>): DeliveryLog['listAttempts'] => {
  const list = sql(`
    select ${ms('at')} as at, duration_ms as took, status::int, reason, retry_after as retry, body from partnerkit.attempts a
    where account_id = $1 and event_id = $2::uuid and endpoint_id = $3::uuid and replay = $4::int and ${isAttempt} and ${plannedAnew('$4::int')}
    order by number`);
  return async ({ accountId, eventId, endpointId, replay }) => {
    if (!isUuid(eventId) || !isUuid(endpointId)) return [];
    const rows = await run(list, [accountId, eventId, endpointId, replay]);
    return rows.map((row): Attempt => ({ ...outcomeOf(row as unknown as LoggedOutcome), at: Number(row['at']) }));
  };
};
