import { tmpdir } from 'node:os';
import { migrate } from '@partnerkit/postgres';
import { createDatabase, startPostgres } from '@partnerkit/workshop/services';
import pg from 'pg';
import { type Child, startChild } from '../children.ts';
import { organisation } from '../http/checks.ts';
import { bodyOf, hammer, type Repeated } from '../http/load.ts';
import { atLeast, atMostSlower, compared, inTurns, type Line, type Side } from '../measure.ts';
import { expectCount, metered } from '../meter.ts';
import { meterServer } from '../postgres/spent.ts';
import type { Sized } from '../sizes.ts';
import { fill, pages } from './pages.ts';
import { requestOf } from './request.ts';
import type { Served, ServedHandlers } from './servers/served.ts';

const kit = new URL('./servers/kit.ts', import.meta.url);
const hand = new URL('./servers/hand-fastify.ts', import.meta.url);

const input = { name: 'Stay in June', amount: 249.9, currency: 'EUR', recipient: { email: 'guest@example.com' } };
/** Number of requests in flight. */
const connections = 16;
const lanes = <T>(of: (place: number) => T): readonly T[] =>
  Array.from({ length: connections }, (_, place) => of(place));

type Load = readonly Repeated[];

/** Each connection creates one payment request after the other. */
const creates = async ({ path, token }: Served): Promise<Load> => lanes(() => requestOf('POST', path, token, input));

/** Each connection repeatedly changes one payment request, back and forth, so that each request is a change. */
const changes = async ({ port, path, token }: Served): Promise<Load> => {
  const made = await Promise.all(lanes(() => bodyOf(port, requestOf('POST', path, token, input))));
  return made.map((body) => {
    const change = (description: string) =>
      requestOf('PATCH', `${path}/${JSON.parse(body).id}`, token, { description });
    const inTurn = [change('For one night'), change('For two nights')] as const;
    let sent = 0;
    return () => inTurn[sent++ % 2 === 0 ? 0 : 1];
  });
};

/** A server with its process and its database. */
interface Started extends Served {
  readonly child: Child<ServedHandlers>;
  /** Number of ledger lines, and of events. */
  counts(): Promise<{ readonly ledger: number; readonly outbox: number }>;
}

/** Payment requests over Fastify and PostgreSQL, each server in a separate process. */
export async function* requests(sized: Sized): AsyncGenerator<Line> {
  const roundTime = sized(400, 20);
  const rounds = sized(7, 1);
  // On a disk, for a million rows; commits do not wait for it, so the figures show the work of a side itself.
  const postgres = await startPostgres({
    folder: tmpdir(),
    settings: { shared_buffers: '256MB', max_wal_size: '4GB' },
  });
  const closing: (() => Promise<unknown>)[] = [];
  const meter = await meterServer(postgres.url);
  closing.push(meter.end);
  const start = async (program: URL, name: string, rows: number): Promise<Started> => {
    const { url, drop } = await createDatabase(postgres);
    closing.push(drop);
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    closing.push(() => pool.end());
    await migrate(pool);
    await pool.query('create table ledger (request text not null, command text not null)');
    if (rows > 0) {
      await pool.query(fill, [organisation.id, organisation.environment, rows]);
      // PostgreSQL scans a table that was empty at its last analyze; so analyze it again.
      await pool.query(
        'vacuum analyze partnerkit.requests, partnerkit.request_history, partnerkit.request_transactions',
      );
    }
    await pool.query('checkpoint');
    const child: Child<ServedHandlers> = await startChild(program, url, name);
    closing.push(child.end);
    const counts =
      'select (select count(*) from ledger)::int as ledger, (select count(*) from partnerkit.outbox)::int as outbox';
    return { ...(await child.ask('served')), child, counts: async () => (await pool.query(counts)).rows[0] };
  };
  try {
    const ours = await start(kit, 'partnerkit', 0);
    const byHand = await start(hand, 'the hand-written route', 0);
    for (const [name, loadOf] of [
      ['create', creates],
      ['change', changes],
    ] as const) {
      const side = async (server: Started): Promise<Side> => {
        const load = await loadOf(server);
        return async () => {
          const before = await server.counts();
          let sent = 0;
          const work = async () => {
            const done = await hammer(server.port, load, roundTime);
            sent = done.units;
            return done;
          };
          const sample = await metered(work, [server.child], meter);
          const after = await server.counts();
          expectCount('New ledger lines', after.ledger - before.ledger, sent);
          expectCount('New events', after.outbox - before.outbox, sent);
          return sample;
        };
      };
      const sides = { partnerkit: await side(ours), 'hand-written route': await side(byHand) };
      const { partnerkit, 'hand-written route': other } = await inTurns(sides, rounds);
      const what = `${name} a payment request and a ledger line`;
      yield compared(what, partnerkit, 'hand-written route', other, atLeast(0.6));
    }

    const [less, more] = [1_000, sized(1_000_000, 2_000)];
    const few = await start(kit, 'partnerkit with a thousand rows', less);
    const many = await start(kit, 'partnerkit with a million rows', more);
    for (const [name, query] of Object.entries(pages)) {
      const side = async ({ port, path, token, child }: Started, rows: number): Promise<Side> => {
        const { next } = JSON.parse(await bodyOf(port, requestOf('GET', path, token)));
        const account = path.replace(/[^/]+$/, '');
        const request = requestOf('GET', `${account}${query(rows, next)}`, token);
        const load = lanes(() => request);
        return async () => {
          const sample = await metered(() => hammer(port, load, roundTime), [child], meter);
          const { items } = JSON.parse(await bodyOf(port, request));
          if (!(items?.length > 0)) throw new Error(`An empty page: ${name}.`);
          return sample;
        };
      };
      const { thousand, million } = await inTurns(
        { thousand: await side(few, less), million: await side(many, more) },
        rounds,
      );
      yield {
        ...compared(name, million, 'the same of a thousand', thousand, atMostSlower(1.3)),
        series: `${Object.keys(pages).length} pages of a million objects: filters, orders, a history`,
      };
    }
  } finally {
    for (const close of closing.reverse()) await close();
    await postgres.stop();
  }
}
