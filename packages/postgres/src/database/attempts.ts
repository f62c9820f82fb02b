import { type Part, sql } from './statement.ts';
import { t } from './tables.ts';

/** Whether a row `a` of the log is an attempt; other rows hold why a delivery expired. */
export const isAttempt = "(a.reason is null or a.reason not in ('endpoint_deleted', 'held_too_long'))";

/** Counts the attempts of a finished delivery that count, among rows `a` that match `where`. */
export const countAttempts = <const P extends Part>(
  where: P,
) => sql`(select count(*) from ${t.attempts} a where ${where}
      and (a.reason is null or a.reason not in ('abandoned', 'out_of_reach', 'endpoint_deleted', 'held_too_long'))
      and a.status is distinct from 410)::int`;
