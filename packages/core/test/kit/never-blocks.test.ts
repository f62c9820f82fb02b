import { expect, test } from 'vitest';
import type { SealingKey } from '../../src/base/crypto/seal.ts';
import { day, hour, minute, second, toSeconds } from '../../src/base/runtime/time.ts';
import { createPartnerkit } from '../../src/kit/create-partnerkit.ts';
import type { PartnerkitOptions } from '../../src/kit/options.ts';
import { requestObjects } from '../../src/requests/extensions/objects.ts';
import { createRequests } from '../../src/requests/requests.ts';
import type { StoredTransaction } from '../../src/requests/stores/transaction-store.ts';
import { memoryAccessTokens } from '../../src/stores/memory/access-tokens.ts';
import { memorySender } from '../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import { memoryRows } from '../../src/stores/rows/memory/memory-rows.ts';
import { rowTransactions } from '../../src/stores/rows/requests/transactions.ts';
import { requestTransactions } from '../../src/stores/rows/tables/requests.ts';
import type { Storage } from '../../src/stores/storage/storage.ts';
import { alone, done, recipient } from '../requests/world.ts';
import { skippingClock, start } from '../support/clock.ts';
import { anyAccount, sealingKeys } from '../support/kit.ts';
import { seededRandom } from '../support/random.ts';

/**
 * A storage that answers at once, each call of which takes a millisecond, and the most calls that followed each other
 * while no timer could run.
 */
const busyStorage = () => {
  const clock = skippingClock();
  const calls = { all: 0, inTurn: 0, most: 0 };
  const count = (): void => {
    clock.set(clock.now() + 1);
    calls.all++;
    calls.inTurn++;
    calls.most = Math.max(calls.most, calls.inTurn);
    if (calls.inTurn === 1)
      setImmediate(() => {
        calls.inTurn = 0;
      });
  };
  const counted = <T extends object>(part: T): T =>
    new Proxy(part, {
      get: (_part, name) => {
        const value: unknown = Reflect.get(part, name);
        if (typeof value === 'object' && value !== null) return counted(value);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          count();
          return Reflect.apply(value, part, given);
        };
      },
    });
  const storage = counted(memoryStorage({ clock })) as Storage<object>;
  const random = seededRandom();
  const kitWith = (
    change: Partial<PartnerkitOptions<object, typeof requestObjects>> = {},
    keys: readonly [SealingKey, ...SealingKey[]] = sealingKeys,
  ) =>
    createPartnerkit({
      accounts: anyAccount,
      tokens: memoryAccessTokens({ random }),
      sender: memorySender(),
      objects: requestObjects,
      storage,
      advanced: { sealingKeys: keys, clock, random },
      ...change,
    });
  return {
    clock,
    storage,
    kitWith,
    /** The most calls in one turn of the event loop while the work ran, of how many. */
    during: async (work: () => Promise<unknown>) => {
      const before = calls.all;
      calls.most = 0;
      await work();
      return { most: calls.most, all: calls.all - before };
    },
  };
};

/** Two slices of 5 ms, and a call of each of the loops that run at once. */
const bound = 30;

const partner = 'acc_a';
const payment = { name: 'Stay', amount: 5, currency: 'EUR', recipient };
const whose = { organisationId: partner, status: 'payed', createdAt: 1, updatedAt: 1 };
const request = (id: number) => ({ ...payment, ...whose, id: `p${id}` });

/** Endpoints of one partner, and events for all of them. */
const published = async (endpoints: number, events: number) => {
  const world = busyStorage();
  const kit = world.kitWith();
  for (let nth = 0; nth < endpoints; nth++)
    await done(kit.endpoints.create(partner, { url: `https://partner.example/${nth}`, events: ['payed'] }));
  for (let nth = 0; nth < events; nth++)
    await kit.events.publish(
      { accountId: partner, objectName: 'RequestPayment', type: 'payed', data: request(nth) },
      { tx: 'new' },
    );
  return { ...world, kit };
};

test('deliveries, an export, pruning and recovery let timers run', async () => {
  const { clock, kit, kitWith, storage, during } = await published(4, 300);
  const delivered = await during(() => kit.worker().drain());
  expect(delivered.most).toBeLessThan(bound);

  let lines = 0;
  const exported = await during(async () => {
    for await (const _line of kit.export({ accounts: [partner] })) lines++;
  });
  expect(lines).toBeGreaterThan(1_500);
  expect(exported.all).toBeGreaterThan(1_500);
  expect(exported.most).toBeLessThan(bound);

  clock.set(clock.now() + 40 * day);
  const pruned = await during(() => kitWith().worker().drain());
  expect(pruned.most).toBeLessThan(bound);
  expect((await storage.events.listEvents(partner, { limit: 1 })).items).toEqual([]);
});

test('sealing anew lets timers run', async () => {
  const { kitWith, during } = await published(20, 0);
  const [old] = sealingKeys;
  const kit = kitWith({}, [{ id: 'k2', key: new Uint8Array(32).fill(2) }, old]);
  const resealed = await during(() => done(kit.endpoints.reseal({ limit: 100 })));
  expect(resealed.all).toBeGreaterThan(40);
  expect(resealed.most).toBeLessThan(bound);
});

test('an import lets timers run', async () => {
  const { kitWith, during } = busyStorage();
  const clients = Array.from({ length: 100 }, (_, nth) => ({
    accountId: partner,
    id: `imported-${nth}`,
    name: 'Imported',
    secrets: [{ text: `a-secret-of-the-platform-before-${nth}` }],
  }));
  const kit = kitWith({ imported: { clients: true } });
  const imported = await during(() => done(kit.import.clients(clients)));
  expect(imported.all).toBeGreaterThan(100);
  expect(imported.most).toBeLessThan(bound);
});

test('due commands, and planning anew, let timers run', async () => {
  const { clock, kitWith, during } = busyStorage();
  const kit = kitWith();
  const requests = createRequests({ kit });
  for (let nth = 0; nth < 340; nth++)
    await done(requests.payments.create(partner, { ...payment, sendAt: toSeconds(start + 30 * day) }, alone));
  const planned = await during(() => done(requests.reschedule(partner)));
  expect(planned.all).toBeGreaterThan(300);
  expect(planned.most).toBeLessThan(bound);

  clock.set(start + 30 * day + minute);
  const given = await during(() => kit.worker().drain());
  expect(given.all).toBeGreaterThan(5 * 340);
  expect(given.most).toBeLessThan(bound);
});

test('sums of many transactions let timers run, and are those of one moment', async () => {
  const clock = skippingClock();
  // Each batch that is read takes 2 ms.
  const slow = { ...clock, monotonic: () => clock.now() + 2 * batches };
  const tables = [requestTransactions];
  let batches = 0;
  let isReading = false;
  const rows = memoryRows(tables, slow);
  const sums = rowTransactions({
    ...rows,
    run: (mode, plan) =>
      rows.run(mode, (tx) =>
        plan({
          ...tx,
          scan: (...given) => {
            batches++;
            return tx.scan(...given);
          },
        }),
      ),
  });
  const transaction = (nth: number): StoredTransaction => ({
    number: 1,
    isTimed: true,
    ...{ id: `t${nth}`, accountId: partner, environment: 'prod', object: 'RequestPayment', objectId: 'p1' },
    ...{ kind: 'charge', status: 'succeeded', amount: 1, currency: 'EUR', settledAt: start + nth, createdAt: start },
  });
  const book = (from: number, count: number) =>
    rows.transaction(async (tx) => {
      for (let nth = from; nth < from + count; nth++) await sums.insert(tx, transaction(nth));
    });
  await book(0, 10_000);
  let turns = 0;
  isReading = true;
  const tick = (): void => {
    turns++;
    if (isReading) setImmediate(tick);
  };
  setImmediate(tick);
  const reading = sums.sum({ id: partner, environment: 'prod' });
  // The first batches are read, and what they read is changed.
  await book(10_000, 1);
  expect(await reading).toMatchObject([{ count: 10_001, amount: 10_001 }]);
  isReading = false;
  expect(turns).toBeGreaterThan(1);
});

test('a worker that runs lets timers run while it gives commands', async () => {
  const { clock, kitWith, during } = busyStorage();
  let given = 0;
  const kit = kitWith({
    observe: ({ kind }) => {
      if (kind === 'due_command') given++;
    },
  });
  const requests = createRequests({ kit });
  for (let nth = 0; nth < 200; nth++)
    await done(requests.payments.create(partner, { ...payment, sendAt: toSeconds(start + day) }, alone));
  clock.set(start + day + hour);
  const worker = kit.worker();
  const running = await during(async () => {
    worker.start();
    while (given < 200) await clock.sleep(second, new AbortController().signal);
    await worker.stop();
  });
  expect(running.most).toBeLessThan(bound);
});
