import { expect, test } from 'vitest';
import { start } from '../../support/clock.ts';
import { alone, codeOf, done, own, recipient, requestWorld, stranger } from '../world.ts';

const input = { name: 'Stay', amount: 120, currency: 'EUR', recipient, reference: 'R-1' };

test('by default, references may repeat', async () => {
  const { requests } = requestWorld();
  for (let count = 0; count < 2; count++) await done(requests.payments.create(own.id, input, alone));
  expect((await done(requests.payments.list(own.id, { reference: 'R-1' }))).items).toHaveLength(2);
});

test('with uniqueReferences, a reference belongs to one object of its kind and account', async () => {
  const { requests, events } = requestWorld(undefined, { uniqueReferences: true });
  const { payments, deposits, paymentTemplates } = requests;
  const first = await done(payments.create(own.id, input, alone));
  expect(await codeOf(payments.create(own.id, input, alone))).toBe('reference_taken');
  await done(payments.create(stranger.id, input, alone));
  const { amount: _amount, ...request } = input;
  await done(deposits.create(own.id, { ...request, depositAmount: 5 }, alone));
  const second = await done(payments.create(own.id, { ...input, reference: 'R-2' }, alone));
  expect(await codeOf(payments.perform(own.id, second.id, 'change', { input: { reference: 'R-1' }, ...alone }))).toBe(
    'reference_taken',
  );
  // A change frees the old one, and so does the end of a template.
  await done(payments.perform(own.id, first.id, 'change', { input: { reference: 'R-3' }, ...alone }));
  await done(payments.perform(own.id, second.id, 'change', { input: { reference: 'R-1' }, ...alone }));
  await done(payments.create(own.id, { ...input, reference: 'R-2' }, alone));
  // A finished object keeps its reference, and letters differ by case.
  await done(payments.perform(own.id, first.id, 'cancel', alone));
  expect(await codeOf(payments.create(own.id, { ...input, reference: 'R-3' }, alone))).toBe('reference_taken');
  await done(payments.create(own.id, { ...input, reference: 'r-3' }, alone));
  const template = await done(paymentTemplates.create(own.id, { name: 'Weekend', reference: 'T' }, alone));
  await done(paymentTemplates.perform(own.id, template.id, 'delete', alone));
  await done(paymentTemplates.create(own.id, { name: 'Weekend', reference: 'T' }, alone));
  expect((await events()).filter(({ objectName }) => objectName === 'RequestPayment')).toHaveLength(7);
});

test('with uniqueReferences, references of cash-outs are unique over all deposits', async () => {
  const { deposits, cashOuts } = requestWorld(undefined, { uniqueReferences: true }).requests;
  const { amount: _amount, reference: _reference, ...request } = input;
  const cashOut = async () => {
    const { id } = await done(deposits.create(own.id, { ...request, depositAmount: 5 }, alone));
    await done(deposits.perform(own.id, id, 'succeedDeposit', alone));
    return cashOuts.create(own.id, { depositId: id, amount: 1, reference: 'C' }, alone);
  };
  await done(cashOut());
  expect(await codeOf(cashOut())).toBe('reference_taken');
});

test('of many simultaneous creations with one reference, one succeeds', async () => {
  const { requests } = requestWorld(undefined, { uniqueReferences: true });
  const racing = await Promise.all(Array.from({ length: 8 }, () => requests.payments.create(own.id, input, alone)));
  expect(racing.filter((each) => each.isOk())).toHaveLength(1);
  for (const each of racing) if (each.isErr()) expect(each.error.code).toBe('reference_taken');
});

test('a change that loses a race frees its reference, in the host’s transaction too', async () => {
  const world = requestWorld();
  const { storage, stores, requestsOver } = world;
  let loses = false;
  const { payments } = requestsOver(
    {
      payments: {
        ...stores.payments,
        replace: async (...args) => !loses && stores.payments.replace(...args),
      },
    },
    { uniqueReferences: true },
  );
  const made = await done(payments.create(own.id, input, alone));
  await storage.transaction(async (tx) => {
    loses = true;
    const change = payments.perform(own.id, made.id, 'change', { input: { reference: 'R-9' }, tx });
    expect(await codeOf(change)).toBe('changed_meanwhile');
    loses = false;
    await done(payments.create(own.id, { ...input, reference: 'R-9' }, { tx }));
  });
  expect(await codeOf(payments.create(own.id, input, alone))).toBe('reference_taken');
});

test('the host chooses ids and payment addresses', async () => {
  let serial = 0;
  const world = requestWorld(undefined, {
    newId: async (object, { account }) => `${object}/${account.id}/${++serial}`,
    paymentUrl: async ({ object, record }) =>
      object === 'RequestPayment' ? `https://pay.example/${record.id}` : undefined,
  });
  const made = await done(world.requests.payments.create(own.id, input, alone));
  expect([made.id, made.paymentUrl]).toEqual(['RequestPayment/acc_a/1', 'https://pay.example/RequestPayment/acc_a/1']);
  const { data } = (await world.events())[0] ?? expect.unreachable('no event');
  expect([data.id, data['paymentUrl']]).toEqual([made.id, made.paymentUrl]);
  const moved = { paymentUrl: 'https://pay.example/again' };
  expect(
    await done(world.requests.payments.perform(own.id, made.id, 'setPaymentUrl', { input: moved, ...alone })),
  ).toMatchObject(moved);
});

test('a malformed id or address of the host fails the command', async () => {
  for (const options of [
    { newId: async () => '' },
    { newId: async () => '.' },
    { newId: async () => '..' },
    { newId: async () => 'batch' },
    { paymentUrl: async () => 'http://pay.example' },
    { paymentUrl: async () => ({ url: 'http://pay.example' }) },
    // PostgreSQL cannot store NUL, and UTF-8 has no half of a surrogate pair.
    ...['\0', '\u0001', '\ud800', '\u20ac', '"', '\\', ' ', 'p'.repeat(2_029)].map((end) => ({
      paymentUrl: async () => `https://pay.example/${end}`,
    })),
    { paymentUrl: async () => ({ url: 'https://pay.example', expiresAt: start }) },
    { paymentUrl: async () => ({ url: 'https://pay.example', expiresAt: Number.NaN }) },
  ]) {
    const { requests, stores } = requestWorld(undefined, options);
    await expect(requests.payments.create(own.id, input, alone)).rejects.toThrow(TypeError);
    expect((await stores.payments.list(own, {})).items).toEqual([]);
  }
});
