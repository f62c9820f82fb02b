import { maxCounted } from '../../../base/signals/health-change.ts';
import type { HandlerStatus } from '../../../webhooks/deliveries/handler-store.ts';
import type { SqlReports } from '../port/sql-reports.ts';
import { handlerDeliveries, handlers } from '../tables/handlers.ts';
import { countTo } from './parts.ts';

const columns = {
  name: 'text',
  events: 'text',
  registered_at: 'number',
  seen_at: 'number',
  moment: 'number',
  due: 'number',
  ready: 'number',
  exhausted: 'number',
  first_due: 'number',
  first_ready: 'number',
} as const;

/** Of each account, the oldest ready delivery comes first. */
const textOf = ({ table, literal, firsts }: SqlReports): string => {
  const inState = (index: string, state: string): string =>
    `${table(handlerDeliveries, 'd', index)} where d.handler = h.name and d.state = ${literal(state)}`;
  const turns = { name: 'turns', table: handlerDeliveries, index: 'turns', limit: maxCounted } as const;
  return `with recursive ${firsts({ ...turns, columns: ['handler', 'account_id'], least: 'due_at' })}
  select h.name, h.events, h.registered_at, h.seen_at, ? as moment, ${countTo(maxCounted, inState('due', 'waiting'))} as due,
    ${countTo(maxCounted, inState('turns', 'ready'))} as ready, ${countTo(maxCounted, inState('exhausted', 'exhausted'))} as exhausted,
    (select d.due_at from ${inState('due', 'waiting')} order by d.due_at limit 1) as first_due,
    r.due_at as first_ready
  from ${table(handlers, 'h', 'all')}
    left join (select handler, min(due_at) as due_at from turns group by handler) r on r.handler = h.name
  order by h.name`;
};

/** Reads handlers with what waits for each by one statement. */
export const reportHandlers = (reports: SqlReports): (() => Promise<readonly HandlerStatus[]>) => {
  const text = textOf(reports);
  return async () =>
    (await reports.read(text, ['now'], columns)).map((row) => {
      const { name = '', events = '[]', registered_at = 0, seen_at = 0, due = 0, ready = 0, exhausted = 0 } = row;
      const { first_due = Number.POSITIVE_INFINITY, first_ready = Number.POSITIVE_INFINITY, moment = 0 } = row;
      const oldest = Math.min(first_due, first_ready);
      return {
        ...{ name, events: JSON.parse(events), registeredAt: registered_at, seenAt: seen_at },
        ...{ waiting: Math.min(due + ready, maxCounted), exhausted },
        ...(oldest <= moment ? { oldestDue: moment - oldest } : {}),
      };
    });
};
