import {
  type HandlerDelivery,
  type HandlerSettlement,
  type HandlerStatus,
  type HandlerStore,
  maxCounted,
} from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import { pageStatements, readPage } from '../database/pages.ts';
import { rows, sql, statement, value } from '../database/statement.ts';
import { t } from '../database/tables.ts';
import { isUuid } from '../database/uuid.ts';
import type { SqlRow } from '../drivers/driver.ts';
import { claimDeliveries, storeNow } from './claim-deliveries.ts';
import { raiseEveryShard, registerHandlers } from './register-handlers.ts';

const [accountId, eventId] = [value('accountId', 'text'), value('eventId', 'uuid')];
const [handler, limit] = [value('handler', 'text'), value('limit', 'int')];
const stateAfter = ({ outcome, retryIn }: HandlerSettlement): string =>
  outcome === 'handled' ? outcome : retryIn === undefined ? 'exhausted' : 'waiting';

const isOfKey = sql`account_id = ${accountId} and event_id = ${eventId} and handler = ${handler}`;

const ended = rows<'ended', HandlerSettlement>('ended', {
  account_id: ['text', ({ claimed }) => claimed.accountId],
  event_id: ['uuid', ({ claimed }) => claimed.eventId],
  handler: ['text', ({ claimed }) => claimed.handler],
  attempts: ['int', ({ claimed }) => claimed.attempts],
  due_at: ['float8', ({ claimed }) => claimed.dueAt],
  state: ['text', stateAfter],
  retry_in: ['float8', ({ outcome, retryIn = null }) => (outcome === 'handled' ? null : retryIn)],
  outcome: ['text', ({ outcome }) => outcome],
  duration: ['float8', ({ durationMs }) => durationMs],
});
const settle = statement`update ${t.handler_deliveries} d set state = g.state,
    due_at = coalesce(ceil(${storeNow} + g.retry_in), d.due_at),
    log = jsonb_set(log, '{-1}', (log -> -1) || jsonb_build_object('outcome', g.outcome, 'durationMs', g.duration))
  from ${ended.few('g', 'nth')}
  where d.account_id = g.account_id and d.event_id = g.event_id and d.handler = g.handler
    and d.state = 'waiting' and d.attempts = g.attempts and d.due_at = g.due_at
  returning g.nth`;

const countOf = (state: string) => sql`(select count(*) from (
    select 1 from ${t.handler_deliveries} where handler = h.name and state = '${state}' limit ${maxCounted}) c)::int`;
const list = statement`select h.name, to_json(h.events)::text as events, h.registered_at as registered, h.seen_at as seen,
    ${storeNow} as now, ${countOf('waiting')} + ${countOf('ready')} as waiting, ${countOf('exhausted')} as exhausted,
    least((select min(due_at) from ${t.handler_deliveries} where handler = h.name and state = 'waiting'),
      (select min(due_at) from ${t.handler_deliveries} where handler = h.name and state = 'ready')) as oldest
  from ${t.handlers} h order by h.name`;

const columns = `account_id as account, event_id::text as event, handler, state, due_at as due, attempts, log::text as log`;
const exhausted = pageStatements(
  'event_id',
  (rest) => statement`select ${columns} from ${t.handler_deliveries}
    where handler = ${handler} and state = 'exhausted' and ${rest}`,
);
const ofEvent = statement`select ${columns} from ${t.handler_deliveries}
  where account_id = ${accountId} and event_id = ${eventId} order by handler`;

const sendAgain = statement`with before as materialized (
    select state from ${t.handler_deliveries} where ${isOfKey} for update
  ), changed as (
    update ${t.handler_deliveries} set state = 'waiting', due_at = ${storeNow}, attempts = 0
    where ${isOfKey} and (select state from before) = 'exhausted'
  )
  select state from before`;

const find = statement`select 1 from ${t.handlers} where name = ${handler}`;
const unregister = statement`delete from ${t.handlers} where name = ${handler}`;
const waiting = (state: string) => sql`(select account_id, event_id from ${t.handler_deliveries}
    where handler = ${handler} and state = '${state}' limit ${limit})`;
const forget = statement`with found as materialized (
    ${waiting('waiting')} union all ${waiting('ready')} limit ${limit}
  ), gone as (
    delete from ${t.handler_deliveries} d using found f
    where d.account_id = f.account_id and d.event_id = f.event_id and d.handler = ${handler}
  )
  select count(*)::int as found from found`;

const isWaiting = (state: unknown): boolean => state === 'waiting' || state === 'ready';

const deliveryOf = (row: SqlRow): HandlerDelivery => {
  const delivery = {
    ...{ accountId: String(row['account']), eventId: String(row['event']), handler: String(row['handler']) },
    ...{ attempts: Number(row['attempts']), log: JSON.parse(String(row['log'])) },
  };
  return isWaiting(row['state'])
    ? { ...delivery, state: 'waiting', dueAt: Number(row['due']) }
    : { ...delivery, state: row['state'] === 'handled' ? 'handled' : 'exhausted' };
};

const statusOf = (row: SqlRow): HandlerStatus => {
  const [now, oldest] = [Number(row['now']), row['oldest'] === null ? Number.POSITIVE_INFINITY : Number(row['oldest'])];
  return {
    ...{ name: String(row['name']), events: JSON.parse(String(row['events'])) },
    ...{ registeredAt: Number(row['registered']), seenAt: Number(row['seen']) },
    ...{ waiting: Math.min(Number(row['waiting']), maxCounted), exhausted: Number(row['exhausted']) },
    ...(oldest <= now ? { oldestDue: now - oldest } : {}),
  };
};

/** Handlers of the host and their deliveries. */
export const handlerStore = <Tx extends object>(database: Database<Tx>): HandlerStore<Tx> => {
  const { run, runIn, shortTransaction } = database;
  return {
    register: registerHandlers(database as Database<never>),
    claim: claimDeliveries(database as Database<never>),
    settle: async (settlements, tx) => {
      const settled = await (tx ? runIn(tx) : run)(settle, { ended: settlements });
      const places = new Set(settled.map((row) => Number(row['nth'])));
      return settlements.map((_, index) => places.has(index + 1));
    },
    listHandlers: async () => (await run(list)).map(statusOf),
    listDeliveries: async (of, page) => {
      if ('eventId' in of) return { items: isUuid(of.eventId) ? (await run(ofEvent, of)).map(deliveryOf) : [] };
      const read = await readPage(exhausted, page, async (list, values) =>
        (await run(list, { handler: of.handler, ...values })).map((row) => ({
          ...deliveryOf(row),
          id: String(row['event']),
        })),
      );
      return { ...read, items: read.items.map(({ id: _id, ...delivery }) => delivery) };
    },
    sendAgain: async (key) => {
      const [row] = isUuid(key.eventId) ? await run(sendAgain, key) : [];
      if (!row) return undefined;
      const state = row['state'];
      return isWaiting(state) ? 'waiting' : state === 'handled' ? 'handled' : 'exhausted';
    },
    removeHandler: (handler, limit) =>
      shortTransaction(async (own) => {
        const [known] = await own(find, { handler });
        if (known) await raiseEveryShard(own, () => own(unregister, { handler }));
        const [row] = await own(forget, { handler, limit });
        return Number(row?.['found']) >= limit;
      }),
  };
};
