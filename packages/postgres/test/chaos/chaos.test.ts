import { randomInt } from 'node:crypto';
import { startPostgres } from '@partnerkit/testing/services';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { sized } from '../../../../tools/tests/effort.ts';
import { createPrng } from '../../../testing/src/simulator/prng.ts';
import { migrate, postgresStorage } from '../../src/index.ts';
import { actsInTurn, drawActs, perform, until } from './acts.ts';
import { brokenLaws, countTotals, isBalanced, type MadeEndpoint, type Totals } from './laws.ts';
import { accountIds, hugeAccount, openKit, parentAccount } from './platform.ts';
import { openProcesses } from './processes.ts';
import { startPublishing } from './publishing.ts';
import { type Manner, startReceiver } from './receiver.ts';
import { readRecords, readUnfinished } from './records.ts';
import { noteTakeovers, readTakeovers } from './takeovers.ts';

/** What happens is drawn with it; when it happens is up to the machine. */
const seed = Number(process.env['CHAOS_SEED'] ?? randomInt(2 ** 31));
const [events, rate, turns] = sized([600, 25, 1], [10_000, 17, 15]);
/** Their endpoints answer with 410; one is deleted at last. */
const [goneAccount, deletedAccount] = ['account-10', 'account-11'];

const openPlatform = async () => {
  const server = await startPostgres();
  onTestFinished(server.stop);
  const pool = new pg.Pool({ connectionString: server.url, max: 16 });
  // The server restarts.
  pool.on('error', () => {});
  onTestFinished(() => pool.end());
  await migrate(pool);
  await noteTakeovers(pool);
  return { server, pool, kit: openKit(postgresStorage(pool)) };
};

const sum = (all: Iterable<Totals>, what: keyof Totals): number =>
  [...all].reduce((total, each) => total + each[what], 0);

const countBy = (names: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, { length }]) => [name, length]));

test('whatever happens to its processes and its database, a platform delivers what was committed, in order and within its caps', async () => {
  const prng = createPrng(seed);
  const { server, pool, kit } = await openPlatform();
  const receiver = await startReceiver(
    createPrng(seed + 1),
    (workerId) => processes.ends.get(workerId)?.isStopped ?? true,
  );
  onTestFinished(receiver.close);
  const processes = openProcesses({ DATABASE: server.url, CERTIFICATE: receiver.certificate });
  onTestFinished(processes.killAll);

  const endpoints: MadeEndpoint[] = [];
  const addEndpoint = async (
    accountId: string,
    name: string,
    manner: Manner,
    isAlwaysThere = true,
  ): Promise<string> => {
    const path = `/${accountId}/${name}`;
    const input = { url: receiver.urlOf(path, manner), events: ['payed'], standardWebhooks: true } as const;
    const created = await kit.endpoints.create(accountId, { ...input, includeChildren: accountId === parentAccount });
    const { id } = created._unsafeUnwrap().endpoint;
    endpoints.push({ accountId, id, path, isAlwaysThere });
    return id;
  };
  const secondManner = (accountId: string): Manner =>
    accountId === hugeAccount
      ? 'stubborn'
      : accountId === goneAccount || accountId === deletedAccount
        ? 'gone'
        : 'flaky';
  const seconds = new Map<string, string>();
  for (const accountId of accountIds) {
    await addEndpoint(accountId, 'steady', 'steady');
    seconds.set(accountId, await addEndpoint(accountId, 'second', secondManner(accountId)));
  }
  await addEndpoint(parentAccount, 'steady', 'steady');
  const switched = await addEndpoint(hugeAccount, 'switched', 'steady', false);

  let isSwitchedOff = false;
  let replays = 0;
  const since = Date.now();
  const script = Array.from({ length: turns }, () => drawActs(prng, actsInTurn)).flat();
  processes.start();
  processes.start();
  const publishing = startPublishing({ kit, pool, prng, rate });
  await perform(
    {
      ...{ prng, processes, server },
      isFenced: async (workerId) =>
        (await pool.query('select from partnerkit.workers where id = $1', [workerId])).rows.length === 0,
      received: () => receiver.posts.length,
      switchEndpoint: async () => {
        const change = await kit.endpoints[isSwitchedOff ? 'enable' : 'disable'](hugeAccount, switched);
        if (change.isOk()) isSwitchedOff = !isSwitchedOff;
      },
      replay: async () => {
        const accountId = accountIds[prng.below(10)] ?? '';
        const replayed = await kit.deliveries.replay(accountId, seconds.get(accountId) ?? '', {
          from: since,
          to: Date.now(),
        });
        if (replayed.isOk()) replays++;
      },
    },
    script,
  );
  await until('all is published', () => publishing.committed() >= events);
  await publishing.stop();
  receiver.calmDown();
  if (isSwitchedOff) (await kit.endpoints.enable(hugeAccount, switched))._unsafeUnwrap();
  (await kit.endpoints.delete(deletedAccount, seconds.get(deletedAccount) ?? ''))._unsafeUnwrap();

  await until('nothing is unfinished', async () => {
    const left = await readUnfinished(pool);
    return Object.values(left).every((count) => count === 0);
  });
  await processes.terminateAll();
  const { published } = publishing;
  const { posts, crowds } = receiver;
  const { ends, unexpected, errors } = processes;
  const evidence = {
    ...(await readRecords(pool)),
    ...{ published, endpoints, posts, crowds, ends },
    takeovers: await readTakeovers(pool),
  };
  const totals = countTotals(evidence);
  const outcomes = Object.groupBy(published, ({ outcome }) => outcome);
  console.log(
    JSON.stringify({
      seed,
      seconds: Math.round((Date.now() - since) / 1_000),
      acts: countBy(script),
      workers: ends.size,
      fenced: [...ends.values()].filter(({ unrenewedFor }) => unrenewedFor !== undefined).length,
      shardsTaken: evidence.takeovers.length,
      committed: outcomes.committed?.length,
      rolledBack: outcomes.rolled_back?.length,
      unknown: outcomes.unknown?.length ?? 0,
      stored: evidence.events.length,
      ...Object.fromEntries(
        (['dispatched', 'replayed', 'delivered', 'exhausted', 'expired', 'held'] as const).map((what) => [
          what,
          sum(totals.values(), what),
        ]),
      ),
      replays,
      posts: posts.length,
      attempts: evidence.log.length,
      abandoned: evidence.log.filter(({ reason }) => reason === 'abandoned').length,
      mostInFlight: receiver.mostInFlight(),
      errors: Object.fromEntries(errors),
    }),
  );
  const unbalanced = endpoints.filter(({ id }) => !isBalanced(totals.get(id) as Totals)).map(({ path }) => path);
  expect({ seed, broken: brokenLaws(evidence), unbalanced, unexpected }).toEqual({
    seed,
    broken: [],
    unbalanced: [],
    unexpected: [],
  });
  // The history was one that can break laws.
  for (const what of ['delivered', 'exhausted', 'expired', 'held'] as const)
    expect(sum(totals.values(), what), what).toBeGreaterThan(0);
  expect(evidence.takeovers.length).toBeGreaterThan(0);
});
