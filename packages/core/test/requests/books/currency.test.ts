import { expect, test } from 'vitest';
import { shapeOf } from '../../../src/base/fields/field.ts';
import { deposit as depositKind } from '../../../src/requests/kinds/deposit.ts';
import { payment as paymentKind } from '../../../src/requests/kinds/payment.ts';
import { alone, codeOf, done, own, recipient, requestWorld } from '../world.ts';

const kinds = ['payments', 'deposits'] as const;
type Kind = (typeof kinds)[number];
const fieldOf = { payments: 'amount', deposits: 'depositAmount' } as const;

const world = async (amount = 100, currency = 'EUR') => {
  const made = requestWorld();
  const { payments, deposits } = made.requests;
  const common = { name: 'Stay', currency, recipient };
  const ids = {
    payments: (await done(payments.create(own.id, { ...common, amount }, alone))).id,
    deposits: (await done(deposits.create(own.id, { ...common, depositAmount: amount }, alone))).id,
  };
  // Both have the fields and the commands that these tests use.
  const of = (kind: Kind) => made.requests[kind] as typeof payments;
  return {
    ...made,
    give: (kind: Kind, command: string, input: object = {}) =>
      of(kind).perform(own.id, ids[kind], command as never, { input: input as never, ...alone }),
    find: (kind: Kind) => done(of(kind).find(own.id, ids[kind])),
  };
};
const report = (kind: string, amount: number, more: object = {}) => ({ transaction: { kind, amount, ...more } });

test.each(kinds)('%s keep their currency from the first number that is booked', async (kind) => {
  const { give, find } = await world(10_000, 'VND');
  const field = fieldOf[kind];
  // A failed attempt books nothing.
  await done(give(kind, 'failTransaction', report('charge', 10_000)));
  await done(give(kind, 'change', { [field]: 10_000, currency: 'JPY' }));
  await done(give(kind, 'change', { [field]: 10_000, currency: 'VND' }));
  await done(give(kind, 'succeedTransaction', report('authorisation', 10_000)));
  const before = await find(kind);
  expect(await codeOf(give(kind, 'change', { [field]: 10_000, currency: 'EUR' }))).toBe('money_booked');
  expect(await find(kind)).toEqual(before);
  // What was booked stays, also when all of it went back.
  await done(give(kind, 'succeedTransaction', report('release', 10_000)));
  expect(await codeOf(give(kind, 'change', { [field]: 10_000, currency: 'EUR' }))).toBe('money_booked');
  await done(give(kind, 'change', { [field]: 9_000 }));
  await done(give(kind, 'change', { [field]: 8_000, currency: 'VND' }));
});

test.each(kinds)('the amount of %s cannot fall below what is booked', async (kind) => {
  const { give } = await world();
  const field = fieldOf[kind];
  await done(give(kind, 'succeedTransaction', report('charge', 60)));
  expect(await codeOf(give(kind, 'change', { [field]: 59.99 }))).toBe('money_booked');
  await done(give(kind, 'change', { [field]: 60 }));
  await done(give(kind, 'succeedTransaction', report('refund', 0.01)));
  await done(give(kind, 'change', { [field]: 59.99 }));
  await done(give(kind, 'succeedTransaction', report('authorisation', 10)));
  expect(await codeOf(give(kind, 'change', { [field]: 69.98 }))).toBe('money_booked');
  await done(give(kind, 'change', { [field]: 69.99 }));
});

test.each([
  ['a charge', report('charge', 100), report('refund', 100)],
  ['one cent of a charge', report('charge', 0.01), report('refund', 0.01)],
  ['a charge that the bank took back', report('charge', 100), report('chargeback', 100)],
  ['an authorisation', report('authorisation', 100), report('release', 100)],
])('with %s booked nothing is cancelled until it went back', async (_name, there, back) => {
  for (const kind of kinds) {
    const { give, find } = await world();
    await done(give(kind, 'succeedTransaction', there));
    const before = await find(kind);
    expect(await codeOf(give(kind, 'cancel'))).toBe('money_booked');
    expect(await find(kind)).toEqual(before);
    await done(give(kind, 'succeedTransaction', back));
    expect((await done(give(kind, 'cancel'))).status).toBe('cancelled');
  }
});

test.each(kinds)('a report in another currency than %s is stored, flagged and in no sum', async (kind) => {
  const { give, find, events } = await world();
  await done(give(kind, 'succeedTransaction', report('charge', 40)));
  const reported = report('charge', 1_000, { currency: 'JPY', fee: 3, processorReference: 'ch_1' });
  const after = await done(give(kind, 'succeedTransaction', reported));
  expect(after.sums).toEqual({ charged: 4_000 });
  expect(after.transactions?.at(-1)).toMatchObject({
    ...{ amount: 1_000, currency: 'JPY', fee: 3, breaks: ['other_currency'] },
  });
  expect((await events()).at(-1)?.data['transaction']).toMatchObject({ amount: 1_000, currency: 'JPY', fee: 3 });
  // The same report once more.
  expect(await done(give(kind, 'succeedTransaction', reported))).toEqual(await find(kind));
  // Its own currency may be named.
  expect((await done(give(kind, 'succeedTransaction', report('charge', 1, { currency: 'EUR' })))).sums).toEqual({
    charged: 4_100,
  });
});

test('a command with a transaction of another currency is refused', async () => {
  const { give, find } = await world();
  const other = { transaction: { currency: 'USD' } };
  const before = [await find('payments'), await find('deposits')];
  expect(await codeOf(give('payments', 'succeed', other))).toBe('invalid_input');
  expect(await codeOf(give('deposits', 'succeedDeposit', other))).toBe('invalid_input');
  expect([await find('payments'), await find('deposits')]).toEqual(before);
  await done(give('payments', 'succeed', { transaction: { currency: 'EUR' } }));
  expect(await codeOf(give('payments', 'refund', other))).toBe('invalid_input');
});

const changes = {
  name: 'Other',
  description: 'Other',
  recipient: { email: 'other@example.com' },
  reference: 'other',
  metadata: { other: 'x' },
  returnUrl: null,
  cancelUrl: null,
  sendAt: null,
  dueDate: '2027-03-31',
};
/** Every field that a partner can change, with another value. */
const table: Readonly<Record<Kind, Readonly<Record<string, object>>>> = {
  payments: {
    ...Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, { [name]: value }])),
    amount: { amount: 70 },
    currency: { amount: 100, currency: 'JPY' },
  },
  deposits: {
    ...Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, { [name]: value }])),
    stay: { stay: { from: '2027-03-01', to: '2027-03-02' } },
    depositAmount: { depositAmount: 70 },
    currency: { depositAmount: 100, currency: 'JPY' },
  },
};

test.each([
  ['payments', Object.keys(shapeOf(paymentKind.fields, 'changed'))] as const,
  ['deposits', Object.keys(shapeOf(depositKind.fields, 'changed'))] as const,
])('no field of %s that a partner changes between two reports changes what they mean', async (kind, fields) => {
  expect(Object.keys(table[kind]).sort()).toEqual(fields.toSorted());
  for (const [field, change] of Object.entries(table[kind])) {
    const { give, find } = await world();
    await done(give(kind, 'succeedTransaction', report('charge', 70)));
    const changed = await give(kind, 'change', change);
    expect([field, changed.isOk()]).toEqual([field, field !== 'currency']);
    await done(give(kind, 'succeedTransaction', report('charge', 0.01)));
    const { sums, currency, transactions } = await find(kind);
    expect([field, sums, currency, transactions?.map((each) => [each.amount, each.currency, each.breaks])]).toEqual([
      field,
      { charged: 7_001 },
      'EUR',
      [
        [7_000, 'EUR', undefined],
        [
          1,
          'EUR',
          field === 'amount' ? ['paid_as_asked'] : field === 'depositAmount' ? ['secured_as_deposited'] : undefined,
        ],
      ],
    ]);
  }
});

test('a payment whose whole amount the bank took back is not refunded, and one cent less is', async () => {
  const full = await world();
  await done(full.give('payments', 'succeed', { transaction: {} }));
  await done(full.give('payments', 'succeedTransaction', report('chargeback', 100)));
  expect(await codeOf(full.give('payments', 'refund'))).toBe('already_done');
  expect((await full.find('payments')).status).toBe('payed');
  const part = await world();
  await done(part.give('payments', 'succeed', { transaction: {} }));
  await done(part.give('payments', 'succeedTransaction', report('chargeback', 99.99)));
  expect(await done(part.give('payments', 'refund', { transaction: {} }))).toMatchObject({
    ...{ status: 'refunded', refundedAmount: 1 },
  });
});

test('one cent that is left keeps a payment payed; a reported full refund lets the command end it', async () => {
  const { give } = await world();
  await done(give('payments', 'succeed'));
  expect((await done(give('payments', 'refund', { amount: 99.99 }))).status).toBe('payed');
  expect((await done(give('payments', 'refund', { amount: 0.01 }))).status).toBe('refunded');
  const reported = await world();
  await done(reported.give('payments', 'succeed', { transaction: {} }));
  await done(reported.give('payments', 'succeedTransaction', report('refund', 100)));
  expect((await done(reported.give('payments', 'refund'))).status).toBe('refunded');
});

test('a fee of 0 is a fee', async () => {
  const { give } = await world();
  expect((await done(give('payments', 'succeed', { transaction: { fee: 0 } }))).transactions?.at(-1)?.fee).toBe(0);
});

test('a deposit shrinks to exactly what its cash-outs take, and no further', async () => {
  const { give, find, requests } = await world(300);
  await done(give('deposits', 'succeedDeposit'));
  const { id: depositId } = await find('deposits');
  await done(requests.cashOuts.create(own.id, { depositId, amount: 100 }, alone));
  const shrink = (depositAmount: number) =>
    give('deposits', 'extend', { depositAmount, ...report('release', 300 - depositAmount) });
  expect(await codeOf(shrink(99.99))).toBe('exceeds_deposit');
  expect((await done(shrink(100))).amount).toBe(10_000);
});

test('a transaction of the deposit is no repetition of one of its cash-out: the second is flagged', async () => {
  const { give, find, requests } = await world(300);
  await done(give('deposits', 'succeedDeposit', { transaction: {} }));
  const { id: depositId } = await find('deposits');
  const cashOut = async () => {
    const { id, version } = await done(requests.cashOuts.create(own.id, { depositId, amount: 50 }, alone));
    await done(requests.cashOuts.perform(own.id, id, 'accept', { ...alone, ifVersion: version }));
    return (processorReference: string) =>
      requests.cashOuts.perform(own.id, id, 'complete', { input: { transaction: { processorReference } }, ...alone });
  };
  const [complete, another] = [await cashOut(), await cashOut()];
  const capture = (processorReference: string) =>
    give('deposits', 'succeedTransaction', report('capture', 50, { processorReference }));
  await done(capture('c_deposit'));
  await done(complete('c_deposit'));
  await done(another('c_cash_out'));
  await done(capture('c_cash_out'));
  const { sums, transactions = [] } = await find('deposits');
  expect(sums).toMatchObject({ captured: 20_000 });
  const again = ['reference_twice'];
  expect(transactions.map(({ breaks }) => breaks)).toEqual([undefined, undefined, again, undefined, again]);
});

test('the event of a cash-out does not repeat an earlier reason of its deposit, nor does the deposit keep it', async () => {
  const { give, find, requests, events } = await world(300);
  await done(give('deposits', 'succeedDeposit'));
  await done(give('deposits', 'setTerm', { claimUntil: null, reason: { code: 'earlier' } }));
  expect((await find('deposits')).reason).toEqual({ code: 'earlier' });
  const { id: depositId } = await find('deposits');
  await done(requests.cashOuts.create(own.id, { depositId, amount: 50 }, alone));
  expect((await events()).at(-1)?.data).not.toHaveProperty('reason');
  expect(await find('deposits')).not.toHaveProperty('reason');
});
