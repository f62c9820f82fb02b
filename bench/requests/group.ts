import { tmpdir } from 'node:os';
import { migrate } from '@partnerkit/postgres';
import { createDatabase, startPostgres } from '@partnerkit/testing/services';
import pg from 'pg';
import { bodyOf, hammer } from '../http/load.ts';
import { organisation } from '../http/servers/hand-written.ts';
import type { Figure } from '../measure.ts';
import { type Child, startChild } from '../postgres/children.ts';
import { atMost, figure, inTurns, type Side } from '../postgres/turns.ts';
import { requestOf } from './request.ts';
import type { Served, ServedHandlers } from './servers/served.ts';

const roundTime = 400;
const rounds = 7;

const kit = new URL('./servers/kit.ts', import.meta.url);
const hand = new URL('./servers/hand-fastify.ts', import.meta.url);

const input = { name: 'Stay in June', amount: 249.9, currency: 'EUR', recipient: { email: 'guest@example.com' } };
/** So many requests are in flight. */
const connections = 16;
const lanes = <T>(of: (place: number) => T): readonly T[] =>
  Array.from({ length: connections }, (_, place) => of(place));

/** Each connection makes one payment request after the other. */
const creates = async ({ port, path, token }: Served): Promise<Side> => {
  const requests = lanes(() => requestOf('POST', path, token, input));
  return () => hammer(port, requests, roundTime);
};

/** Each connection changes one of its own, again and again. */
const changes = async ({ port, path, token }: Served): Promise<Side> => {
  const made = await Promise.all(lanes(() => bodyOf(port, requestOf('POST', path, token, input))));
  const requests = made.map((body, place) =>
    requestOf('PATCH', `${path}/${JSON.parse(body).id}`, token, { description: `For guest ${place}` }),
  );
  return () => hammer(port, requests, roundTime);
};

/** Every tenth was payed; each was made a second after the one before. */
const fill = `
  insert into partnerkit.requests (account_id, kind, id, environment, version, status, created_at, record)
  select $1, 'payment', id, $2, 1, status, time, json_build_object('id', id, 'accountId', $1::text, 'environment', $2::text,
    'status', status, 'createdAt', time, 'updatedAt', time, 'version', 1, 'name', 'Stay', 'amount', 24990, 'currency', 'EUR',
    'recipient', json_build_object('email', 'guest@example.com'))::text
  from (select (lpad(to_hex(1750000000000 + place * 1000), 12, '0') || '70008' || lpad(to_hex(place), 15, '0'))::uuid as id,
    1750000000000 + place * 1000 as time, case when place % 10 = 0 then 'payed' else 'pending' end as status
    from generate_series(1::bigint, $3::bigint) place) made`;

/** What is asked of tables of two sizes: of so many rows, with the `next` of the first page. */
const pages: Readonly<Record<string, (rows: number, next: string) => string>> = {
  'the first page': () => '',
  'the page after it': (_rows, next) => `?after=${next}`,
  'a page of one status': () => '?status=payed',
  'a page from the middle on': (rows) => `?createdFrom=${1_750_000_000 + rows / 2}`,
};

/** Payment requests over Fastify and PostgreSQL, each server in a process of its own. */
export async function* requests(): AsyncGenerator<Figure> {
  // On a disk, for a million rows; commits do not wait for it, so that nothing hides what a side does itself.
  const postgres = await startPostgres({
    folder: tmpdir(),
    settings: { shared_buffers: '256MB', max_wal_size: '4GB' },
  });
  const closing: (() => Promise<unknown>)[] = [];
  const start = async (program: URL, rows: number): Promise<Served> => {
    const { url, drop } = await createDatabase(postgres);
    closing.push(drop);
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    await migrate(pool);
    await pool.query(fill, [organisation.id, organisation.environment, rows]);
    // A table that was counted while it was empty is read from end to end, until it is counted again.
    if (rows > 0) await pool.query('vacuum analyze partnerkit.requests');
    await pool.query('checkpoint');
    await pool.end();
    const child: Child<ServedHandlers> = await startChild(program, url);
    closing.push(child.end);
    return child.ask('served');
  };
  try {
    const [ours, byHand] = [await start(kit, 0), await start(hand, 0)];
    for (const [name, sideOf] of [
      ['create', creates],
      ['change', changes],
    ] as const) {
      const rates = await inTurns({ ours: await sideOf(ours), byHand: await sideOf(byHand) }, rounds);
      yield figure(`${name} a payment request, of a route by hand`, 0.6, rates.ours, rates.byHand);
    }

    const [less, more] = [1_000, 1_000_000];
    const [few, many] = [await start(kit, less), await start(kit, more)];
    for (const [name, query] of Object.entries(pages)) {
      const side = async ({ port, path, token }: Served, rows: number): Promise<Side> => {
        const { next } = JSON.parse(await bodyOf(port, requestOf('GET', path, token)));
        const asked = lanes(() => requestOf('GET', `${path}${query(rows, next)}`, token));
        return () => hammer(port, asked, roundTime);
      };
      const rates = await inTurns({ few: await side(few, less), many: await side(many, more) }, rounds);
      yield figure(`${name}: a million rows, of a thousand`, atMost(1.3), rates.many, rates.few);
    }
  } finally {
    for (const close of closing.reverse()) await close();
    await postgres.stop();
  }
}
