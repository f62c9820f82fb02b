import { readFileSync } from 'node:fs';
import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
const url = JSON.parse(readFileSync('/tmp/scratch-pg/state.json', 'utf8')).url;
const ddl = readFileSync(new URL('../src/migrations/0001_initial.sql', import.meta.url), 'utf8');
const client = new pg.Client(url); await client.connect();
const { rows: [{ pid }] } = await client.query('select pg_backend_pid() pid');
const cpu = () => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000;
const arr = (v: readonly unknown[]) => `{${v.map((x) => JSON.stringify(String(x))).join(',')}}`;
const uuid7 = () => { const t = Date.now().toString(16).padStart(12, '0'); const r = randomBytes(10).toString('hex'); return `${t.slice(0,8)}-${t.slice(8)}-7${r.slice(0,3)}-8${r.slice(3,6)}-${r.slice(6,18)}`; };
const N = 512, ROUNDS = 60;
const lsn = async () => Number((await client.query(`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as n`)).rows[0].n);
const variants: Record<string, string[]> = {
  full: [],
  'no outbox_id': ['drop index partnerkit.outbox_id'],
  'brin': ['drop index partnerkit.events_dispatched_at', 'drop index partnerkit.attempts_at', 'create index on partnerkit.events using brin (dispatched_at) with (pages_per_range=32)', 'create index on partnerkit.attempts using brin (at) with (pages_per_range=32)'],
  'events (dispatched_at)': ['drop index partnerkit.events_dispatched_at', 'create index on partnerkit.events (dispatched_at)'],
};
const conflict = process.argv[2] === 'conflict';
for (const round of [1, 2]) for (const [name, more] of Object.entries(variants)) {
  await client.query(`drop schema partnerkit cascade; create schema partnerkit; ${ddl}; ${more.join(';')};`);
  const worker = randomUUID();
  await client.query(`insert into partnerkit.workers values ('${worker}', now() + interval '1 hour'); checkpoint`);
  const out: Record<string, number[]> = { publish: [0, 0], read: [0, 0], stamp: [0, 0], settle: [0, 0] };
  const at = async (what: string, text: string, values: unknown[]) => {
    const [c, w] = [cpu(), await lsn()]; const c1 = cpu();
    const r = await client.query({ name: `${what}`, text, values: values as any[], rowMode: 'array' } as never) as any;
    const c2 = cpu(); const w2 = await lsn();
    out[what]![0]! += c2 - c1; out[what]![1]! += w2 - w;
    return r.rows as any[][];
  };
  const accounts = Array.from({ length: 50 }, (_, i) => `acc_${1000 + i}`);
  const body = `,"data":{"id":"x","name":"${'n'.repeat(300)}"}}`;
  for (let r = 0; r < ROUNDS; r++) {
    const acc = Array.from({ length: N }, (_, i) => accounts[i % 50]!);
    await at('publish', `insert into partnerkit.outbox (shard, account_id, id, object_name, object_id, type, stored_at, body_tail)
      select shard, account_id, id, object_name, object_id, type, clock_timestamp(), body_tail from unnest($1::int[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[]) as g(shard, account_id, id, object_name, object_id, type, body_tail)`,
      [arr(acc.map((a) => Number(a.slice(4)) % 128)), arr(acc), arr(acc.map(uuid7)), arr(acc.map(() => 'RequestPayment')), arr(acc.map(() => randomUUID())), arr(acc.map(() => 'payed')), arr(acc.map(() => body))]);
    const rows = await at('read', `select o.shard::int, o.account_id, o.position::text, o.id::text, o.object_name, o.object_id, o.type, o.body_tail, extract(epoch from o.stored_at)::float8,
      (select second from partnerkit.events e where e.account_id=o.account_id and e.object_id = o.object_id order by second desc limit 1)::float8
      from unnest($1::int[], $2::text[]) with ordinality as r(shard, after, nth) cross join lateral (select * from partnerkit.outbox where shard = r.shard and account_id > r.after order by account_id, position limit $3) o limit $3`,
      [arr(Array.from({ length: 128 }, (_, i) => i)), arr(Array.from({ length: 128 }, () => '')), N]);
    if (rows.length !== N) throw new Error(String(rows.length));
    await at('stamp', `with me as materialized (select from partnerkit.workers where id = $1::uuid for key share),
      given as materialized (select * from unnest($2::int[], $3::text[], $4::bigint[], $5::bigint[], $6::text[]) as g(shard, account_id, position, second, endpoints)),
      moved as (delete from partnerkit.outbox o using given g where o.shard = g.shard and o.account_id=g.account_id and o.position = g.position and exists (select from me) returning o.*, g.second, g.endpoints),
      stored as (insert into partnerkit.events (account_id, id, shard, object_name, object_id, type, occurred_at, dispatched_at, second, endpoints, idempotency_key, body_tail, trace_context, only_to, origin)
        select account_id, id, shard, object_name, object_id, type, occurred_at, date_trunc('milliseconds', now()), second, endpoints::uuid[], idempotency_key, body_tail, trace_context, only_to, origin from moved)
      select exists(select from me)`, [worker, arr(rows.map((x) => x[0])), arr(rows.map((x) => x[1])), arr(rows.map((x) => x[2])), arr(rows.map((_, i) => 1700000000 + r * 1000 + i)), arr(rows.map(() => `{${randomUUID()}}`))]);
    await at('settle', `with me as materialized (select from partnerkit.workers where id = $1::uuid for key share),
      logged as (insert into partnerkit.attempts (account_id, event_id, endpoint_id, replay, number, at, duration_ms, status, reason, retry_after, body, state)
       select account_id, event_id, endpoint_id, replay, number, now(), duration_ms, status, reason, retry_after, body, state from unnest($2::text[], $3::uuid[], $4::uuid[], $5::int[], $6::int[], $7::float8[], $8::int[], $9::text[], $10::text[], $11::text[], $12::text[]) as g(account_id, event_id, endpoint_id, replay, number, duration_ms, status, reason, retry_after, body, state) where exists (select from me) ${conflict ? 'on conflict do nothing' : ''})
      select exists(select from me), extract(epoch from now())::float8, (select string_agg(version::text, ',' order by shard) from partnerkit.endpoint_versions), exists(select from partnerkit.endpoint_versions where include_children > 0)`,
      [worker, arr(rows.map((x) => x[1])), arr(rows.map((x) => x[3])), arr(rows.map(() => randomUUID())), arr(rows.map(() => 0)), arr(rows.map(() => 1)), arr(rows.map(() => 12.5)), arr(rows.map(() => 200)), `{${rows.map(() => 'null')}}`, `{${rows.map(() => 'null')}}`, arr(rows.map(() => '')), arr(rows.map(() => 'delivered'))]);
  }
  console.log(name.padEnd(24), Object.entries(out).map(([k, [c, w]]) => `${k} ${(c! / N / ROUNDS).toFixed(1)}us ${(w! / N / ROUNDS).toFixed(0)}B`).join('  '), 'sum', (Object.values(out).reduce((a, b) => a + b[0]!, 0) / N / ROUNDS).toFixed(1), (Object.values(out).reduce((a, b) => a + b[1]!, 0) / N / ROUNDS).toFixed(0));
}
await client.end();
