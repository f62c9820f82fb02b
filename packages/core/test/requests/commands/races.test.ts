import { expect, test } from 'vitest';
import { call, loginToken } from '../../support/http.ts';
import { alone, codeOf, done, own, recipient, requestWorld, type World } from '../world.ts';

const stay = { name: 'Car', currency: 'EUR', recipient };

/** Requests whose next writes of payments and deposits lose a number of races, and the keys that the host received. */
const losing = (world: World) => {
  const keys: string[] = [];
  let races = 0;
  const { payments, deposits } = world.stores;
  const wins = () => races-- <= 0;
  const requests = world.requestsOver(
    {
      payments: { ...payments, replace: async (...given) => wins() && payments.replace(...given) },
      deposits: { ...deposits, replace: async (...given) => wins() && deposits.replace(...given) },
    },
    {
      newId: async (_object, { idempotencyKey }) => {
        keys.push(idempotencyKey);
        return `id ${keys.length}`;
      },
      onCommand: ({ idempotencyKey }) => void keys.push(idempotencyKey),
    },
  );
  return {
    requests,
    /** The keys of the next command, which loses a number of races. */
    keysOf: async (lost: number, give: () => Promise<unknown>) => {
      races = lost;
      keys.length = 0;
      await give();
      races = 0;
      return [...keys];
    },
  };
};

test('each command that loses two races is applied once, and the functions of the host receive one key', async () => {
  const { requests, keysOf } = losing(requestWorld());
  const { payments, deposits, cashOuts } = requests;
  const payment = await done(payments.create(own.id, { ...stay, amount: 5 }, alone));
  const charge = { transaction: { kind: 'charge', amount: 5 } };
  const given: readonly (readonly [string, object])[] = [
    ['change', { reference: 'R-1' }],
    ['setPaymentUrl', { paymentUrl: 'https://pay.example/1' }],
    ['send', {}],
    ['remind', {}],
    ['failTransaction', charge],
    ['cancelTransaction', charge],
    ['succeed', { transaction: {} }],
    ['returnTransaction', { transaction: { amount: 5 } }],
    ['succeedTransaction', charge],
    ['succeed', {}],
    ['refund', {}],
  ];
  for (const [command, input] of given) {
    const { version } = await done(payments.find(own.id, payment.id));
    const give = () =>
      done(payments.perform(own.id, payment.id, command as 'send', { input: input as never, ...alone }));
    expect([command, (await keysOf(2, give)).length]).toEqual([command, 1]);
    expect((await done(payments.find(own.id, payment.id))).version).toBe(version + 1);
  }
  const { id } = await done(deposits.create(own.id, { ...stay, depositAmount: 50 }, alone));
  await done(deposits.perform(own.id, id, 'succeedDeposit', alone));
  // `newId` is called in each try, `onCommand` in the one that wins.
  const created = await keysOf(2, () => done(cashOuts.create(own.id, { depositId: id, amount: 5 }, alone)));
  expect([created.length, new Set(created).size]).toEqual([4, 1]);
  const [cashOut] = (await done(deposits.find(own.id, id))).cashOuts;
  const claim = () => done(cashOuts.perform(own.id, cashOut?.id ?? '', 'claim', alone));
  expect(await keysOf(2, claim)).toHaveLength(1);
  expect((await done(deposits.find(own.id, id))).cashOuts).toMatchObject([{ status: 'claimed' }]);
});

test('a command is tried five times, and one that names a version once', async () => {
  const { requests, keysOf } = losing(requestWorld());
  const { payments } = requests;
  const { id, version } = await done(payments.create(own.id, { ...stay, amount: 5 }, alone));
  await keysOf(1, async () =>
    expect(await codeOf(payments.perform(own.id, id, 'send', { ...alone, ifVersion: version }))).toBe(
      'version_mismatch',
    ),
  );
  await keysOf(5, async () =>
    expect(await codeOf(payments.perform(own.id, id, 'send', alone))).toBe('changed_meanwhile'),
  );
  await keysOf(4, () => done(payments.perform(own.id, id, 'send', alone)));
});

test('ten reports at once on one deposit are ten transactions', async () => {
  const { requests } = requestWorld();
  const { deposits } = requests;
  const { id } = await done(deposits.create(own.id, { ...stay, depositAmount: 100 }, alone));
  const report = (nth: number) => {
    const transaction = { kind: 'authorisation', amount: 10, processorReference: `pi_${nth}` } as const;
    return done(deposits.perform(own.id, id, 'succeedTransaction', { input: { transaction }, ...alone }));
  };
  await Promise.all(Array.from({ length: 10 }, (_, nth) => report(nth)));
  const { sums, transactionCount } = await done(deposits.find(own.id, id));
  expect([sums, transactionCount]).toEqual([{ authorised: 10_000, secured: 10_000 }, 10]);
});

test("ten reports at once, each in the host's own transaction, are ten transactions", async () => {
  const { requests, storage } = requestWorld();
  const { deposits } = requests;
  const { id } = await done(deposits.create(own.id, { ...stay, depositAmount: 100 }, alone));
  const transaction = { kind: 'authorisation', amount: 10 } as const;
  const report = () =>
    storage.transaction((tx) =>
      done(deposits.perform(own.id, id, 'succeedTransaction', { input: { transaction }, tx })),
    );
  await Promise.all(Array.from({ length: 10 }, report));
  expect((await done(deposits.find(own.id, id))).transactionCount).toBe(10);
});

test('over HTTP a lost race is tried again, and neither a key nor a batch keeps its refusal', async () => {
  const world = requestWorld();
  const { requests, keysOf } = losing(world);
  const { id } = await done(requests.payments.create(own.id, { ...stay, amount: 5 }, alone));
  const added = (await world.kit.clients.create(own.id, { name: 'Key' }))._unsafeUnwrap();
  const authorization = `Bearer ${await loginToken(world.kit, added)}`;
  const routes = [...world.kit.routes, ...requests.routes];
  const post = async (path: string, body: object) => {
    const headers = {
      authorization,
      'content-type': 'application/json',
      'idempotency-key': `key ${path}`.replace(' ', '-'),
    };
    const at = `/api/v1/partner/organisations/acc_a/payment-requests/${path}`;
    const answered = await call({ routes }, 'POST', at, { headers, body: JSON.stringify(body) });
    return JSON.parse(answered.body);
  };
  const items = [{ id }];
  await keysOf(5, async () =>
    expect((await post('batch/cancel', { items })).items).toMatchObject([{ problem: { code: 'changed_meanwhile' } }]),
  );
  await keysOf(5, async () =>
    expect((await post(`${id.replace(' ', '%20')}/cancel`, {})).code).toBe('changed_meanwhile'),
  );
  await keysOf(2, async () => expect((await post('batch/cancel', { items })).items).toMatchObject([{ status: 200 }]));
});
