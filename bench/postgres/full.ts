import type { Figure } from '../measure.ts';
import type { Child } from './children.ts';
import { engines } from './engines/index.ts';
import type { Kit, KitInput } from './engines/partnerkit.ts';
import type { Stage } from './servers.ts';
import { atMost, figure, inTurns, type Side } from './turns.ts';

const count = 3_000;
const finished = 1_000_000;
const waiting = 100_000;

/**
 * A month of deliveries over the endpoints that are there, of which some wait. Their events are short, which nobody reads again; indexes
 * are as large as they would be, and made at the end, which is faster.
 */
const month = `
  set synchronous_commit = off;
  set maintenance_work_mem = '256MB';
  create temp table made as
    select place, e.account_id, e.id as endpoint_id,
      (lpad(to_hex(1700000000000 + place), 12, '0') || '70008000' || lpad(to_hex(place), 12, '0'))::uuid as id
    from generate_series(1, ${finished + waiting}) place join (
      select row_number() over (order by account_id, id) as nth, account_id, id from partnerkit.endpoints
    ) e on e.nth = 1 + place % 200;
  alter table partnerkit.events drop constraint events_pkey, drop constraint events_second;
  alter table partnerkit.attempts drop constraint attempts_pkey;
  insert into partnerkit.events (account_id, id, object_name, object_id, type, dispatched_at, second, rest)
  select account_id, id, 'RequestPayment', 'pay_' || place, 'payed', now() - interval '1 day', 1700000000, '' from made;
  insert into partnerkit.attempts
    (account_id, delivery_id, lease, abandoned, endpoint_id, event_id, number, at, took, status, body, state)
  select account_id, id, id, false, endpoint_id, id, 1, now() - interval '1 day', 12, 200, '', 'delivered'
  from made where place <= ${finished};
  insert into partnerkit.later (account_id, endpoint_id, due_at, id, event_id, attempts)
  select account_id, endpoint_id, now() + interval '1 hour', id, id, 1 from made where place > ${finished};
  alter table partnerkit.events add primary key (account_id, id), add constraint events_second unique (account_id, object_id, second);
  alter table partnerkit.attempts add primary key (account_id, delivery_id, lease, abandoned);`;

/** What a delivery costs in a database that is full, against one that is empty. Nothing is sent, so that only storage is compared. */
export async function* full(stage: Stage): AsyncGenerator<Figure> {
  const side = async (...sql: readonly string[]): Promise<Side> => {
    const input: KitInput = { ...(await stage.input()), sendsNothing: true };
    const kit: Child<Kit> = await stage.start(engines.ours, input);
    const pool = stage.pool(input, 1);
    for (const statements of sql) await pool.query(statements);
    return async () => {
      await kit.ask('fill', count);
      return kit.ask('drain', count);
    };
  };
  const rates = await inTurns({ emptied: await side(), filled: await side(month, 'vacuum (analyze)') });
  yield figure('delivery, 1,000,000 finished, 100,000 waiting', atMost(1.2), rates.filled, rates.emptied);
}
