import type { Attempt } from '@partnerkit/core';
import type { DeliveryLog, SendOutcome } from '@partnerkit/core/adapter';
import { isAttempt } from '../database/attempts.ts';
import type { Database } from '../database/database.ts';
import { ms, plannedAnew } from '../database/fragments.ts';
import { statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { isUuid } from '../database/uuid.ts';
import type { SqlRow } from '../drivers/driver.ts';

/** The outcome of a POST from its row. */
export const outcomeOf = ({ duration, status, reason, retry, body }: SqlRow): SendOutcome => {
  if (reason !== null)
    return {
      kind: 'failed',
      reason: reason as Extract<SendOutcome, { kind: 'failed' }>['reason'],
      durationMs: Number(duration),
    };
  const retryAfter = retry === null ? {} : { retryAfter: String(retry) };
  return {
    kind: 'answered',
    status: Number(status),
    body: String(body),
    ...retryAfter,
    durationMs: Number(duration),
  };
};

const replay = value('replay', 'int');
const list = statement`
  select ${ms('at')} as at, duration_ms as duration, status::int, reason, retry_after as retry, body from ${t.attempts} a
  where account_id = ${value('accountId', 'text')} and event_id = ${value('eventId', 'uuid')} and endpoint_id = ${value('endpointId', 'uuid')}
    and replay = ${replay} and ${isAttempt} and ${plannedAnew(replay)}
  order by number`;

export const listAttempts =
  <Tx extends object>({ run }: Database<Tx>): DeliveryLog['listAttempts'] =>
  async ({ accountId, eventId, endpointId, replay }) => {
    if (!isUuid(eventId) || !isUuid(endpointId)) return [];
    const rows = await run(list, { accountId, eventId, endpointId, replay });
    return rows.map((row): Attempt => ({ ...outcomeOf(row), at: Number(row['at']) }));
  };
