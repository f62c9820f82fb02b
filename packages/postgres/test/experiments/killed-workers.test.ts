import { fileURLToPath } from 'node:url';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { sized } from '../../../../tools/tests/effort.ts';
import { postgresStorage } from '../../src/index.ts';
import { names } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { brokenLaws } from '../support/invariants.ts';
import { addEndpoint, openKit, payed, urlOf } from '../support/kit.ts';
import { type PlainPost, plainSender, startPlainReceiver } from '../support/plain-sender.ts';
import { isDone } from '../support/progress.ts';
import { openHerd } from '../support/worker-herd.ts';

const database = useDatabase(inject('postgres'));
const minute = 60_000;
const workers = sized(4, 10);
const kills = sized(4, 9);
const [accounts, endpoints, events] = [10, 20, sized(10, 100)];
const deliveries = accounts * endpoints * events;
const killEvery = deliveries / (kills + 1);
/** Of one worker: 64 slots, and it claims only while fewer than twice as many are unsettled. */
const mostAtRisk = 64 + 2 * 64;

const script = fileURLToPath(new URL('./worker-process.ts', import.meta.url));

/** Nothing but what waits for the leases of the dead: they count towards the 8 of an endpoint. */
const isAllTaken = async (): Promise<boolean> => {
  const { rows } = await database.pool().query(`
    select not exists(select from partnerkit.outbox) and not exists(select from partnerkit.queue q where 8 > (
      select count(*) from partnerkit.leases l where l.account_id = q.account_id and l.endpoint_id = q.endpoint_id)) as taken`);
  return rows[0].taken;
};

interface Logged {
  readonly url: string;
  readonly body: string;
  /** Attempts; those that were answered; those that failed, be it on the way there or on the way back. */
  readonly started: number;
  readonly answered: number;
  readonly failed: number;
  readonly delivered: number;
}

const readLog = async (): Promise<readonly Logged[]> => {
  const { rows } = await database.pool().query(`
    select e.url, '{"timestamp":' || v.second || v.rest as body, count(*)::int as started,
      count(a.status)::int as answered, count(*) filter (where a.status is null and not a.abandoned)::int as failed,
      count(*) filter (where a.state = 'delivered')::int as delivered
    from partnerkit.attempts first
    join partnerkit.attempts a on a.account_id = first.account_id and a.delivery_id = first.delivery_id
    join partnerkit.endpoints e on e.id = first.endpoint_id join partnerkit.events v on v.id = first.event_id
    where first.number = 1 group by first.delivery_id, e.url, v.second, v.rest`);
  return rows;
};

test('ten workers that are killed one after the other lose nothing, log every attempt, and repeat only what they held', async () => {
  const kit = openKit(postgresStorage(database.pool()), { sender: { send: (post) => sender.send(post) } });
  const posts: PlainPost[] = [];
  const receiver = await startPlainReceiver((post) => {
    posts.push(post);
    if (posts.length % killEvery === 0 && posts.length < deliveries) herd.replaceOldest();
  });
  const sender = plainSender(receiver.port);
  onTestFinished(sender.close);
  onTestFinished(receiver.close);
  const herd = openHerd(script, [database.url(), String(receiver.port)]);
  for (const account of names(accounts, 'account-')) {
    for (const endpoint of names(endpoints, `${account}-`)) await addEndpoint(kit, account, endpoint);
    const published = names(events, `${account}-`).map((name) => payed(account, name));
    await kit.events.publishMany(published, { tx: 'new' });
  }

  for (const _ of names(workers)) herd.start();
  await vi.waitUntil(async () => herd.killed.size === kills && (await isAllTaken()), {
    timeout: 150_000,
    interval: 100,
  });
  expect(await brokenLaws(database.pool())).toEqual([]);
  expect(new Set(await herd.stop())).toEqual(new Set([0]));
  for (const worker = kit.worker(); !(await isDone(database.pool())); await database.elapse(minute))
    await worker.drain();
  expect(await brokenLaws(database.pool(), posts)).toEqual([]);

  const received = Map.groupBy(posts, ({ path, body }) => `${urlOf(path.slice(1))} ${body}`);
  const logged = await readLog();
  expect(logged).toHaveLength(deliveries);
  const wrong = logged.filter(({ url, body, started, answered, delivered }) => {
    const arrived = received.get(`${url} ${body}`)?.length ?? 0;
    return delivered !== 1 || arrived < 1 || arrived > started || answered > arrived;
  });
  expect(wrong).toEqual([]);

  // What failed on a machine that is overloaded was rightly sent again.
  const unfailing = logged.filter(({ failed }) => failed === 0);
  expect(unfailing.length).toBeGreaterThan(deliveries / 2);
  const repeated = unfailing.flatMap(({ url, body }) => received.get(`${url} ${body}`)?.slice(0, -1) ?? []);
  const byWorker = Map.groupBy(repeated, ({ worker }) => worker);
  expect([...byWorker.keys()].filter((worker) => !herd.killed.has(worker))).toEqual([]);
  expect(Math.max(...[...byWorker.values()].map(({ length }) => length))).toBeLessThanOrEqual(mostAtRisk);
});
