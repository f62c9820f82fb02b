import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
const url = JSON.parse(readFileSync('/tmp/scratch-pg/state.json', 'utf8')).url;
const client = new pg.Client(url); await client.connect();
const { rows: [{ pid }] } = await client.query('select pg_backend_pid() pid');
const cpu = () => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000;
const anew = (p: string) => `($${p}::boolean or (select count(*) > 0 from generate_series(1, 1000000)))`;
const read = (x: string) => `select extract(epoch from now())::float8 as now, (select string_agg(version::text, ',' order by shard) from partnerkit.endpoint_versions) as versions, exists(select from partnerkit.endpoint_versions where include_children > 0)::text as children, null::int as shard, null::text, null::text, null::text, null::text, null::text, null::text, null::text, null::float8, null::float8
 union all (select null, null, null, o.shard::int, o.account_id, o.position::text, o.id::text, o.object_name, o.object_id, o.type, o.body_tail, extract(epoch from o.stored_at)::float8,
      greatest((select second from partnerkit.events e where e.account_id=o.account_id and e.object_id = o.object_id order by second desc limit 1), (array(select pruned_second from partnerkit.shards order by shard))[o.shard + 1])::float8
      from unnest($1::int[], $2::text[], $3::text[]) with ordinality as r(shard, after, before, nth) cross join lateral (select * from partnerkit.outbox where shard = r.shard and account_id > r.after and account_id < coalesce(r.before, repeat(U&'\\+10FFFF', 65)) order by account_id, position limit $4::int) o ${x} limit $4::int)`;
const stamp = (x: string) => `with me as materialized (select from partnerkit.workers where id = $1::uuid for key share),
      moved as (delete from partnerkit.outbox o using unnest($2::int[], $3::text[], $4::bigint[], $5::bigint[], $6::text[]) as g(shard, account_id, position, second, endpoints) where o.shard = g.shard and o.account_id=g.account_id and o.position = g.position and exists (select from me) ${x} returning o.*, g.second, g.endpoints),
      stored as (insert into partnerkit.events (account_id, id, shard, object_name, object_id, type, occurred_at, dispatched_at, second, endpoints, idempotency_key, body_tail, trace_context, only_to, origin)
        select account_id, id, shard, object_name, object_id, type, occurred_at, date_trunc('milliseconds', now()), second, endpoints::uuid[], idempotency_key, body_tail, trace_context, only_to, origin from moved)
      select exists(select from me)`;
const all = Array.from({ length: 128 }, (_, i) => i);
const nul = `{${all.map(() => 'null')}}`, emp = `{${all.map(() => '""')}}`;
const one = randomUUID();
await client.query('vacuum analyze');
const cases: [string, string, unknown[]][] = [
  ['read generic 128', read(''), [`{${all}}`, emp, nul, 512]],
  ['read anew 128', read(`where ${anew('5')}`), [`{${all}}`, emp, nul, 512, true]],
  ['read generic 1', read(''), [`{1}`, '{""}', '{null}', 512]],
  ['read anew 1', read(`where ${anew('5')}`), [`{1}`, '{""}', '{null}', 512, true]],
  ['stamp generic 0', stamp(''), [one, '{}', '{}', '{}', '{}', '{}']],
  ['stamp anew 0', stamp(`and ${anew('7')}`), [one, '{}', '{}', '{}', '{}', '{}', true]],
];
for (const r of [1, 2]) for (const [i, [name, text, values]] of cases.entries()) {
  for (let n = 0; n < 50; n++) await client.query({ name: `s${i}`, text, values: values as any[] });
  const c = cpu(); const t = performance.now();
  for (let n = 0; n < 1000; n++) await client.query({ name: `s${i}`, text, values: values as any[] });
  console.log(name, ((cpu() - c) / 1000).toFixed(1), 'us cpu', ((performance.now() - t)).toFixed(1), 'us wall');
}
console.log((await client.query('select name, generic_plans::int, custom_plans::int from pg_prepared_statements order by name')).rows);
await client.end();
