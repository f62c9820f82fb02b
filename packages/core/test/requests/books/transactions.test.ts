import { expect, test } from 'vitest';
import { day, second } from '../../../src/base/runtime/time.ts';
import { alone, codeOf, done, own, recipient, requestWorld, stranger } from '../world.ts';

const stay = { name: 'Car', currency: 'EUR', recipient };
const world = async () => {
  const given: object[] = [];
  const made = requestWorld(undefined, {
    onCommand: ({ command, transaction }) => void (transaction && given.push({ command, transaction })),
  });
  const { payments, deposits, cashOuts } = made.requests;
  const payment = await done(payments.create(own.id, { ...stay, amount: 100 }, alone));
  const deposit = await done(deposits.create(own.id, { ...stay, depositAmount: 300 }, alone));
  return {
    ...made,
    given,
    pay: (command: 'succeed' | 'refund' | `${'succeed' | 'fail' | 'cancel' | 'return'}Transaction`, input = {}) =>
      payments.perform(own.id, payment.id, command, { input: input as never, ...alone }),
    hold: (command: 'succeedDeposit' | `${'succeed' | 'return'}Transaction` | 'finish' | 'fail', input = {}) =>
      deposits.perform(own.id, deposit.id, command, { input: input as never, ...alone }),
    deposit: () => done(deposits.find(own.id, deposit.id)),
    payment: () => done(payments.find(own.id, payment.id)),
    /** An accepted cash-out, and commands on it. */
    cashOut: async (amount: number) => {
      const { id, version } = await done(cashOuts.create(own.id, { depositId: deposit.id, amount }, alone));
      await done(cashOuts.perform(own.id, id, 'accept', { ...alone, ifVersion: version }));
      return (command: 'complete' | 'collect' | 'refund' | 'markIrrecoverable', input = {}) =>
        cashOuts.perform(own.id, id, command, { input: input as never, ...alone });
    },
  };
};

test('a transaction is in the record, the event and the call of onCommand, with all that was given', async () => {
  const { pay, given, events, clock } = await world();
  const transaction = {
    method: 'card',
    outcome: { code: 'approved', text: 'Approved by the bank.' },
    fee: 1.45,
    settledAt: Math.floor(clock.now() / second) - 60,
    processorReference: 'ch_1',
    metadata: { terminal: '7' },
  };
  const paid = await done(pay('succeed', { transaction }));
  expect(paid).toMatchObject({ status: 'payed', sums: { charged: 10_000 }, transactionCount: 1 });
  const [stored] = paid.transactions ?? [];
  const settledAt = transaction.settledAt * second;
  expect(stored).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    kind: 'charge',
    status: 'succeeded',
    amount: 10_000,
    currency: 'EUR',
    method: 'card',
    outcomeCode: 'approved',
    fee: 145,
    settledAt,
    processorReference: 'ch_1',
  });
  const { outcomeCode: _code, ...common } = stored ?? expect.unreachable('no transaction');
  const whole = { ...common, outcome: transaction.outcome, metadata: { terminal: '7' } };
  expect(given).toEqual([{ command: 'succeed', transaction: whole }]);
  const { data } = (await events()).at(-1) ?? expect.unreachable('no event');
  expect(data['transaction']).toEqual({ ...whole, amount: 100, fee: 1.45, settledAt: transaction.settledAt });
  expect([data['sums'], data['transactionCount']]).toEqual([{ charged: 100 }, 1]);
});

test('without a transaction nothing of money is shown or stored', async () => {
  const { pay, hold, cashOut, events } = await world();
  await done(pay('failTransaction'));
  await done(pay('succeed'));
  await done(pay('refund', { amount: 40 }));
  await done(hold('succeedTransaction'));
  await done(hold('succeedDeposit'));
  const complete = await cashOut(50);
  expect(Object.keys(await done(complete('complete')))).not.toContain('collectedAmount');
  for (const { data } of await events()) {
    const names = Object.keys(data);
    for (const name of ['sums', 'transactions', 'transactionCount', 'transaction']) expect(names).not.toContain(name);
  }
});

test('a report names its reason where the type of its event says nothing', async () => {
  const { pay, events } = await world();
  const transaction = { kind: 'authorisation', amount: 100 };
  expect((await done(pay('succeedTransaction', { transaction }))).reason).toEqual({ code: 'transaction_succeeded' });
  expect((await done(pay('cancelTransaction'))).reason).toEqual({ code: 'transaction_cancelled' });
  expect((await done(pay('failTransaction'))).reason).toBeUndefined();
  expect((await events()).filter(({ objectName }) => objectName === 'RequestPayment').map(({ type }) => type)).toEqual([
    'creation',
    'update',
    'update',
    'transaction_failed',
  ]);
});

test('a command that would break a law is refused and stores nothing; a report of the same is stored and flagged', async () => {
  const { pay, payment } = await world();
  await done(pay('succeed', { transaction: {} }));
  await done(pay('refund', { amount: 70, transaction: {} }));
  const before = await payment();
  expect(await codeOf(pay('refund', { amount: 30.01, transaction: {} }))).toBe('exceeds_payment');
  expect(await payment()).toEqual(before);
  const reported = await done(pay('succeedTransaction', { transaction: { kind: 'chargeback', amount: 100 } }));
  expect(reported.transactions?.at(-1)).toMatchObject({ kind: 'chargeback', breaks: ['refunded_within_charged'] });
  expect(reported.sums).toEqual({ charged: 10_000, refunded: 7_000, chargedBack: 10_000 });
  expect(await codeOf(pay('refund', { amount: 0.01 }))).toBe('exceeds_payment');
});

test('reports are stored in final states, and change no state', async () => {
  const { pay, hold } = await world();
  await done(pay('succeed', { transaction: {} }));
  await done(pay('refund'));
  const late = { transaction: { kind: 'chargeback', amount: 5 } };
  expect(await done(pay('succeedTransaction', late))).toMatchObject({ status: 'refunded', transactionCount: 2 });
  await done(hold('fail'));
  const back = { transaction: { kind: 'release', amount: 300 } };
  expect(await done(hold('succeedTransaction', back))).toMatchObject({ status: 'error', transactionCount: 1 });
});

test('without an amount, a command moves what those before it have left', async () => {
  const { hold, cashOut, deposit } = await world();
  await done(hold('succeedTransaction', { transaction: { kind: 'charge', amount: 100 } }));
  // Of 300.
  expect((await done(hold('succeedDeposit', { transaction: {} }))) as object).toMatchObject({
    sums: { charged: 10_000, authorised: 20_000, secured: 20_000 },
  });
  const on = await cashOut(120);
  await done(on('complete', { amount: 70 }));
  expect(await done(on('collect', { transaction: {} }))).toMatchObject({ collectedAmount: 12_000 });
  await done(on('refund', { amount: 20, transaction: {} }));
  expect(await done(on('refund', { transaction: {} }))).toMatchObject({ refundedAmount: 12_000 });
  expect((await deposit()).transactions?.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['charge', 10_000],
    ['authorisation', 20_000],
    ['capture', 5_000],
    ['refund', 2_000],
    ['refund', 10_000],
  ]);
});

test('a payment that was refunded beside the platform has less to refund', async () => {
  const { pay } = await world();
  await done(pay('succeed'));
  const beside = { transaction: { kind: 'refund', amount: 30, processorReference: 're_1' } };
  expect(await done(pay('succeedTransaction', beside))).toMatchObject({ status: 'payed', refundedAmount: 3_000 });
  expect(await codeOf(pay('refund', { amount: 70.01 }))).toBe('exceeds_payment');
  expect(await done(pay('refund'))).toMatchObject({ status: 'refunded', refundedAmount: 10_000 });
});

test('a capture needs an authorisation, and takes no more than it', async () => {
  const { pay } = await world();
  expect(await codeOf(pay('succeed', { transaction: { kind: 'capture' } }))).toBe('exceeds_secured');
  await done(pay('succeedTransaction', { transaction: { kind: 'authorisation', amount: 80 } }));
  expect(await codeOf(pay('succeed', { transaction: { kind: 'capture' } }))).toBe('exceeds_secured');
  const paid = await done(pay('succeed', { transaction: { kind: 'capture', amount: 80 } }));
  expect(paid.sums).toEqual({ authorised: 8_000, secured: 8_000, captured: 8_000 });
  expect(await done(pay('refund'))).toMatchObject({ status: 'refunded', refundedAmount: 8_000 });
});

test('a payment that was reported before it succeeds is not charged twice', async () => {
  const { pay } = await world();
  await done(pay('succeedTransaction', { transaction: { kind: 'charge', amount: 100 } }));
  expect((await done(pay('succeed'))).sums).toEqual({ charged: 10_000 });
});

test('a cash-out collects a part, then more, and gives a part back; its deposit has the same sums', async () => {
  const { hold, cashOut, deposit } = await world();
  await done(hold('succeedDeposit', { transaction: { processorReference: 'auth_1' } }));
  const on = await cashOut(120);
  const capture = (amount: number) => ({ amount, transaction: { processorReference: `cap_${amount}` } });
  expect(await codeOf(on('complete', { amount: 120.01 }))).toBe('exceeds_cash_out');
  expect(await done(on('complete', capture(50)))).toMatchObject({ status: 'done', collectedAmount: 5_000 });
  expect(await codeOf(on('collect', capture(70.01)))).toBe('exceeds_cash_out');
  expect(await done(on('collect', capture(30)))).toMatchObject({
    collectedAmount: 8_000,
    reason: { code: 'collected' },
  });
  const document = 'court order 12/2027';
  expect((await done(on('markIrrecoverable', { document }))).irrecoverable).toMatchObject({ amount: 4_000, document });
  expect(await codeOf(on('refund', { amount: 80.01, transaction: {} }))).toBe('exceeds_collected');
  const refunded = await done(on('refund', { amount: 20, transaction: { processorReference: 're_1' } }));
  expect(refunded).toMatchObject({ status: 'done', collectedAmount: 8_000, refundedAmount: 2_000 });
  const { sums, cashOuts, transactions = [] } = await deposit();
  expect(sums).toEqual({ authorised: 30_000, secured: 30_000, captured: 8_000, refunded: 2_000 });
  expect(cashOuts[0]).toMatchObject({ amount: 12_000, collectedAmount: 8_000, refundedAmount: 2_000 });
  expect(transactions.map(({ kind, cashOutId }) => [kind, cashOutId])).toEqual([
    ['authorisation', undefined],
    ['capture', cashOuts[0]?.id],
    ['capture', cashOuts[0]?.id],
    ['refund', cashOuts[0]?.id],
  ]);
});

test('captures of all cash-outs are no more than what the deposit secured', async () => {
  const { hold, cashOut } = await world();
  await done(hold('succeedDeposit', { transaction: { amount: 100 } }));
  const [first, second_] = [await cashOut(80), await cashOut(80)];
  await done(first('complete', { transaction: {} }));
  expect(await codeOf(second_('complete', { transaction: {} }))).toBe('exceeds_secured');
  const charged = { transaction: { kind: 'charge' } };
  expect(await done(second_('complete', charged))).toMatchObject({ status: 'done', collectedAmount: 8_000 });
});

test('a completed cash-out can be refunded after its deposit has ended', async () => {
  const { hold, cashOut, deposit } = await world();
  await done(hold('succeedDeposit'));
  const on = await cashOut(120);
  await done(on('complete'));
  expect(await codeOf(on('collect', { amount: 1 }))).toBe('exceeds_cash_out');
  expect(await codeOf(on('collect'))).toBe('already_done');
  expect(await codeOf(on('markIrrecoverable', { document: 'none' }))).toBe('already_done');
  await done(hold('finish'));
  // The deposit had no transactions: what was collected before counts as captured.
  expect(await done(on('refund', { transaction: {} }))).toMatchObject({ refundedAmount: 12_000 });
  expect(await codeOf(on('refund'))).toBe('already_done');
  const { status, sums } = await deposit();
  expect([status, sums]).toEqual([
    'finished',
    { authorised: 30_000, secured: 30_000, captured: 12_000, refunded: 12_000 },
  ]);
});

test('a record keeps its latest 20 transactions and counts all', async () => {
  const { pay } = await world();
  for (let count = 1; count <= 25; count++)
    await done(pay('failTransaction', { transaction: { kind: 'charge', amount: count } }));
  const { transactions = [], transactionCount, sums } = await done(pay('succeed', { transaction: {} }));
  expect(transactions.map(({ amount }) => amount / 100)).toEqual([
    ...Array.from({ length: 19 }, (_, index) => index + 7),
    100,
  ]);
  expect([transactionCount, sums]).toEqual([26, { charged: 10_000 }]);
});

test.each<readonly [what: string, input: object, pointer: string]>([
  ['a time of milliseconds', { transaction: { settledAt: 1_798_761_600_000 } }, '/transaction/settledAt'],
  ['an amount finer than the currency', { transaction: { amount: 1.001 } }, '/transaction/amount'],
  ['a fee finer than the currency', { transaction: { fee: 0.001 } }, '/transaction/fee'],
  ['another amount than the transaction', { amount: 5, transaction: { amount: 6 } }, '/transaction/amount'],
  ['a kind of another command', { transaction: { kind: 'charge' } }, '/transaction/kind'],
  [
    'metadata of more than 4 KiB',
    { transaction: { metadata: Object.fromEntries(Array.from({ length: 9 }, (_, key) => [key, 'x'.repeat(460)])) } },
    '/transaction/metadata',
  ],
])('%s is refused with its place, and nothing is stored', async (_what, input, pointer) => {
  const { pay, payment } = await world();
  const before = await done(pay('succeed'));
  const refused = (await pay('refund', input))._unsafeUnwrapErr();
  expect(refused).toMatchObject({ code: 'invalid_input', errors: [{ pointer }] });
  expect(await payment()).toEqual(before);
});

test('a transaction may settle a day ahead, and no second later', async () => {
  const { pay, clock } = await world();
  const ahead = Math.floor((clock.now() + day) / second);
  const charge = (settledAt: number) => ({ transaction: { kind: 'charge', amount: 1, settledAt } });
  await done(pay('succeedTransaction', charge(ahead)));
  expect(await codeOf(pay('succeedTransaction', charge(ahead + 1)))).toBe('invalid_input');
});

test('a report that comes twice is answered like the first', async () => {
  const { pay, payment, events, given } = await world();
  const charge = { kind: 'charge', amount: 100, processorReference: 'ch_1' };
  const first = await done(pay('succeed', { transaction: charge }));
  const before = [await payment(), (await events()).length, given.length];
  expect(await done(pay('succeed', { transaction: charge }))).toEqual(first);
  expect(await done(pay('succeed', { transaction: { processorReference: 'ch_1' } }))).toEqual(first);
  expect(await done(pay('succeedTransaction', { transaction: charge }))).toEqual(first);
  // The command named no time, so that of the report is not compared.
  expect(await done(pay('succeedTransaction', { transaction: { ...charge, settledAt: 1_700_000_000 } }))).toEqual(
    first,
  );
  expect([await payment(), (await events()).length, given.length]).toEqual(before);
  // Another kind is another movement.
  await done(pay('refund', { transaction: { processorReference: 'ch_1' } }));
});

test('a payment that is declined twice and then paid under one reference is paid', async () => {
  const { pay, requests } = await world();
  const attempt = (settledAt: number) => ({ kind: 'charge', amount: 100, processorReference: 'pi_1', settledAt });
  await done(pay('failTransaction', { transaction: attempt(1_700_000_000) }));
  await done(pay('failTransaction', { transaction: attempt(1_700_000_060) }));
  await done(pay('failTransaction', { transaction: attempt(1_700_000_060) }));
  const paid = await done(pay('succeed', { transaction: attempt(1_700_000_120) }));
  expect(paid).toMatchObject({ status: 'payed', sums: { charged: 10_000 }, transactionCount: 3 });
  // The second decline is reported again, days late.
  await done(pay('failTransaction', { transaction: attempt(1_700_000_060) }));
  const { items } = await done(requests.transactions.list(own.id));
  expect(items.map(({ status, number, isTimed, breaks }) => [status, number, isTimed, breaks])).toEqual([
    ['failed', 1, true, undefined],
    ['failed', 2, true, undefined],
    ['succeeded', 3, true, undefined],
  ]);
});

test('a second success under one reference is stored and flagged, equal ones at different moments too', async () => {
  const { pay, payment } = await world();
  const capture = { kind: 'capture', amount: 40, processorReference: 'pi_1', settledAt: 1_700_000_000 };
  await done(pay('succeedTransaction', { transaction: { kind: 'authorisation', amount: 100 } }));
  await done(pay('succeedTransaction', { transaction: capture }));
  await done(pay('succeedTransaction', { transaction: { ...capture, settledAt: 1_700_000_001 } }));
  await done(pay('succeedTransaction', { transaction: { ...capture, amount: 20 } }));
  const { sums, transactions = [] } = await payment();
  expect(sums).toEqual({ authorised: 10_000, secured: 10_000, captured: 10_000 });
  expect(transactions.map(({ breaks }) => breaks)).toEqual([
    undefined,
    undefined,
    ['reference_twice'],
    ['reference_twice'],
  ]);
});

test('a reference that another object has is stored and flagged, and one of another account is not', async () => {
  const { pay, requests, hold, cashOut, deposit } = await world();
  const transaction = { kind: 'charge', amount: 100, processorReference: 'ch_1' };
  await done(pay('succeedTransaction', { transaction }));
  await done(hold('succeedDeposit', { transaction: {} }));
  const on = await cashOut(100);
  await done(on('complete', { transaction }));
  expect((await deposit()).transactions?.map(({ breaks }) => breaks)).toEqual([undefined, ['reference_twice']]);
  const foreign = await done(requests.payments.create(stranger.id, { ...stay, amount: 100 }, alone));
  const input = { transaction: transaction as never };
  const reported = requests.payments.perform(stranger.id, foreign.id, 'succeedTransaction', { input, ...alone });
  expect((await done(reported)).transactions?.[0]?.breaks).toBeUndefined();
});

test('a debit that comes back reopens its payment, which can be paid again', async () => {
  const { pay, payment, requests, events } = await world();
  const paid = { transaction: { method: 'sepa_debit', processorReference: 'PM1', settledAt: 1_700_000_000 } };
  await done(pay('succeed', paid));
  const back = { amount: 100, processorReference: 'PM1', outcome: { code: 'AM04', text: 'Insufficient funds.' } };
  const returned = await done(pay('returnTransaction', { transaction: back }));
  expect(returned).toMatchObject({
    ...{ status: 'pending', reason: { code: 'transaction_returned' } },
    sums: { charged: 10_000, returned: 10_000 },
  });
  expect((await events()).at(-1)).toMatchObject({
    type: 'transaction_failed',
    data: { status: 'pending', sums: { charged: 100, returned: 100 }, transaction: { kind: 'return', amount: 100 } },
  });
  // The same report again, and then a new attempt.
  expect(await done(pay('returnTransaction', { transaction: back }))).toEqual(returned);
  const again = await done(pay('succeed', { transaction: { processorReference: 'PM2' } }));
  expect(again).toMatchObject({ status: 'payed', sums: { charged: 20_000, returned: 10_000 } });
  expect((await payment()).transactions?.map(({ breaks }) => breaks)).toEqual([undefined, undefined, undefined]);
  const history = await done(requests.payments.history(own.id, again.id));
  expect(history.items.map(({ command, status }) => [command, status])).toEqual([
    ['create', 'pending'],
    ['succeed', 'payed'],
    ['returnTransaction', 'pending'],
    ['succeed', 'payed'],
  ]);
  expect((await done(requests.transactions.sums(own.id))).map(({ kind, amount }) => [kind, amount])).toEqual([
    ['charge', 20_000],
    ['return', 10_000],
  ]);
});

test.each<readonly [what: string, given: readonly (readonly [string, object])[], status: string]>([
  ['a part that comes back reopens it', [['returnTransaction', { transaction: { amount: 0.01 } }]], 'pending'],
  [
    'what was paid too much may come back',
    [
      ['succeedTransaction', { transaction: { kind: 'charge', amount: 50 } }],
      ['returnTransaction', { transaction: { amount: 50 } }],
    ],
    'payed',
  ],
  [
    'what was refunded before stays refunded, and breaks a law',
    [
      ['refund', {}],
      ['returnTransaction', { transaction: { amount: 100 } }],
    ],
    'refunded',
  ],
])('of a payment without transactions, %s', async (_what, given, status) => {
  const { pay, payment } = await world();
  await done(pay('succeed'));
  for (const [command, input] of given) await done(pay(command as 'refund', input));
  expect((await payment()).status).toBe(status);
});

test('a debit that comes back reduces what is deposited, in every state', async () => {
  const { hold, deposit } = await world();
  await done(hold('succeedTransaction', { transaction: { kind: 'charge', amount: 300 } }));
  await done(hold('returnTransaction', { transaction: { amount: 300 } }));
  const paid = await done(hold('succeedDeposit', { transaction: { kind: 'charge' } }));
  expect(paid.sums).toEqual({ charged: 60_000, returned: 30_000 });
  await done(hold('finish'));
  await done(hold('returnTransaction', { transaction: { amount: 300 } }));
  expect(await deposit()).toMatchObject({ status: 'finished', sums: { charged: 60_000, returned: 60_000 } });
  await done(hold('returnTransaction', { transaction: { amount: 1 } }));
  expect((await deposit()).transactions?.at(-1)?.breaks).toEqual(['refunded_within_charged']);
});

test('a cash-out that is completed twice with one transaction is collected once', async () => {
  const { hold, cashOut, deposit } = await world();
  await done(hold('succeedDeposit', { transaction: {} }));
  const on = await cashOut(120);
  const input = { amount: 120, transaction: { processorReference: 'cap_1' } };
  const first = await done(on('complete', input));
  await done(hold('finish'));
  expect(await done(on('complete', input))).toEqual(first);
  expect((await deposit()).sums).toEqual({ authorised: 30_000, secured: 30_000, captured: 12_000 });
});

test('of reports given at once under one name, one is stored, and the sums are those of one', async () => {
  const { pay, payment, requests } = await world();
  const transaction = { kind: 'charge', amount: 40, processorReference: 'ch_1' };
  const given = await Promise.all(Array.from({ length: 8 }, () => pay('succeedTransaction', { transaction })));
  expect(given.map((each) => each.isOk())).toEqual(Array.from(given, () => true));
  expect(await payment()).toMatchObject({ sums: { charged: 4_000 }, transactionCount: 1 });
  expect((await done(requests.transactions.list(own.id))).items).toHaveLength(1);
});

test("a race that is lost in the host's own transaction leaves no transaction behind", async () => {
  const { stores, requestsOver, storage, requests, payment } = await world();
  const { id } = await payment();
  const lost = requestsOver({ payments: { ...stores.payments, replace: async () => false } });
  const transaction = { kind: 'charge', amount: 5, processorReference: 'late' } as const;
  const report = (tx: object) =>
    lost.payments.perform(own.id, id, 'succeedTransaction', { input: { transaction }, tx });
  await storage.transaction(async (tx) => expect(await codeOf(report(tx))).toBe('changed_meanwhile'));
  expect((await done(requests.transactions.list(own.id))).items).toEqual([]);
});

test('transactions are listed with their objects, and summed up by kind and currency', async () => {
  const { pay, hold, cashOut, requests, clock } = await world();
  const later = (time: number) => clock.set(clock.now() + time);
  await done(pay('succeed', { transaction: { fee: 1.5 } }));
  later(day);
  const today = { settledFrom: clock.now() };
  await done(hold('succeedDeposit', { transaction: {} }));
  const on = await cashOut(120);
  later(second);
  await done(on('complete', { amount: 50, transaction: { fee: 0.25 } }));
  later(second);
  await done(on('collect', { amount: 20, transaction: {} }));
  later(second);
  await done(pay('failTransaction', { transaction: { kind: 'chargeback', amount: 1 } }));
  const { items } = await done(requests.transactions.list(own.id));
  expect(items.map(({ kind, amount, object }) => [kind, amount, object])).toEqual([
    ['charge', 10_000, 'RequestPayment'],
    ['authorisation', 30_000, 'RequestSecurityDeposit'],
    ['capture', 5_000, 'RequestSecurityDeposit'],
    ['capture', 2_000, 'RequestSecurityDeposit'],
    ['chargeback', 100, 'RequestPayment'],
  ]);
  expect(
    (await done(requests.transactions.list(own.id, { ...today, page: { newestFirst: true, limit: 1 } }))).items,
  ).toEqual(items.slice(-1));
  expect(await done(requests.transactions.sums(own.id, today))).toEqual([
    { kind: 'authorisation', currency: 'EUR', count: 1, amount: 30_000, fee: 0 },
    { kind: 'capture', currency: 'EUR', count: 2, amount: 7_000, fee: 25 },
  ]);
  const of = { object: 'RequestPayment', objectId: items[0]?.objectId ?? '' } as const;
  expect((await done(requests.transactions.list(own.id, { of }))).items.map(({ kind }) => kind)).toEqual([
    'charge',
    'chargeback',
  ]);
  expect((await done(requests.transactions.list(stranger.id))).items).toEqual([]);
  expect(await codeOf(requests.transactions.sums('nobody'))).toBe('not_found');
});

test('a reference of the processor finds the movements of its object, and none of another account', async () => {
  const { pay, requests, payment } = await world();
  const { transactions } = requests;
  const named = (kind: 'charge' | 'refund', processorReference: string, settledAt: number) => ({
    transaction: { kind, amount: 10, processorReference, settledAt },
  });
  await done(pay('succeedTransaction', named('refund', 'pi_1', 1_700_000_300)));
  await done(pay('failTransaction', named('charge', 'pi_1', 1_700_000_100)));
  await done(pay('succeedTransaction', named('charge', 'pi_1', 1_700_000_200)));
  const unnamed = { transaction: { kind: 'charge', amount: 1 } };
  const { transactions: latest = [] } = await done(pay('succeedTransaction', unnamed));
  const { id } = await payment();
  const found = await done(transactions.find(own.id, 'pi_1'));
  expect(found.map(({ kind, status, objectId }) => [kind, status, objectId])).toEqual([
    ['charge', 'failed', id],
    ['charge', 'succeeded', id],
    ['refund', 'succeeded', id],
  ]);
  for (const reference of ['pi_2', '', latest.at(-1)?.id ?? expect.unreachable('no transaction')])
    expect(await done(transactions.find(own.id, reference))).toEqual([]);
  expect(await done(transactions.find(stranger.id, 'pi_1'))).toEqual([]);
  expect(await codeOf(transactions.find('nobody', 'pi_1'))).toBe('not_found');
  expect(() => transactions.find(own.id, undefined as never)).toThrow('processorReference is a text');
});
