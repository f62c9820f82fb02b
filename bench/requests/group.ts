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
/** Number of requests in flight. */
const connections = 16;
const lanes = <T>(of: (place: number) => T): readonly T[] =>
  Array.from({ length: connections }, (_, place) => of(place));

/** Each connection creates one payment request after the other. */
const creates = async ({ port, path, token }: Served): Promise<Side> => {
  const requests = lanes(() => requestOf('POST', path, token, input));
  return () => hammer(port, requests, roundTime);
};

/** Each connection repeatedly changes one payment request, back and forth, so that each request is a change. */
const changes = async ({ port, path, token }: Served): Promise<Side> => {
  const made = await Promise.all(lanes(() => bodyOf(port, requestOf('POST', path, token, input))));
  const requests = made.map((body) => {
    const change = (description: string) =>
      requestOf('PATCH', `${path}/${JSON.parse(body).id}`, token, { description });
    return [change('For one night'), change('For two nights')];
  });
  return () => hammer(port, requests, roundTime);
};

/**
 * Fills an account with `$3` payment requests and as many cash-outs, one a second, and with one history of that length.
 * Ten of each kind have a rare state, recipient and parent; the others share theirs.
 */
const fill = `
  with made as (
    select place, 1750000000000 + place * 1000 as time, place % ($3 / 10) = 0 as is_rare
    from generate_series(1::bigint, $3::bigint) place
  ), kinds as (
    select 'payment' as kind, 'pay_' as prefix, 'pending' as usual, 'cancelled' as rare
    union all select 'cash_out', 'cash_', 'done', 'failed'
  ), rows as (
    select *, prefix || lpad(place::text, 9, '0') as id, case when is_rare then rare else usual end as status,
      case when is_rare then 'rare@example.com' else 'guest@example.com' end as email,
      case when is_rare then 'rare' else 'usual' end as parent
    from made, kinds
  ), history as (
    insert into partnerkit.request_history (kind, id, version, step, entry)
    select 'payment', 'pay_000000001', place, 0, json_build_object('version', place, 'step', 0, 'at', time, 'command', 'change',
      'event', 'update', 'status', 'pending', 'by', json_build_object('type', 'host'))::text
    from made
  )
  insert into partnerkit.requests (kind, id, account_id, environment, version, status, reference, recipient_email, parent_id, created_at,
    updated_at, record)
  select kind, id, $1, $2, 1, status, 'R-' || place, email, parent, time, time, json_build_object('id', id, 'accountId', $1::text,
    'environment', $2::text, 'status', status, 'createdAt', time, 'updatedAt', time, 'createdBy', json_build_object('type', 'host'),
    'updatedBy', json_build_object('type', 'host'), 'version', 1, 'name', 'Stay', 'amount', 24990, 'currency', 'EUR', 'reference',
    'R-' || place, case kind when 'payment' then 'templateId' else 'depositId' end, parent,
    'recipient', json_build_object('email', email))::text
  from rows`;

/** The pages to read from tables of both sizes, below the account. `next` is the cursor of the first page. */
const pages: Readonly<Record<string, (rows: number, next: string) => string>> = {
  'the first page': () => 'payment-requests',
  'the first page, newest first': () => 'payment-requests?order=newest',
  'the page after it': (_rows, next) => `payment-requests?after=${next}`,
  'a page of a usual status': () => 'payment-requests?status=pending',
  'a page of a rare status': () => 'payment-requests?status=cancelled&order=newest',
  'a page of several statuses': () => 'payment-requests?status=pending,cancelled,payed',
  'a page of a reference': (rows) => `payment-requests?reference=R-${rows / 2}`,
  'a page of a usual recipient': () => 'payment-requests?recipientEmail=guest%40example.com&order=newest',
  'a page of a rare recipient': () => 'payment-requests?recipientEmail=Rare%40example.com',
  'a page of a rare template': () => 'payment-requests?templateId=rare',
  'a page from the middle on': (rows) => `payment-requests?createdFrom=${1_750_000_000 + rows / 2}`,
  'a page of what changed lately': (rows) => `payment-requests?updatedFrom=${1_750_000_000 + rows / 2}`,
  'a page of what changed, newest first': (rows) =>
    `payment-requests?updatedTo=${1_750_000_000 + rows / 2}&order=newest`,
  'a page of all cash-outs': () => 'cash-outs?order=newest',
  'a page of failed cash-outs': () => 'cash-outs?status=failed',
  'a page of the cash-outs of a deposit': () => 'cash-outs?depositId=rare',
  'a page of a history': () => 'payment-requests/pay_000000001/events?order=newest',
};

/** Payment requests over Fastify and PostgreSQL, each server in a separate process. */
export async function* requests(): AsyncGenerator<Figure> {
  // On a disk, for a million rows; commits do not wait for it, so the figures show the work of a side itself.
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
    await pool.query('create table ledger (request text not null, command text not null)');
    if (rows > 0) {
      await pool.query(fill, [organisation.id, organisation.environment, rows]);
      // PostgreSQL scans a table that was empty at its last analyze; so analyze it again.
      await pool.query('vacuum analyze partnerkit.requests, partnerkit.request_history');
    }
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
      yield figure(`${name} a payment request and a ledger line, of a route by hand`, 0.6, rates.ours, rates.byHand);
    }

    const [less, more] = [1_000, 1_000_000];
    const [few, many] = [await start(kit, less), await start(kit, more)];
    for (const [name, query] of Object.entries(pages)) {
      const side = async ({ port, path, token }: Served, rows: number): Promise<Side> => {
        const { next } = JSON.parse(await bodyOf(port, requestOf('GET', path, token)));
        const account = path.replace(/[^/]+$/, '');
        const asked = lanes(() => requestOf('GET', `${account}${query(rows, next)}`, token));
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
