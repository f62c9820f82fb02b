import type pg from 'pg';

/** An event as it was dispatched. */
export interface StoredEvent {
  readonly accountId: string;
  readonly id: string;
  readonly shard: number;
  readonly objectId: string;
  readonly timestamp: number;
  readonly body: string;
  readonly endpointIds: readonly string[];
}

/** A row of the log of deliveries. */
export interface LogRow {
  readonly accountId: string;
  readonly eventId: string;
  readonly endpointId: string;
  readonly replay: number;
  readonly number: number;
  readonly status: number | null;
  readonly reason: string | null;
  readonly state: string | null;
}

/** A delivery that is not finished. */
type PendingRow = Pick<LogRow, 'accountId' | 'eventId' | 'endpointId' | 'replay'> & { readonly isHeld: boolean };

/** What the database holds. */
export interface Records {
  readonly events: readonly StoredEvent[];
  readonly log: readonly LogRow[];
  readonly pending: readonly PendingRow[];
  /** What nobody has looked at yet: events in the outbox, and for parents. */
  readonly unread: number;
}

const delivery = `account_id as "accountId", event_id::text as "eventId", endpoint_id::text as "endpointId", replay::int`;

export const readRecords = async (pool: pg.Pool): Promise<Records> => {
  const events =
    await pool.query(`select e.account_id as "accountId", e.id::text, d.shard::int, e.object_id as "objectId", d.timestamp::float8,
    '{"timestamp":' || d.timestamp || e.body_tail as body, d.endpoints::text[] as "endpointIds"
    from partnerkit.events e join partnerkit.dispatches d on d.account_id = e.account_id and d.event_id = e.id`);
  const log = await pool.query(`select ${delivery}, number::int, status::int, reason, state from partnerkit.attempts
    order by account_id, event_id, endpoint_id, replay, number`);
  const pending = await pool.query(`select ${delivery}, exists (select from partnerkit.endpoints e
    where e.account_id = p.account_id and e.id = p.endpoint_id and e.state <> 'enabled') as "isHeld" from partnerkit.pending p`);
  const unread = await pool.query(`select (select count(*)::int from partnerkit.outbox)
    + (select count(*)::int from partnerkit.parent_propagation) as unread`);
  return { events: events.rows, log: log.rows, pending: pending.rows, unread: unread.rows[0].unread };
};

const unfinished = `select (select count(*)::int from partnerkit.outbox) as outbox,
  (select count(*)::int from partnerkit.parent_propagation) as propagating,
  (select count(*)::int from partnerkit.pending p where not exists (select from partnerkit.endpoints e
    where e.account_id = p.account_id and e.id = p.endpoint_id and e.state <> 'enabled')) as pending,
  (select count(*)::int from partnerkit.dispatches e cross join unnest(e.endpoints) d(id)
    where not exists (select from partnerkit.pending p where p.account_id = e.account_id and p.event_id = e.event_id and p.endpoint_id = d.id)
      and not exists (select from partnerkit.attempts a
        where a.account_id = e.account_id and a.event_id = e.event_id and a.endpoint_id = d.id and a.state is not null)) as fresh`;

/** How much is not finished; deliveries that are held are. */
export const readUnfinished = async (
  pool: pg.Pool,
): Promise<Readonly<Record<'outbox' | 'propagating' | 'pending' | 'fresh', number>>> => {
  const { rows } = await pool.query(unfinished);
  return rows[0];
};

/** Endpoints to which nothing is sent for now, because they failed. */
export const readPaused = async (
  pool: pg.Pool,
): Promise<readonly { readonly accountId: string; readonly id: string }[]> => {
  const { rows } = await pool.query(`select account_id as "accountId", endpoint_id::text as id from partnerkit.health
    where open_until > now()`);
  return rows;
};
