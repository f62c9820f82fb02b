import { type Attempt, type Delivery, type DeliveryLog, firstIdAt, type SentAgain } from '@partnerkit/core';
import { type LoggedOutcome, outcomeOf } from './attempts.ts';
import { backlogs } from './backlog.ts';
import type { Database } from './database.ts';
import { deliveryFacts } from './facts.ts';
import { ms } from './fragments.ts';
import { isUuid } from './uuid.ts';
import { asManyAsAsked, mostLookedAt, type Place, readWalk, walkStatement } from './walks.ts';

/** So many events are replayed at once: a short transaction. */
const mostReplayed = 500;

const columns = 'id, event_id, endpoint_id';
/** A delivery stands in exactly one of these. Those that fall due later stand by their endpoints, of which an account has few. */
const waiting: readonly Place[] = [
  {
    rows: `select ${columns}, 'waiting' as state, attempts from partnerkit.queue where account_id = $1`,
    id: 'id',
    looked: asManyAsAsked,
  },
  {
    rows: `select l.* from partnerkit.endpoints e cross join lateral (
        select ${columns}, 'waiting' as state, attempts from partnerkit.later
        where account_id = $1 and endpoint_id = e.id and id > $2::uuid and id < $3::uuid ORDERED
      ) l where e.account_id = $1`,
    id: 'l.id',
    looked: asManyAsAsked,
  },
  {
    rows: `select ${columns}, 'waiting' as state, attempts from partnerkit.leases where account_id = $1`,
    id: 'id',
    looked: asManyAsAsked,
  },
];
const parked = (state: string): Place => ({
  rows: `select ${columns}, state, attempts from partnerkit.parked where account_id = $1${state}`,
  id: 'id',
  looked: asManyAsAsked,
});
const attempted = (state: string): Place => ({
  rows: `select delivery_id as id, event_id, endpoint_id, state, number as attempts from partnerkit.attempts where account_id = $1${state}`,
  id: 'delivery_id',
  looked: mostLookedAt,
});

/** Where deliveries of a state stand. What has no state is an attempt before the last. */
const places: Readonly<Record<Delivery['state'] | 'any', readonly Place[]>> = {
  waiting,
  held: [parked(" and state = 'held'")],
  expired: [parked(" and state = 'expired'")],
  exhausted: [attempted(" and state = 'exhausted'")],
  delivered: [attempted('')],
  any: [...waiting, parked(''), attempted('')],
};

const deliveryOf = (row: Readonly<Record<string, unknown>>): Delivery => ({
  id: String(row['id']),
  eventId: String(row['event']),
  endpointId: String(row['endpoint']),
  state: row['state'] as Delivery['state'],
  attempts: Number(row['attempts']),
});

/** @internal */
export const deliveryLog = <Tx extends object>(database: Database<Tx>): DeliveryLog => {
  const { sql, run, runCommitted } = database;
  const walk = (state: keyof typeof places, filtered: boolean, ofEvents: boolean, newestFirst: boolean): string =>
    sql(
      walkStatement(
        places[state].map(({ rows, id, looked: enough }) => {
          const looked = filtered ? mostLookedAt : enough;
          return {
            rows: rows.replace('ORDERED', `order by id ${newestFirst ? 'desc' : 'asc'} limit ${looked}`),
            id,
            looked,
          };
        }),
        {
          columns: 'd.event_id::text as event, d.endpoint_id::text as endpoint, d.state, d.attempts::int as attempts',
          // By the key, and not by a join: where statistics are old, that one would read the events once for each delivery.
          joins: ofEvents
            ? `join lateral (
                select * from partnerkit.events where account_id = $1 and id >= d.event_id order by id limit 1
              ) e on e.id = d.event_id`
            : '',
          // `$5` a state, `$6` an endpoint, `$7` an event, or null for all.
          // Bounded by the time of its event, it is no filter that leaves much out: `$7`.
          where: `d.state is not null and ($5::text is null or d.state = $5) and ($6::uuid is null or d.endpoint_id = $6::uuid)
            and ($7::uuid is null or d.event_id = $7::uuid)${
              ofEvents
                ? ` and ($8::text is null or e.object_name = $8) and ($9::text is null or e.object_id = $9)
            and ($10::text is null or e.type = $10)`
                : ''
            }`,
        },
        newestFirst,
      ),
    );
  const whenDispatched = sql(
    `select ${ms('dispatched_at')} as at from partnerkit.events where account_id = $1 and id = $2::uuid`,
  );
  const attemptsOf = sql(`
    select ${ms('at')} as at, took, status::int, reason, retry_after as retry, body from partnerkit.attempts
    where account_id = $1 and delivery_id = $2::uuid order by attempts.at, abandoned desc`);
  const replay = sql('select partnerkit.replay($1, $2::uuid, $3::uuid, $4::uuid, $5::int)::text as answer');
  const sendAgain = sql('select partnerkit.send_again($1, $2::uuid)::text as answer');
  const findFacts = deliveryFacts(database);
  const countBacklog = backlogs(database);

  /** All deliveries of an event were made with the time of its dispatch. */
  const timeOf = async (
    accountId: string,
    eventId: string,
  ): Promise<{ readonly from: number; readonly to: number }> => {
    const [row] = isUuid(eventId) ? await run(whenDispatched, [accountId, eventId]) : [];
    const at = Math.floor(Number(row?.['at'] ?? 0));
    return { from: at, to: row ? at + 1 : at };
  };

  return {
    listDeliveries: async (accountId, filter, page) => {
      const { endpointId = null, eventId = null, state = null, objectName, objectId, type, from, to } = filter;
      const ofEvents = [objectName, objectId, type];
      const time = eventId === null ? { from: 0, to: undefined } : await timeOf(accountId, eventId);
      if ([endpointId, eventId].some((id) => id !== null && !isUuid(id))) return { items: [] };
      const someOf = ofEvents.some((value) => value !== undefined);
      return readWalk(run, {
        accountId,
        page,
        from: Math.max(from ?? 0, time.from),
        to: time.to === undefined ? to : Math.min(to ?? time.to, time.to),
        statement: (newestFirst) => walk(state ?? 'any', endpointId !== null || someOf, someOf, newestFirst),
        more: [state, endpointId, eventId, ...(someOf ? ofEvents.map((value) => value ?? null) : [])],
        read: deliveryOf,
      });
    },
    listAttempts: async (accountId, deliveryId) => {
      if (!isUuid(deliveryId)) return [];
      const rows = await run(attemptsOf, [accountId, deliveryId]);
      return rows.map((row): Attempt => ({ ...outcomeOf(row as unknown as LoggedOutcome), at: Number(row['at']) }));
    },
    findFacts,
    countBacklog,
    replay: async (accountId, endpointId, { from, to, after }) => {
      if (!isUuid(endpointId)) return { kind: 'not_found' };
      if (after !== undefined && !isUuid(after)) return { kind: 'invalid_cursor' };
      const low = after ?? firstIdAt(from);
      const [row] = await runCommitted(replay, [accountId, endpointId, low, firstIdAt(to), mostReplayed]);
      return JSON.parse(String(row?.['answer']));
    },
    sendAgain: async (accountId, deliveryId): Promise<SentAgain> => {
      if (!isUuid(deliveryId)) return { kind: 'not_found' };
      const [row] = await runCommitted(sendAgain, [accountId, deliveryId]);
      return JSON.parse(String(row?.['answer']));
    },
  };
};
