import type { Post } from '@partnerkit/core';
import type { PgPool } from '../../src/index.ts';

/** Where deliveries stand, and how many attempts of each were counted. */
const places = `
  select 'queue' as place, id, account_id, endpoint_id, event_id, attempts from partnerkit.queue
  union all select 'later', id, account_id, endpoint_id, event_id, attempts from partnerkit.later
  union all select 'leases', id, account_id, endpoint_id, event_id, attempts from partnerkit.leases
  union all select state, id, account_id, endpoint_id, event_id, attempts from partnerkit.parked
  union all select 'done', delivery_id, account_id, endpoint_id, event_id, number from partnerkit.attempts where state is not null`;

const numbered = `
  select delivery_id, count(*) as attempts, min(number) as first, max(number) as last, count(distinct number) as numbers
  from partnerkit.attempts where number is not null group by delivery_id`;

/** Each law, and what finds the ids of what breaks it. */
const laws: Readonly<Record<string, string>> = {
  'a delivery stands in one place': 'select id from places group by id having count(*) > 1',
  'a delivery that was attempted stands somewhere':
    'select delivery_id from numbered where delivery_id not in (select id from places)',
  'an event has one delivery for an endpoint':
    'select min(id::text)::uuid from places group by event_id, endpoint_id having count(*) > 1',
  'a delivery is of a dispatched event of its account, as long as it is not finished': `
    select p.id from places p where p.place in ('queue', 'later', 'leases', 'held') and not exists(select from partnerkit.events e where e.id = p.event_id and e.account_id = p.account_id)`,
  'what is in line is due': 'select id from partnerkit.queue where due_at > now()',
  'what waits is for an endpoint that is enabled': `
    select p.id from places p left join partnerkit.endpoints e on e.account_id = p.account_id and e.id = p.endpoint_id
    where p.place in ('queue', 'later') and e.state is distinct from 'enabled'`,
  'what is held is for an endpoint that is disabled': `
    select p.id from places p left join partnerkit.endpoints e on e.account_id = p.account_id and e.id = p.endpoint_id
    where p.place = 'held' and (e.state is null or e.state = 'enabled')`,
  'what fails is an endpoint that is enabled': `
    select h.endpoint_id from partnerkit.health h left join partnerkit.endpoints e on e.account_id = h.account_id and e.id = h.endpoint_id
    where e.state is distinct from 'enabled'`,
  'attempts are numbered one after the other':
    'select delivery_id from numbered where first <> 1 or last <> attempts or numbers <> attempts',
  'a delivery counts its attempts':
    'select p.id from places p left join numbered n on n.delivery_id = p.id where p.attempts <> coalesce(n.attempts, 0)',
  'an event was dispatched, or it was not':
    'select id from (select account_id, id from partnerkit.outbox intersect select account_id, id from partnerkit.events) both_of',
  'no two events of an object share a second':
    'select min(id::text)::uuid from partnerkit.events group by account_id, object_id, second having count(*) > 1',
};

const statement = `with places as materialized (${places}), numbered as materialized (${numbered})
  select law, array_agg(id::text) as ids from (
    ${Object.entries(laws)
      .map(([law, broken]) => `select '${law}' as law, id from (${broken}) broken(id)`)
      .join(' union all ')}
  ) broken group by law order by law`;

const storedBodies = `select id::text as id, '{"timestamp":' || second || rest as body from partnerkit.events`;

/**
 * The laws that the tables break, with the ids of what breaks each; none in any committed state, also under load. Of POSTs that were
 * received it asks that each is the text of a stored event, so that all attempts sent the same bytes.
 */
export const brokenLaws = async (
  pool: Pick<PgPool, 'query'>,
  posts: readonly Pick<Post, 'body'>[] = [],
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
