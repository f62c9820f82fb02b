import { expect, test } from 'vitest';
import { day, second } from '../../../src/base/runtime/time.ts';
import type { Chargeback } from '../../../src/requests/fields/chargeback.ts';
import { viewHistoryEntry } from '../../../src/requests/fields/history.ts';
import { alone, codeOf, done, own, recipient, requestWorld } from '../world.ts';

const stay = { name: 'Car', currency: 'EUR', recipient };
const world = async () => {
  const evidence: object[] = [];
  const made = requestWorld(undefined, {
    onCommand: (given) => void (given.evidence && evidence.push([given.command, given.evidence])),
  });
  const { payments, deposits, cashOuts } = made.requests;
  const payment = await done(payments.create(own.id, { ...stay, amount: 100 }, alone));
  const deposit = await done(deposits.create(own.id, { ...stay, depositAmount: 300 }, alone));
  await done(deposits.perform(own.id, deposit.id, 'succeedDeposit', { input: { transaction: {} }, ...alone }));
  return {
    ...made,
    evidence,
    pay: (command: string, input: object = {}) =>
      payments.perform(own.id, payment.id, command as 'succeed', { input: input as never, ...alone }),
    hold: (command: string, input: object = {}) =>
      deposits.perform(own.id, deposit.id, command as 'succeedDeposit', { input: input as never, ...alone }),
    report: (command: string, input: object = {}) =>
      deposits.perform(own.id, deposit.id, command as 'fail', { input: input as never, ...alone }),
    history: async () => (await done(payments.history(own.id, payment.id))).items,
    transactions: async () => (await done(made.requests.transactions.list(own.id))).items,
    /** The last event of the payment request. */
    last: async () => (await made.events()).filter(({ data }) => data.id === payment.id).at(-1),
    collected: async (amount: number) => {
      const { id, version } = await done(cashOuts.create(own.id, { depositId: deposit.id, amount }, alone));
      await done(cashOuts.perform(own.id, id, 'accept', { ...alone, ifVersion: version }));
      await done(cashOuts.perform(own.id, id, 'complete', { input: { transaction: {} }, ...alone }));
      return id;
    },
  };
};
/** Cases without the times by which reports are put in order. */
const casesOf = ({ chargebacks = [] }: { readonly chargebacks?: readonly Chargeback[] }) =>
  chargebacks.map(({ saidAt: _saidAt, reportTimes: _times, ...told }) => told);
const dispute = { processorReference: 'dp_1' };
const moved = (kind: string, amount: number, more: object = {}) => ({
  transaction: { kind, amount, ...dispute, ...more },
});

test('a chargeback that is won comes back as its reversal, and is no second charge', async () => {
  const { pay, last } = await world();
  await done(pay('succeed', { transaction: {} }));
  await done(pay('succeedTransaction', moved('chargeback', 100)));
  expect(await codeOf(pay('refund', { transaction: {} }))).toBe('already_done');
  const won = await done(pay('succeedTransaction', moved('chargeback_reversal', 100)));
  expect([won.status, won.sums]).toEqual([
    'payed',
    { charged: 10_000, chargedBack: 10_000, chargebackReversed: 10_000 },
  ]);
  expect(won.transactions?.at(-1)?.breaks).toBeUndefined();
  expect((await last())?.data['sums']).toEqual({ charged: 100, chargedBack: 100, chargebackReversed: 100 });
  // What came back can be refunded.
  const refunded = await done(pay('refund', { transaction: {} }));
  expect([refunded.status, refunded.sums?.refunded]).toEqual(['refunded', 10_000]);
  // More than was charged back is stored, and flagged.
  const more = await done(pay('succeedTransaction', moved('chargeback_reversal', 5, { settledAt: 1 })));
  expect(more.transactions?.at(-1)?.breaks).toEqual(['reversed_within_charged_back', 'reference_twice']);
});

test('a reversal that is told before its chargeback is flagged, and the chargeback is not', async () => {
  const { pay } = await world();
  await done(pay('succeed', { transaction: {} }));
  const early = await done(pay('succeedTransaction', moved('chargeback_reversal', 100)));
  expect(early.transactions?.at(-1)?.breaks).toEqual(['reversed_within_charged_back']);
  const late = await done(pay('succeedTransaction', moved('chargeback', 100)));
  expect(late.transactions?.at(-1)?.breaks).toBeUndefined();
});

test('a report names the cash-out whose money was taken back; its books stay, those of the deposit move', async () => {
  const { report, collected, requests, transactions } = await world();
  const cashOutId = await collected(120);
  const before = await done(requests.cashOuts.find(own.id, cashOutId));
  const given = moved('chargeback', 120, { cashOutId });
  const back = await done(report('succeedTransaction', given));
  expect(back.transactions?.at(-1)).toMatchObject({ kind: 'chargeback', cashOutId });
  expect(back.sums).toEqual({ authorised: 30_000, secured: 30_000, captured: 12_000, chargedBack: 12_000 });
  expect(await done(requests.cashOuts.find(own.id, cashOutId))).toEqual(before);
  // The same report again stores nothing.
  expect((await done(report('succeedTransaction', given))).version).toBe(back.version);
  await done(report('returnTransaction', { transaction: { amount: 1, cashOutId } }));
  const named = (await transactions()).filter((each) => each.cashOutId === cashOutId);
  expect(named.map(({ kind }) => kind).toSorted()).toEqual(['capture', 'chargeback', 'return']);
  const pointer = async (input: object) => {
    const refused = await report('succeedTransaction', input);
    return refused.isErr() && refused.error.code === 'invalid_input' ? refused.error.errors[0]?.pointer : 'accepted';
  };
  expect(await pointer(moved('chargeback', 1, { cashOutId: 'another' }))).toBe('/transaction/cashOutId');
  // A cash-out has commands of its own for these.
  for (const kind of ['capture', 'refund', 'charge', 'release', 'authorisation'])
    expect([kind, await pointer(moved(kind, 1, { cashOutId }))]).toEqual([kind, '/transaction/cashOutId']);
});

test('what comes after a chargeback is in rows of its own: its transaction stays, the history has each report', async () => {
  const { pay, clock, history, transactions, last } = await world();
  await done(pay('succeed', { transaction: {} }));
  // An inquiry comes before any money is taken.
  await done(pay('updateChargeback', { chargeback: { ...dispute, stage: 'inquiry' } }));
  await done(pay('succeedTransaction', moved('chargeback', 100)));
  const stored = await transactions();
  const respondBy = Math.floor((clock.now() + 7 * day) / second);
  const reason = { code: 'fraudulent', text: 'The holder of the card knows nothing of it.' };
  const asked = { chargeback: { ...dispute, stage: 'chargeback', reason, respondBy } };
  const told = await done(pay('updateChargeback', asked));
  expect(told.reason).toEqual({ code: 'chargeback_updated' });
  expect(casesOf(told)).toEqual([{ ...dispute, stage: 'chargeback', reason, respondBy: respondBy * second }]);
  const event = await last();
  expect([event?.type, event?.data['chargebacks']]).toEqual(['update', [asked.chargeback]]);
  // The same report again changes nothing; a field that is absent stays.
  expect((await done(pay('updateChargeback', asked))).version).toBe(told.version);
  const later = await done(pay('updateChargeback', { chargeback: { ...dispute, stage: 'arbitration' } }));
  expect(casesOf(later)).toEqual([{ ...dispute, stage: 'arbitration', reason, respondBy: respondBy * second }]);
  const over = await done(pay('updateChargeback', { chargeback: { ...dispute, respondBy: null } }));
  expect(casesOf(over)).toEqual([{ ...dispute, stage: 'arbitration', reason }]);
  expect(await transactions()).toEqual(stored);
  expect((await history()).map(viewHistoryEntry).flatMap(({ chargeback }) => chargeback ?? [])).toEqual([
    { ...dispute, stage: 'inquiry' },
    asked.chargeback,
    { ...dispute, stage: 'arbitration' },
    { ...dispute, respondBy: null },
  ]);
  for (const wrong of [
    {},
    dispute,
    { ...dispute, stage: 'Not so' },
    { stage: 'inquiry' },
    { ...dispute, cashOutId: 'x' },
  ])
    expect(await codeOf(pay('updateChargeback', { chargeback: wrong }))).toBe('invalid_input');
});

test('a partner sees that evidence is asked for, and gives it by reference', async () => {
  const { pay, clock, history, evidence, last } = await world();
  const files = [{ id: 'f_1', kind: 'invoice' }];
  const given = { ...dispute, evidence: files };
  expect(await codeOf(pay('giveEvidence', given))).toBe('invalid_input');
  const respondBy = Math.floor(clock.now() / second) + 60;
  await done(pay('updateChargeback', { chargeback: { ...dispute, respondBy } }));
  clock.set(clock.now() + second);
  const after = await done(pay('giveEvidence', given));
  expect(casesOf(after)).toEqual([{ ...dispute, respondBy: respondBy * second, evidenceAt: clock.now() }]);
  expect(after.reason).toEqual({ code: 'evidence_given' });
  expect((await last())?.data['chargebacks']).toEqual([
    { ...dispute, respondBy, evidenceAt: Math.floor(clock.now() / second) },
  ]);
  expect((await history()).at(-1)?.evidence).toEqual(files);
  expect(evidence).toEqual([['giveEvidence', files]]);
  expect(await codeOf(pay('giveEvidence', { ...dispute, evidence: [] }))).toBe('invalid_input');
  expect(await codeOf(pay('giveEvidence', { processorReference: 'dp_2', evidence: files }))).toBe('invalid_input');
});

test('a case of a deposit names its cash-out; a record keeps the five that were told last', async () => {
  const { report, collected } = await world();
  const cashOutId = await collected(20);
  const tell = (nth: number, more: object = {}) =>
    report('updateChargeback', { chargeback: { processorReference: `dp_${nth}`, stage: 'chargeback', ...more } });
  for (let nth = 1; nth <= 6; nth++) await done(tell(nth));
  const told = await done(tell(3, { cashOutId }));
  expect(told.chargebacks?.map(({ processorReference, cashOutId: of }) => [processorReference, of])).toEqual([
    ['dp_2', undefined],
    ['dp_4', undefined],
    ['dp_5', undefined],
    ['dp_6', undefined],
    ['dp_3', cashOutId],
  ]);
  expect(await codeOf(tell(4, { cashOutId: 'another' }))).toBe('invalid_input');
});

test('messages about a chargeback make one case in whatever order they come, and the same one again stores nothing', async () => {
  const said = [
    { stage: 'inquiry', reason: { code: 'not_received' }, reportedAt: 1_000, respondBy: 5_000 },
    { stage: 'chargeback', reportedAt: 2_000, respondBy: 6_000 },
    { stage: 'arbitration', reason: { code: 'fraudulent' }, reportedAt: 3_000 },
    { stage: 'won', reportedAt: 4_000, respondBy: null },
  ];
  const orders = said.flatMap((first) => {
    const others = said.filter((each) => each !== first);
    return [
      [first, ...others],
      [first, ...others.toReversed()],
    ];
  });
  for (const order of orders) {
    const { pay, history } = await world();
    for (const told of [...order, ...order])
      await done(pay('updateChargeback', { chargeback: { ...dispute, ...told } }));
    const stored = await done(pay('updateChargeback', { chargeback: { ...dispute, ...order[0] } }));
    expect(casesOf(stored)).toEqual([{ ...dispute, stage: 'won', reason: { code: 'fraudulent' } }]);
    // The history has each report once, as it came.
    expect((await history()).map(viewHistoryEntry).flatMap(({ chargeback }) => chargeback ?? [])).toEqual(
      order.map((told) => ({ ...dispute, ...told })),
    );
  }
  const { pay, clock } = await world();
  const tomorrow = Math.floor((clock.now() + day) / second) + 1;
  const early = { chargeback: { ...dispute, stage: 'won', reportedAt: tomorrow } };
  expect(await codeOf(pay('updateChargeback', early))).toBe('invalid_input');
});
