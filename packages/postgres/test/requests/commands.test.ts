import { createPartnerkit } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender } from '@partnerkit/core/memory';
import { createRequests, type RequestsOptions, requestObjects } from '@partnerkit/core/requests';
import { beforeEach, expect, inject, test } from 'vitest';
import { type PgClient, postgresStorage } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';
import { begin } from '../support/host-transactions.ts';

const database = useDatabase(inject('postgres'));
beforeEach(() => database.reset({ storeAhead: 0 }));

const own = { id: 'acc_ours', environment: 'prod' };
const alone = { tx: 'new' } as const;
const recipient = { email: 'guest@example.com' };

const open = (options: Partial<RequestsOptions<PgClient>> = {}) => {
  const storage = postgresStorage(database.pool());
  const kit = createPartnerkit({
    accounts: memoryAccounts([{ ...own, name: 'Ours', status: 'active' }]),
    storage,
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    sealingKeys: [{ id: 'k1', key: new Uint8Array(32).fill(1) }],
    objects: requestObjects,
  });
  const requests = createRequests({ kit, ...options });
  /** The types of the events of an object, by the seconds that they were dispatched with. */
  const eventsOf = async (objectId: string): Promise<readonly string[]> => {
    await kit.worker().drain();
    const { items } = await storage.events.listEvents(own.id, { limit: 100 }, { objectId });
    return items
      .map(({ type, timestamp = expect.unreachable('not dispatched') }) => ({ type, timestamp }))
      .sort((a, b) => a.timestamp - b.timestamp)
      .map(({ type }) => type);
  };
  return { ...requests, eventsOf };
};

const newDeposit = async ({ deposits }: ReturnType<typeof open>): Promise<string> => {
  const input = { name: 'Stay', depositAmount: 300, currency: 'EUR', recipient };
  const { id } = (await deposits.create(own.id, input, alone))._unsafeUnwrap();
  (await deposits.perform(own.id, id, 'succeedDeposit', alone))._unsafeUnwrap();
  return id;
};

test('of many simultaneous commands one succeeds, the others are refused, and there is one event', async () => {
  const { payments, eventsOf } = open();
  const made = await payments.create(own.id, { name: 'Stay', amount: 5, currency: 'EUR', recipient }, alone);
  const { id } = made._unsafeUnwrap();
  const race = await Promise.all(
    Array.from({ length: 20 }, (_, index) => payments.perform(own.id, id, index % 2 ? 'cancel' : 'succeed', alone)),
  );
  const winners = race.flatMap((each) => (each.isOk() ? [each.value] : []));
  expect(winners).toHaveLength(1);
  for (const each of race) if (each.isErr()) expect(['changed_meanwhile', 'wrong_state']).toContain(each.error.code);
  expect((await payments.find(own.id, id))._unsafeUnwrap()).toEqual(winners[0]);
  expect(await eventsOf(id)).toEqual(['creation', winners[0]?.status === 'payed' ? 'payed' : 'cancel']);
});

test('ten reports at once under one reference, each sent twice, are ten transactions, and all but one are flagged', async () => {
  const world = open();
  const { deposits, transactions } = world;
  const id = await newDeposit(world);
  const report = async (nth: number) => {
    const settledAt = 1_700_000_000 + nth;
    const transaction = { kind: 'capture', amount: 10, processorReference: 'pi_1', settledAt } as const;
    const given = await deposits.perform(own.id, id, 'succeedTransaction', { input: { transaction }, ...alone });
    return given.isOk();
  };
  const given = await Promise.all(Array.from({ length: 20 }, (_, nth) => report(nth % 10)));
  expect(given).toEqual(Array.from({ length: 20 }, () => true));
  const { sums, transactionCount } = (await deposits.find(own.id, id))._unsafeUnwrap();
  expect([sums?.captured, transactionCount]).toEqual([10_000, 10]);
  const { items } = (await transactions.list(own.id))._unsafeUnwrap();
  expect(items.map(({ number }) => number).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(items.filter(({ breaks }) => breaks?.includes('reference_twice'))).toHaveLength(9);
});

test('commands that claim one reference at once never wait for each other in a circle', async () => {
  const world = open({ uniqueReferences: true });
  const id = await newDeposit(world);
  const change = (input: object) => world.deposits.perform(own.id, id, 'change', { input, ...alone });
  const references = Array.from({ length: 24 }, (_, nth) => `stay-${nth % 2}`);
  for (let round = 0; round < 3; round++) {
    const changes = references.map((reference, nth) => change({ reference, description: `Stay ${nth}` }));
    expect((await Promise.all(changes)).filter((each) => each.isErr())).toEqual([]);
  }
});

test('simultaneous cash-outs never exceed the deposit, and each has its event', async () => {
  const world = open();
  const id = await newDeposit(world);
  let made = 0;
  for (let round = 0; round < 6; round++) {
    const race = await Promise.all(
      Array.from({ length: 8 }, () => world.cashOuts.create(own.id, { depositId: id, amount: 70 }, alone)),
    );
    made += race.filter((each) => each.isOk()).length;
  }
  const deposit = (await world.deposits.find(own.id, id))._unsafeUnwrap();
  expect([made, deposit.cashOuts.length]).toEqual([4, 4]);
  const { items } = (await world.cashOuts.list(own.id, { depositId: id }))._unsafeUnwrap();
  expect(new Set(items.map((each) => each.id))).toEqual(new Set(deposit.cashOuts.map((each) => each.id)));
  expect(await world.eventsOf(id)).toEqual(['creation', 'deposit_success', ...Array(4).fill('cashout')]);
});

test('the events of a long life keep their order, however fast it goes, and the history has all of it', async () => {
  const world = open();
  const { deposits, cashOuts } = world;
  const id = await newDeposit(world);
  const expected = ['creation', 'deposit_success'];
  for (let times = 0; times < 10; times++) {
    (await cashOuts.create(own.id, { depositId: id, amount: 1 }, alone))._unsafeUnwrap();
    expected.push('cashout');
  }
  const { cashOuts: all } = (await deposits.find(own.id, id))._unsafeUnwrap();
  for (const { id: cashOutId } of all) {
    for (const [command, ifVersion] of [['claim'], ['deny'], ['complete', 3]] as const)
      (await cashOuts.perform(own.id, cashOutId, command, { ...alone, ifVersion }))._unsafeUnwrap();
    // A denial starts the dispute of the deposit, and the end of the only disputed cash-out ends it.
    const dispute = ['cashout_reclamation', 'cashout_owner_deny_reclamation', 'litigation', 'cashout_done', 'update'];
    expected.push(...dispute);
    const history = (await cashOuts.history(own.id, cashOutId))._unsafeUnwrap();
    expect(history.items.map(({ command }) => command)).toEqual(['create', 'claim', 'deny', 'complete']);
  }
  (await deposits.perform(own.id, id, 'finish', alone))._unsafeUnwrap();
  expected.push('finish');
  expect(await world.eventsOf(id)).toEqual(expected);
  const history = (await deposits.history(own.id, id, { page: { limit: 100 } }))._unsafeUnwrap();
  expect(history.items.map(({ event }) => event)).toEqual(expected);
});

test('of many simultaneous claims of one reference one succeeds, and the others store nothing', async () => {
  const { payments, eventsOf } = open({ uniqueReferences: true });
  const input = { name: 'Stay', amount: 5, currency: 'EUR', recipient, reference: 'R-1' };
  const race = await Promise.all(Array.from({ length: 12 }, () => payments.create(own.id, input, alone)));
  const made = race.flatMap((each) => (each.isOk() ? [each.value] : []));
  expect(made).toHaveLength(1);
  for (const each of race) if (each.isErr()) expect(each.error.code).toBe('reference_taken');
  const { id = '' } = made[0] ?? {};
  expect((await payments.list(own.id, { reference: 'R-1' }))._unsafeUnwrap().items).toEqual(made);
  expect((await payments.list(own.id))._unsafeUnwrap().items).toEqual(made);
  (await payments.perform(own.id, id, 'change', { input: { reference: 'R-2' }, ...alone }))._unsafeUnwrap();
  (await payments.create(own.id, input, alone))._unsafeUnwrap();
  expect(await eventsOf(id)).toEqual(['creation', 'update']);
});

test('in the host’s transaction: state and event come with its commit, or not at all', async () => {
  const { payments, eventsOf } = open();
  const made = await payments.create(own.id, { name: 'Stay', amount: 5, currency: 'EUR', recipient }, alone);
  const { id } = made._unsafeUnwrap();
  for (const how of ['rollback', 'commit'] as const) {
    const host = await begin(database.pool());
    const paid = await payments.perform(own.id, id, 'succeed', { tx: host.tx });
    expect(paid._unsafeUnwrap().status).toBe('payed');
    expect((await payments.find(own.id, id))._unsafeUnwrap().status).toBe('pending');
    await host[how]();
  }
  expect((await payments.find(own.id, id))._unsafeUnwrap()).toMatchObject({ status: 'payed', version: 2 });
  const { items } = (await payments.history(own.id, id))._unsafeUnwrap();
  expect(items.map(({ command }) => command)).toEqual(['create', 'succeed']);
  expect(await eventsOf(id)).toEqual(['creation', 'payed']);
});
