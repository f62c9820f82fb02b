import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { createInboxWorker, dedupKey, type Envelope } from '../../../../receiver/src/index.ts';
import { type PgClient, type PostgresInbox, postgresInbox } from '../../../src/index.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { begin, untilWaiting } from '../../support/host-transactions.ts';

const database = useDatabase(inject('postgres'));
const hour = 3_600_000;
const event = (id: string): Envelope => ({ timestamp: 1, data: { id }, objectName: 'RequestPayment', type: 'payed' });
const key = dedupKey(event('p1'));
const body = JSON.stringify(event('p1'));
let inbox: PostgresInbox<PgClient>;

beforeAll(() => database.pool().query('create table public.effects (id text not null)'));
beforeEach(async () => {
  await database.reset({ storeAhead: 0 });
  await database.pool().query('delete from public.effects');
  inbox = postgresInbox(database.pool());
});

const effects = async (): Promise<readonly string[]> => {
  const { rows } = await database.pool().query('select id from public.effects order by id');
  return rows.map(({ id }) => id);
};
const take = async () => {
  const [entry] = await inbox.claim(1, hour);
  return entry ?? expect.unreachable('nothing is due');
};

describe('what is marked as done in the handler’s own transaction', () => {
  test('is done when that commits', async () => {
    await inbox.enqueue(key, body);
    const entry = await take();
    const { tx, commit } = await begin(database.pool());
    expect(await inbox.completeIn(tx, key)).toBe(true);
    await commit();
    expect(await inbox.complete(entry.key, entry.lease, hour)).toBe(false);
    await database.elapse(34 * 24 * hour);
    expect(await inbox.claim(1, hour)).toEqual([]);
    expect(await inbox.enqueue(key, body)).toBe(false);
    await database.elapse(24 * hour);
    expect(await inbox.enqueue(key, body)).toBe(true);
  });

  test('is not when that rolls back', async () => {
    await inbox.enqueue(key, body);
    const entry = await take();
    const { tx, rollback } = await begin(database.pool());
    expect(await inbox.completeIn(tx, key)).toBe(true);
    await rollback();
    expect(await inbox.retry(entry.key, entry.lease, 0)).toBe(true);
    expect(await take()).toMatchObject({ body, attempt: 2 });
  });

  test('by a worker with an expired lease and by its successor: done once, and the second waits for the first', async () => {
    await inbox.enqueue(key, body);
    await take();
    await database.elapse(hour);
    await take();
    const [slow, second] = [await begin(database.pool()), await begin(database.pool())];
    expect(await inbox.completeIn(slow.tx, key)).toBe(true);
    const waiting = inbox.completeIn(second.tx, key);
    await untilWaiting(database.pool(), 1);
    await slow.commit();
    expect(await waiting).toBe(false);
    await second.commit();
  });

  test('is done by the second, when the first rolls back', async () => {
    await inbox.enqueue(key, body);
    const [first, second] = [await begin(database.pool()), await begin(database.pool())];
    expect(await inbox.completeIn(first.tx, key)).toBe(true);
    const waiting = inbox.completeIn(second.tx, key);
    await untilWaiting(database.pool(), 1);
    await first.rollback();
    expect(await waiting).toBe(true);
    await second.commit();
  });

  test('and was never enqueued here, or has expired, is done once all the same', async () => {
    for (let times = 0; times < 2; times++) {
      for (const expected of [true, false]) {
        const { tx, commit } = await begin(database.pool());
        expect(await inbox.completeIn(tx, key, hour)).toBe(expected);
        await commit();
      }
      expect(await inbox.enqueue(key, body)).toBe(false);
      await database.elapse(hour);
    }
  });

  test('blocks neither claims nor another enqueue', async () => {
    await inbox.enqueue(key, body);
    await inbox.enqueue('other', body);
    const { tx, commit } = await begin(database.pool());
    expect(await inbox.completeIn(tx, key)).toBe(true);
    // Not committed yet: its row is locked.
    expect(await inbox.enqueue(key, body)).toBe(false);
    expect((await inbox.claim(10, hour)).map((entry) => entry.key)).toEqual(['other']);
    await commit();
  });
});

test('handlers that fail, processes that die before and after their commit, and leases that lapse: each event takes effect exactly once', async () => {
  const ids = Array.from({ length: 120 }, (_, index) => `pay_${String(index).padStart(3, '0')}`);
  for (const id of ids) await inbox.enqueue(dedupKey(event(id)), JSON.stringify(event(id)));
  const runs = new Map<string, number>();
  const handle = async ({ data: { id } }: Envelope): Promise<void> => {
    const run = (runs.get(id) ?? 0) + 1;
    runs.set(id, run);
    const fate = run === 1 ? Number(id.slice(-3)) % 4 : 0;
    const { tx, commit, rollback } = await begin(database.pool());
    const fresh = await inbox.completeIn(tx, dedupKey(event(id)));
    if (fresh) await tx.query({ text: 'insert into public.effects values ($1)', values: [id] });
    if (fate === 1) {
      await rollback();
      throw new Error('The handler failed.');
    }
    // What dies before its commit is rolled back by the server; neither says anything of its entry any more.
    await (fate === 2 ? rollback() : commit());
    if (fate >= 2) await new Promise(() => undefined);
  };
  const start = () => {
    const worker = createInboxWorker({
      inbox,
      on: {},
      otherwise: (received) => handle(received as Envelope),
      concurrency: 5,
      pollEvery: 5,
      retryDelays: [0, 0],
      dedup: { lease: hour },
    });
    worker.start();
    return worker;
  };
  // Whoever died keeps its slot for ever: so there are more slots than deaths, and then a worker that lives.
  const dead = Array.from({ length: 14 }, start);
  await expect.poll(() => runs.size, { timeout: 240_000 }).toBe(ids.length);
  await expect.poll(async () => (await inbox.stats(0)).oldestDueMs, { timeout: 240_000 }).toBe(0);
  await database.elapse(hour);
  const living = start();
  await expect.poll(async () => (await inbox.stats(0)).waiting, { timeout: 240_000 }).toBe(0);
  await living.stop();

  expect(await effects()).toEqual(ids);
  expect(await inbox.stats(10)).toMatchObject({ waiting: 0, deadLettered: 0 });
  for (const worker of dead) void worker.stop();
});
