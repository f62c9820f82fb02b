import { type DeliveryRequest, type SendOutcome, shardOf } from '@partnerkit/core/adapter';
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { arrivals, names } from '../support/arrivals.ts';
import { fillOutbox } from '../support/crowd.ts';
import { useDatabase } from '../support/fixtures.ts';
import { addEndpoint, openKit, payed, urlOf } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));
const ok: SendOutcome = { kind: 'answered', status: 200, body: '', durationMs: 1 };
const crowd = 100_000;
const maxInFlight = 8;
/** An attempt whose sender does not answer: 5 seconds after its deadline. */
const givenUpAfter = 20_000;

beforeEach(() => database.reset({ storeAhead: 0 }));

/** Accounts of one shard, the huge one in the middle of their order. */
const hugeAccount = 'm';
const inItsShard = (first: string): string => {
  for (let number = 0; ; number++)
    if (shardOf(`${first}${number}`) === shardOf(hugeAccount)) return `${first}${number}`;
};

test.each([
  ['before', inItsShard('a')],
  ['after', inItsShard('z')],
])(
  'an event of an account %s one with 100,000 events in line is dispatched by the next read or the one after',
  async (_, ours) => {
    const storage = postgresStorage(database.pool());
    const reads: (readonly string[])[] = [];
    const received = arrivals();
    const kit = openKit(
      {
        ...storage,
        deliveries: {
          ...storage.deliveries,
          readOutbox: async (ranges, limit, known) => {
            if (reads.length === 3) await kit.events.publish(payed(ours, 'ours'), { tx: 'new' });
            const read = await storage.deliveries.readOutbox(ranges, limit, known);
            reads.push(read.events.map(({ accountId }) => accountId));
            return read;
          },
        },
      },
      { sender: received },
    );
    for (const account of [hugeAccount, ours]) await addEndpoint(kit, account, account);
    await fillOutbox(database.pool(), hugeAccount, crowd);
    const worker = kit.worker();
    worker.start();
    onTestFinished(worker.stop);
    await received.all(['ours']);
    await worker.stop();

    expect(reads.slice(0, 3).every((accounts) => accounts.includes(hugeAccount))).toBe(true);
    expect(reads.findIndex((accounts) => accounts.includes(ours))).toBeLessThan(5);
  },
);

test('one hanging endpoint of a hundred holds eight attempts, and all others receive all of their events', async () => {
  const accounts = names(100, 'account-');
  const dead = urlOf('account-50');
  const given: DeliveryRequest[] = [];
  const released = Promise.withResolvers<SendOutcome>();
  const received = arrivals((post) => {
    if (post.url !== dead) return ok;
    given.push(post);
    return released.promise;
  });
  const kit = openKit(postgresStorage(database.pool()), { sender: received });
  for (const account of accounts) await addEndpoint(kit, account, account);
  const worker = kit.worker();
  worker.start();
  onTestFinished(async () => {
    released.resolve(ok);
    await worker.stop();
  });
  const since = performance.now();
  const living = accounts.filter((account) => urlOf(account) !== dead);
  for (const round of names(20, 'round-'))
    await kit.events.publishMany(
      accounts.map((account) => payed(account, `${round} of ${account}`)),
      { tx: 'new' },
    );
  await received.all(living.flatMap((account) => names(20, 'round-').map((round) => `${round} of ${account}`)));
  // On a machine that is slow some were given up meanwhile.
  expect(given.length).toBeLessThanOrEqual(maxInFlight * (1 + Math.floor((performance.now() - since) / givenUpAfter)));
  expect(given.length).toBeGreaterThan(0);
});
