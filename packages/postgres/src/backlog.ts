import { type Backlog, mostCounted } from '@partnerkit/core';
import type { Database } from './database.ts';

const count = (table: string, where: string): string =>
  `(select count(*) from (select from partnerkit.${table} where ${where} limit ${mostCounted}) counted)::int`;

/** No more endpoints are looked at than these, in the order of their keys. */
const mostEndpoints = 1_000;

/**
 * Counting ends at some number. The oldest that is due is found by one look into the line of each endpoint that has one; what fell due and
 * is not in line yet, by another index.
 */
const statement = (account: '$1' | undefined): string => {
  const where = account ? 'account_id = $1' : 'true';
  return `with recursive lines as (
      (select account_id, endpoint_id, due_at, 1 as nth from partnerkit.queue where ${where} order by account_id, endpoint_id, due_at limit 1)
      union all
      select n.account_id, n.endpoint_id, n.due_at, l.nth + 1 from lines l cross join lateral (
        select account_id, endpoint_id, due_at from partnerkit.queue q
        where ${where} and (q.account_id, q.endpoint_id) > (l.account_id, l.endpoint_id)
        order by account_id, endpoint_id, due_at limit 1
      ) n where l.nth < ${mostEndpoints}
    ), ripe as (
      ${
        account
          ? `select min(l.due_at) as due_at from partnerkit.endpoints e cross join lateral (
              select due_at from partnerkit.later where account_id = $1 and endpoint_id = e.id limit ${mostCounted}
            ) l where e.account_id = $1 and l.due_at <= now()`
          : 'select min(due_at) as due_at from partnerkit.later where due_at <= now()'
      }
    ), oldest as (
      select min(due_at) as due_at from (select due_at from lines union all select due_at from ripe) due where due_at <= now()
    )
    select ${count('outbox', where)} as undispatched,
      ${count('queue', where)} + ${count('later', where)} as waiting,
      ${count('parked', `${where} and state = 'held'`)} as held,
      ${count('leases', where)} as attempted,
      (select (extract(epoch from now() - due_at) * 1000)::float8 from oldest) as oldest`;
};

/** @internal */
export const backlogs = <Tx extends object>({ sql, run }: Database<Tx>) => {
  const [ofOne, ofAll] = [sql(statement('$1')), sql(statement(undefined))];
  return async (accountId?: string): Promise<Backlog> => {
    const [row] = accountId === undefined ? await run(ofAll) : await run(ofOne, [accountId]);
    const oldest = row?.['oldest'];
    return {
      undispatched: Number(row?.['undispatched']),
      waiting: Math.min(Number(row?.['waiting']), mostCounted),
      held: Number(row?.['held']),
      beingAttempted: Number(row?.['attempted']),
      ...(oldest == null ? {} : { oldestDue: Number(oldest) }),
    };
  };
};
