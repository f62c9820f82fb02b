import { randomInt } from 'node:crypto';
import { shardOf } from '@partnerkit/core/adapter';
import { startPostgres } from '@partnerkit/workshop/services';
import pg from 'pg';
import { expect, onTestFailed, onTestFinished, test } from 'vitest';
import { sized } from '../../../../tools/tests/effort.ts';
import { createPrng } from '../../../conformance/src/simulator/prng.ts';
import { migrate, postgresStorage } from '../../src/index.ts';
import { drawActs, perform } from './acts.ts';
import { makeEndpoints } from './endpoints.ts';
import { brokenLaws, type Evidence } from './laws.ts';
import { openKit } from './platform.ts';
import { openProcesses } from './processes.ts';
import { startPublishing } from './publishing.ts';
import { startReceiver } from './receiver.ts';
import { readPaused, readRecords, readUnfinished } from './records.ts';
import { noteTakeovers, readTakeovers } from './takeovers.ts';
import { countTotals, isBalanced, sumOf } from './totals.ts';
import { until } from './until.ts';

/** What happens is drawn with it; when it happens is up to the machine. */
const seed = Number(process.env['CHAOS_SEED'] ?? randomInt(2 ** 31));
const [events, eventsPerSecond, turns] = sized([300, 20, 1], [10_000, 8, 15]);

const openDatabase = async () => {
  const server = await startPostgres();
  onTestFinished(server.stop);
  const pool = new pg.Pool({ connectionString: server.url, max: 16 });
  // The server restarts.
  pool.on('error', () => {});
  onTestFinished(() => pool.end());
  await migrate(pool);
  await noteTakeovers(pool);
  return { server, pool };
};

const openPlatform = async () => {
  const { server, pool } = await openDatabase();
  const kit = openKit(postgresStorage(pool));
  const receiver = await startReceiver(createPrng(seed + 1), (id) => processes.ends.get(id)?.isStopped ?? true);
  onTestFinished(receiver.close);
  const processes = openProcesses({ database: server.url, certificate: receiver.certificate });
  onTestFinished(processes.killAll);
  return { server, pool, kit, receiver, processes, endpoints: await makeEndpoints(kit, receiver) };
};
type Platform = Awaited<ReturnType<typeof openPlatform>>;

/** Publishes all events, while all acts are performed. */
const run = async ({ server, pool, kit, receiver, processes, endpoints }: Platform) => {
  const prng = createPrng(seed);
  const script = drawActs(prng, turns);
  const { accountId, id } = endpoints.switched;
  const since = Date.now();
  let isOff = false;
  processes.start();
  processes.start();
  const publishing = startPublishing({ kit, pool, prng, eventsPerSecond });
  await perform(
    {
      ...{ prng, processes, server },
      isFenced: async (workerId) =>
        (await pool.query('select from partnerkit.workers where id = $1', [workerId])).rows.length === 0,
      received: () => receiver.posts.length,
      busiest: async () => {
        const { rows } = await pool.query('select owner::text from partnerkit.shards where shard = $1', [
          shardOf(accountId),
        ]);
        return rows[0].owner;
      },
      flood: () => publishing.flood(accountId),
      switchEndpoint: async () => {
        const changed = await kit.endpoints[isOff ? 'enable' : 'disable'](accountId, id);
        if (changed.isOk()) isOff = !isOff;
      },
      replay: async () => {
        const of = endpoints.firsts[1 + prng.below(9)] as (typeof endpoints.firsts)[number];
        const range = { from: since, to: Date.now() };
        await until('deliveries are replayed', async () =>
          (await kit.deliveries.replay(of.accountId, of.id, range)).isOk(),
        );
      },
    },
    script,
  );
  await until('all is published', () => publishing.committed() >= events, publishing.committed);
  await publishing.stop();
  receiver.calmDown();
  await until('the endpoint is on', async () => (await kit.endpoints.enable(accountId, id)).isOk());
  return { published: publishing.published, script, since };
};

/** Resolves once nothing is unfinished but what is held. */
const finish = async ({ pool, kit, receiver, endpoints: { deleted } }: Platform): Promise<void> => {
  // What is dispatched after the deletion has no delivery to it.
  await until('all is dispatched', async () => (await readUnfinished(pool)).outbox === 0);
  await until('the endpoint is deleted', async () =>
    (await kit.endpoints.delete(deleted.accountId, deleted.id)).isOk(),
  );
  const isFinished = async (): Promise<boolean> => {
    const left = await readUnfinished(pool);
    if (left.outbox + left.propagating > 0) return false;
    // A machine that is slow makes attempts time out, and breakers open for minutes. Nothing is published any more.
    for (const { accountId, id } of await readPaused(pool))
      await until('the pause of an endpoint is over', async () =>
        (await kit.endpoints.disable(accountId, id).andThen(() => kit.endpoints.enable(accountId, id))).isOk(),
      );
    return left.pending + left.fresh === 0;
  };
  await until('nothing is unfinished', isFinished, () => receiver.posts.length);
};

/** What a restarted database and an expired lease cause. pg refuses statements on a client that lost its connection. */
const isOfChaos =
  /^Error: (connect|read|write) E|[Cc]onnection (terminated|error)|terminating connection|database system is|within 2 seconds|^PortTimeout|^WorkerFenced/;

const countBy = (names: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, { length }]) => [name, length]));

test('through failures of processes and database, a platform delivers all committed events, in order and within its limits', {
  timeout: 7_200_000,
}, async () => {
  const platform = await openPlatform();
  const { pool, receiver, processes, endpoints } = platform;
  onTestFailed(() => console.log(`CHAOS_SEED=${seed} draws the same again.`, [...processes.errors.keys()]));
  const { published, script, since } = await run(platform);
  // What hangs breaks a law, which says more.
  const hangs = await finish(platform).then(
    () => [],
    (cause: Error) => [cause.message],
  );
  await processes.terminateAll();

  const { posts, crowds } = receiver;
  const { ends, unexpected, errors } = processes;
  const takeovers = await readTakeovers(pool);
  const records = await readRecords(pool);
  const evidence: Evidence = { ...records, published, endpoints: endpoints.all, posts, crowds, takeovers, ends };
  const totals = countTotals(evidence);
  const sum = sumOf([...totals.values()]);
  console.log(
    JSON.stringify({
      ...{ seed, seconds: Math.round((Date.now() - since) / 1_000) },
      acts: countBy(script),
      workers: ends.size,
      fenced: [...ends.values()].filter(({ unrenewedFor }) => unrenewedFor !== undefined).length,
      shardsTaken: takeovers.length,
      events: { ...countBy(published.map(({ outcome }) => outcome)), stored: records.events.length },
      deliveries: sum,
      ...{ posts: posts.length, logged: records.log.length },
      abandoned: records.log.filter(({ reason }) => reason === 'abandoned').length,
      mostInFlight: receiver.mostInFlight(),
      errors: Object.fromEntries(errors),
    }),
  );
  const unbalanced = endpoints.all.filter(({ id }) => !isBalanced(totals.get(id))).map(({ path }) => path);
  const foreign = [...errors.keys()].filter((message) => !isOfChaos.test(message));
  const broken = { hangs, laws: brokenLaws(evidence), unbalanced, unexpected, foreign };
  expect(broken).toEqual({ hangs: [], laws: [], unbalanced: [], unexpected: [], foreign: [] });
  // The history was one that can break laws.
  for (const what of ['delivered', 'exhausted', 'expired', 'held'] as const) expect(sum[what], what).toBeGreaterThan(0);
  expect(takeovers.length).toBeGreaterThan(0);
});
