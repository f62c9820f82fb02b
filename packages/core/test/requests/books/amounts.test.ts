import { expect, test } from 'vitest';
import type { RequestsOptions } from '../../../src/requests/options/requests-options.ts';
import { alone, done, own, recipient, requestWorld } from '../world.ts';

const stay = { name: 'Car', currency: 'EUR', recipient };
/** A payment request of 100 and a deposit of 800. */
const world = async (options: Partial<RequestsOptions<object>> = {}) => {
  const made = requestWorld(undefined, options);
  const { payments, deposits } = made.requests;
  const { id } = await done(payments.create(own.id, { ...stay, amount: 100 }, alone));
  const { id: depositId } = await done(deposits.create(own.id, { ...stay, depositAmount: 800 }, alone));
  return {
    ...made,
    pay: (command: 'succeed' | 'cancel' | 'refund' | 'succeedTransaction', input: object) =>
      done(payments.perform(own.id, id, command, { input: input as never, ...alone })),
    hold: (command: 'succeedDeposit' | 'extend' | 'succeedTransaction' | 'returnTransaction', input: object) =>
      done(deposits.perform(own.id, depositId, command, { input: input as never, ...alone })),
  };
};
type Breaking = { readonly transactions?: readonly { readonly breaks?: readonly string[] }[] };
const breaksOf = ({ transactions = [] }: Breaking) => transactions.map(({ breaks = [] }) => breaks.join());
const charge = (amount: number) => ({ transaction: { kind: 'charge', amount } });

test.each([
  [40, 4_000, 60],
  [400, 40_000, undefined],
])('a payment of 100 with a charge of %d is payed, and the charge is flagged', async (amount, charged, missing) => {
  const { pay, events } = await world();
  const paid = await pay('succeed', charge(amount));
  expect([paid.status, paid.sums, breaksOf(paid)]).toEqual(['payed', { charged }, ['paid_as_asked']]);
  const { data } = (await events()).at(-1) ?? expect.unreachable('no event');
  expect(data['sums']).toEqual({ charged: amount, ...(missing === undefined ? {} : { missing }) });
  expect(data['transaction']).toMatchObject({ breaks: ['paid_as_asked'] });
});

test('parts that are reported add up to the payment, and only one too many is flagged', async () => {
  const { pay } = await world();
  await pay('succeedTransaction', charge(40));
  await pay('succeedTransaction', charge(25));
  const paid = await pay('succeed', { transaction: {} });
  expect([paid.sums, breaksOf(paid)]).toEqual([{ charged: 10_000 }, ['', '', '']]);
  expect(breaksOf(await pay('succeedTransaction', charge(0.01)))).toEqual(['', '', '', 'paid_as_asked']);
});

test('with partialPayments a part of the payment is an update, until the rest is paid', async () => {
  const { pay, events } = await world({ partialPayments: 'pending' });
  const part = await pay('succeed', charge(40));
  expect(part).toMatchObject({ status: 'pending', reason: { code: 'partially_paid' } });
  const whole = await pay('succeed', charge(60));
  expect([whole.status, breaksOf(whole)]).toEqual(['payed', ['paid_as_asked', '']]);
  expect((await events()).slice(-2).map(({ type, data }) => [type, data.status, data['sums']])).toEqual([
    ['update', 'pending', { charged: 40, missing: 60 }],
    ['payed', 'payed', { charged: 100 }],
  ]);
});

test('with partialPayments a payment without a transaction is payed', async () => {
  const { pay } = await world({ partialPayments: 'pending' });
  expect(await pay('succeed', {})).toMatchObject({ status: 'payed', version: 2 });
});

test('what is paid after a request was cancelled is flagged, and nothing of it is missing', async () => {
  const { pay, events } = await world();
  await pay('cancel', {});
  expect(breaksOf(await pay('succeedTransaction', charge(100)))).toEqual(['paid_as_asked']);
  expect((await events()).at(-1)?.data['sums']).toEqual({ charged: 100 });
});

test.each([
  [1, 799],
  [900, undefined],
])('a deposit of 800 with an authorisation of %d is flagged', async (amount, missing) => {
  const { hold, events } = await world();
  const held = await hold('succeedDeposit', { transaction: { amount } });
  expect([held.status, breaksOf(held)]).toEqual(['in_progress', ['secured_as_deposited']]);
  expect((await events()).at(-1)?.data['sums']).toMatchObject({
    secured: amount,
    ...(missing === undefined ? {} : { missing }),
  });
});

test.each([
  ['by 200 with 1', 1_000, 'authorisation', 1, 'secured_as_deposited'],
  ['by 200 with 200', 1_000, 'authorisation', 200, ''],
  ['by 200 with 201', 1_000, 'charge', 201, 'secured_as_deposited'],
  ['down by 200 with 1', 600, 'release', 1, 'secured_as_deposited'],
  ['down by 200 with 200', 600, 'release', 200, ''],
  ['down by 200 with 201', 600, 'release', 201, 'secured_as_deposited'],
])('a deposit that is extended %s is flagged as it must be', async (_how, depositAmount, kind, amount, broken) => {
  const { hold } = await world();
  await hold('succeedDeposit', { transaction: {} });
  const extended = await hold('extend', { depositAmount, transaction: { kind, amount } });
  expect([extended.amount, breaksOf(extended)]).toEqual([depositAmount * 100, ['', broken]]);
});

test('a running deposit whose debit came back is flagged; releases of it and what cash-outs took are not', async () => {
  const { hold } = await world();
  await hold('succeedDeposit', { transaction: { kind: 'charge', amount: 800 } });
  expect(breaksOf(await hold('returnTransaction', { transaction: { amount: 800 } }))).toEqual([
    '',
    'secured_as_deposited',
  ]);
  const other = await world();
  await other.hold('succeedDeposit', { transaction: {} });
  await other.hold('succeedTransaction', { transaction: { kind: 'capture', amount: 100 } });
  const released = await other.hold('succeedTransaction', { transaction: { kind: 'release', amount: 700 } });
  expect(breaksOf(released)).toEqual(['', '', '']);
});
