import { migrate, postgresStorage } from '@partnerkit/postgres';
import type { Figure } from '../measure.ts';
import type { Stage } from './servers.ts';
import { atMost, figure, inTurns, type Side } from './turns.ts';

const due = 100;
const many = 20_000;
/** In a round: whoever claims has been around once. */
const claims = 25;
/** A claim is short, and a neighbour's moment long. */
const rounds = 9;

const want = { worker: 'w', limit: 32, perEndpoint: 8, perAccount: 32, lease: 60_000, schedule: [] };

/** Endpoints, five an account; those of every so many accounts have something due, so that the others lie between them. */
const endpoints = (count: number): string => `
  insert into partnerkit.endpoints (account_id, id, url, events, state, standard_webhooks, include_children, created_at, secret, version)
  select 'acc_' || lpad((place / 5)::text, 6, '0'), gen_random_uuid(), 'https://partner.example/', '{payed}', 'enabled', false,
    false, now(), repeat('s', 100), 1
  from generate_series(0, ${count - 1}) place;`;

const dueDeliveries = (count: number): string => `
  with served as (
    select account_id, id from partnerkit.endpoints where right(account_id, 6)::int % ${count / due} = 0
  ), given as (
    select account_id, id as endpoint_id, gen_random_uuid() as event_id, gen_random_uuid() as id
    from served cross join generate_series(1, 50)
  ), stored as (
    insert into partnerkit.events (account_id, id, object_name, object_id, type, dispatched_at, second, rest)
    select account_id, event_id, 'RequestPayment', event_id::text, 'payed', now(), 1, repeat('x', 570) from given
  )
  insert into partnerkit.queue (account_id, endpoint_id, due_at, id, event_id, attempts)
  select account_id, endpoint_id, now(), id, event_id, 0 from given;`;

const massDelete = `
  insert into partnerkit.queue (account_id, endpoint_id, due_at, id, event_id, attempts)
  select account_id, id, now() - interval '1 day', gen_random_uuid(), gen_random_uuid(), 0
  from partnerkit.endpoints cross join generate_series(1, 3);
  delete from partnerkit.queue where due_at < now() - interval '1 hour';`;

const noVacuum = ['queue', 'leases', 'endpoints', 'events']
  .map((table) => `alter table partnerkit.${table} set (autovacuum_enabled = off);`)
  .join('\n');

/** Claims of 32 while 100 endpoints have something due: among 20,000 endpoints against those 100 alone. */
export async function* claim(stage: Stage): AsyncGenerator<Figure> {
  const side = async (...sql: readonly string[]) => {
    const pool = stage.pool(await stage.input(), 1);
    await migrate(pool);
    for (const statements of sql) await pool.query(statements);
    const { queue } = postgresStorage(pool);
    return async (before?: string): Promise<number> => {
      if (before !== undefined) await pool.query(before);
      let time = 0;
      for (let claimed = 0; claimed < claims; claimed++) {
        const start = performance.now();
        const taken = await queue.claim(want);
        time += performance.now() - start;
        if (taken.claimed.length < want.limit) throw new Error(`Claimed ${taken.claimed.length} of ${want.limit}.`);
        await queue.release(taken.claimed);
      }
      return (claims / time) * 1_000;
    };
  };
  const few = await side(endpoints(due), dueDeliveries(due), 'analyze');
  const known = await side(endpoints(many), dueDeliveries(many), 'analyze');
  const stale = await side(
    noVacuum,
    endpoints(due),
    'analyze',
    'truncate partnerkit.endpoints',
    endpoints(many),
    dueDeliveries(many),
  );
  const deleted = await side(noVacuum, endpoints(many), dueDeliveries(many), 'analyze');
  const rates = await inTurns(
    {
      few: () => few(),
      known: () => known(),
      stale: () => stale(),
      deleted: () => deleted(massDelete),
    } satisfies Record<string, Side>,
    rounds,
  );

  yield figure('claim, 20,000 endpoints of 100', atMost(1.3), rates.known, rates.few);
  yield figure('the same with stale statistics', atMost(1.3), rates.stale, rates.few);
  yield figure('the same after mass deletes', atMost(1.3), rates.deleted, rates.few);
}
