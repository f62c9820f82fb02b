import type { DeliveryRequest } from '@partnerkit/core/adapter';
import type { PgPool } from '../../src/index.ts';

const delivery = 'account_id, event_id, endpoint_id, replay';

const logs = `
  select ${delivery}, count(*) as rows, min(number) as first, max(number) as last, count(state) as ends, max(number) filter (where state is not null) as ended
  from partnerkit.attempts group by ${delivery}`;

/** Each law, and what finds the ids of the events of what breaks it. */
const laws: Readonly<Record<string, string>> = {
  'a delivery that is finished is not pending': `select event_id from partnerkit.pending join logs using (${delivery}) where ends > 0`,
  'a delivery that was attempted is pending or finished': `
    select event_id from logs where ends = 0 and (${delivery}) not in (select ${delivery} from partnerkit.pending)`,
  'an event has one unfinished delivery for an endpoint':
    'select event_id from partnerkit.pending group by account_id, event_id, endpoint_id having count(*) > 1',
  'what was dispatched before the mark of its shard has a log or is pending': `
    select e.event_id from partnerkit.dispatches e join partnerkit.shards s on s.shard = e.shard cross join lateral unnest(e.endpoints) d(endpoint_id)
    where e.dispatched_at < s.watermark and (e.account_id, e.event_id, d.endpoint_id, 0) not in (
      select ${delivery} from logs union all select ${delivery} from partnerkit.pending)`,
  'a pending delivery is of a dispatched event of its account': `
    select event_id from partnerkit.pending p
    where not exists (select from partnerkit.dispatches e where e.event_id = p.event_id and e.account_id = p.account_id)`,
  'attempts are numbered one after the other': 'select event_id from logs where first <> 1 or last <> rows',
  'the last row of a log, and no other, says what became of the delivery':
    'select event_id from logs where ends > 1 or ended <> last',
  'a pending delivery knows its log': `
    select event_id from partnerkit.pending left join logs using (${delivery}) where logged <> coalesce(last, 0) or attempts > logged`,
  'a delivery is in the shard of its event': `
    select p.event_id from partnerkit.pending p join partnerkit.dispatches e on e.event_id = p.event_id and e.account_id = p.account_id
    where e.shard <> p.shard`,
  'what fails is an endpoint that is enabled': `
    select h.endpoint_id from partnerkit.health h left join partnerkit.endpoints e on e.account_id = h.account_id and e.id = h.endpoint_id
    where e.state is distinct from 'enabled'`,
  'the endpoints that include children are counted': `
    select null::uuid where (select include_children from partnerkit.endpoint_changes)
      <> (select count(*) from partnerkit.endpoints where include_children and state <> 'disabled')`,
  'an event was dispatched, or it was not':
    'select event_id from (select account_id, event_id from partnerkit.outbox intersect select account_id, event_id from partnerkit.dispatches) both_of',
  'an event is dispatched, or waits for it': `
    select id from partnerkit.events e where (account_id, id) not in (
      select account_id, event_id from partnerkit.outbox union all select account_id, event_id from partnerkit.dispatches)`,
  'an event in the outbox, and a dispatched one, is stored': `
    select event_id from (
      select account_id, event_id from partnerkit.outbox union all select account_id, event_id from partnerkit.dispatches
    ) d where (account_id, event_id) not in (select account_id, id from partnerkit.events)`,
  'no two events of an object share a timestamp': `
    select min(id::text)::uuid from partnerkit.events e join partnerkit.dispatches d on d.account_id = e.account_id and d.event_id = e.id
    group by e.account_id, e.object_id, d.timestamp having count(*) > 1`,
  'the dispatches of an object have positions in the order of their timestamps': `
    select event_id from (
      select event_id, timestamp, lag(timestamp) over (partition by account_id, object_hash order by position) as earlier
      from partnerkit.dispatches
    ) d where timestamp <= earlier`,
};

const statement = `with logs as materialized (${logs})
  select law, array_agg(id::text) as ids from (
    ${Object.entries(laws)
      .map(([law, broken]) => `select '${law}' as law, id from (${broken}) broken(id)`)
      .join(' union all ')}
  ) broken group by law order by law`;

const storedBodies = `select id::text as id, '{"timestamp":' || timestamp || body_tail as body
  from partnerkit.events e join partnerkit.dispatches d on d.account_id = e.account_id and d.event_id = e.id`;

/**
 * The laws that the tables break, with the ids of what breaks each; none in any committed state, also under load,
 * before attempts are pruned. Of POSTs that were received it asks that each is the text of a stored event, so that all
 * attempts sent the same bytes.
 */
export const brokenLaws = async (
  pool: Pick<PgPool, 'query'>,
  posts: readonly Pick<DeliveryRequest, 'body'>[] = [],
): Promise<readonly string[]> => {
  // In one statement, so of one moment.
  const { rows } = await pool.query({ text: statement, values: [] });
  const broken = rows.map(({ law, ids }) => `${law}: ${(ids as readonly string[]).slice(0, 3).join(', ')}`);
  if (posts.length === 0) return broken;
  const stored = await pool.query({ text: storedBodies, values: [] });
  const bodies = new Set(stored.rows.map(({ body }) => body));
  const foreign = posts.find(({ body }) => !bodies.has(body));
  return foreign ? [...broken, `every attempt sends the bytes that were stored: ${foreign.body}`] : broken;
};
