import type { Pool } from 'pg';

/** How far a database is. */
export interface Progress {
  readonly events: number;
  /** Events that are to be dispatched. */
  readonly undispatched: number;
  /** Deliveries that are to be attempted, or are. */
  readonly waiting: number;
  readonly delivered: number;
  /** Attempts whose outcome is logged. */
  readonly ended: number;
}

export const progress = async (pool: Pool): Promise<Progress> => {
  const { rows } = await pool.query(`select
    (select count(*)::int from partnerkit.dispatches) as events,
    (select count(*)::int from partnerkit.outbox) as undispatched,
    (select count(*)::int from partnerkit.pending) + (
      select count(*)::int from (select account_id, event_id, unnest(endpoints) as endpoint_id from partnerkit.dispatches) d
      where not exists (select from partnerkit.attempts a
          where a.account_id = d.account_id and a.event_id = d.event_id and a.endpoint_id = d.endpoint_id)
        and not exists (select from partnerkit.pending p
          where p.account_id = d.account_id and p.event_id = d.event_id and p.endpoint_id = d.endpoint_id)) as waiting,
    (select count(*)::int from partnerkit.attempts where state = 'delivered') as delivered,
    (select count(*)::int from partnerkit.attempts where reason is distinct from 'abandoned') as ended`);
  return rows[0];
};

/** Whether nothing is left to do. */
export const isDone = async (pool: Pool): Promise<boolean> => {
  const { undispatched, waiting } = await progress(pool);
  return undispatched + waiting === 0;
};
