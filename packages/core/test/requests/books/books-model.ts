import fc from 'fast-check';
import { expect } from 'vitest';
import type { TransactionSums } from '../../../src/requests/books/laws.ts';
import type { StoredTransaction } from '../../../src/requests/books/transaction-store.ts';
import type { CommandRefusal } from '../../../src/requests/refusal.ts';
import type { Unavailable } from '../../../src/runtime/call-port.ts';
import { alone, done, own, recipient, type World } from '../world.ts';

interface Refused {
  readonly code: (CommandRefusal | Unavailable)['code'];
}

/** What each kind of transaction adds to. */
const moves: Readonly<Record<string, readonly string[]>> = {
  authorisation: ['authorised', 'secured'],
  capture: ['captured'],
  charge: ['charged'],
  release: ['released'],
  refund: ['refunded'],
  chargeback: ['chargedBack'],
};

/** The sums of transactions, added up by hand; amounts in cents. */
const add = (
  transactions: Iterable<{ readonly kind: string; readonly status: string; readonly cents: number }>,
): TransactionSums => {
  const sums: Record<string, number> = {};
  for (const { kind, status, cents } of transactions)
    if (status === 'succeeded') for (const name of moves[kind] ?? []) sums[name] = (sums[name] ?? 0) + cents;
  return sums;
};

/** The laws that sums break, written out. */
const brokenIn = (sums: TransactionSums): readonly string[] => {
  const { authorised = 0, secured = 0, captured = 0, charged = 0, released = 0, refunded = 0, chargedBack = 0 } = sums;
  return [
    ...(secured > authorised ? ['secured_within_authorised'] : []),
    ...(captured + released > secured ? ['taken_within_secured'] : []),
    ...(refunded + chargedBack > charged + captured ? ['returned_within_charged'] : []),
  ];
};

const kind = fc.constantFrom('authorisation', 'capture', 'charge', 'release', 'refund', 'chargeback');
const cents = fc.integer({ min: 1, max: 4_000 });
/** Few names, so that some come twice. */
const processorReference = fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { nil: undefined, freq: 2 });
const step = fc.record({
  host: fc.nat({ max: 1 }),
  on: fc.constantFrom('payment', 'deposit', 'cashOut', 'cashOut'),
  command: fc.nat({ max: 5 }),
  kind,
  cents,
  processorReference,
  isReport: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const reports = ['succeedTransaction', 'succeedTransaction', 'failTransaction', 'cancelTransaction'] as const;
const allowed: readonly Refused['code'][] = [
  ...(['changed_meanwhile', 'wrong_state', 'already_done', 'transaction_conflict'] as const),
  ...(['exceeds_payment', 'exceeds_secured', 'exceeds_cash_out', 'exceeds_collected', 'invalid_input'] as const),
];

/** Two hosts over one storage give commands, some at the same moment; whatever they give, the books hold. */
export const assertBooksHold = async (
  open: () => World | Promise<World>,
  { length, ...parameters }: fc.Parameters<unknown> & { readonly length: number },
): Promise<void> => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: length }),
      async (rounds) => {
        const world = await open();
        const hosts = [world.requests, world.requestsOver({})] as const;
        const [host] = hosts;
        const common = { name: 'Car', currency: 'EUR', recipient };
        const payment = await done(host.payments.create(own.id, { ...common, amount: 100 }, alone));
        const deposit = await done(host.deposits.create(own.id, { ...common, depositAmount: 300 }, alone));
        await done(
          host.deposits.perform(own.id, deposit.id, 'succeedDeposit', { input: { transaction: {} }, ...alone }),
        );
        const cashOuts: string[] = [];
        for (const amount of [60, 90]) {
          const { id, version } = await done(host.cashOuts.create(own.id, { depositId: deposit.id, amount }, alone));
          await done(host.cashOuts.perform(own.id, id, 'accept', { ifVersion: version, ...alone }));
          cashOuts.push(id);
        }

        const give = ({ host: index, on, command, kind, cents, processorReference, isReport }: Step) => {
          const { payments, deposits, cashOuts: onCashOuts } = hosts[index as 0 | 1];
          const name = processorReference === undefined ? {} : { processorReference };
          const report = { input: { transaction: { kind: kind as 'charge', amount: cents / 100, ...name } }, ...alone };
          const own_ = { input: { amount: cents / 100, transaction: name }, ...alone };
          const reported = reports[command % reports.length] as 'failTransaction';
          if (on === 'payment')
            return isReport
              ? payments.perform(own.id, payment.id, reported, report)
              : command % 2
                ? payments.perform(own.id, payment.id, 'refund', own_)
                : payments.perform(own.id, payment.id, 'succeed', { input: { transaction: name }, ...alone });
          if (on === 'deposit') return deposits.perform(own.id, deposit.id, reported, report);
          const named = (['complete', 'collect', 'refund'] as const)[command % 3] ?? 'complete';
          return onCashOuts.perform(own.id, cashOuts[cents % 2] as string, named, own_);
        };
        for (const round of rounds) {
          const given = await Promise.all(round.map(give));
          for (const each of given) if (each.isErr()) expect(allowed).toContain(each.error.code);
        }

        const { items } = await done(host.transactions.list(own.id, { page: { limit: 100 } }));
        const events = await world.events();
        const records = [
          await done(host.payments.find(own.id, payment.id)),
          await done(host.deposits.find(own.id, deposit.id)),
        ];
        for (const { id, sums = {}, transactionCount = 0, transactions = [] } of records) {
          const stored = items.filter(({ objectId }: StoredTransaction) => objectId === id);
          expect(stored).toHaveLength(transactionCount);
          expect(add(stored.map((each) => ({ ...each, cents: each.amount })))).toEqual(sums);
          expect(transactions.map((each) => each.id).every((each) => stored.some((one) => one.id === each))).toBe(true);
          // The events alone tell the same.
          const told = events.flatMap(({ data }) => {
            const { transaction } = data as unknown as {
              transaction?: { kind: string; status: string; amount: number };
            };
            return data.id === id && transaction
              ? [{ ...transaction, cents: Math.round(transaction.amount * 100) }]
              : [];
          });
          expect(told).toHaveLength(transactionCount);
          expect(add(told)).toEqual(sums);
          // A law is broken only where a report says so.
          const flagged = new Set(stored.flatMap(({ breaks = [] }) => breaks));
          for (const law of brokenIn(sums)) expect([...flagged]).toContain(law);
        }
        const names = items.flatMap(({ kind, processorReference: name }) =>
          name === undefined ? [] : [`${kind} ${name}`],
        );
        expect(new Set(names).size).toBe(names.length);

        const { cashOuts: summaries } = await done(host.deposits.find(own.id, deposit.id));
        for (const { id, amount, collectedAmount = 0, refundedAmount = 0 } of summaries) {
          const cashOut = await done(host.cashOuts.find(own.id, id));
          expect([cashOut.collectedAmount ?? 0, cashOut.refundedAmount ?? 0]).toEqual([
            collectedAmount,
            refundedAmount,
          ]);
          expect(collectedAmount).toBeLessThanOrEqual(amount);
          expect(refundedAmount).toBeLessThanOrEqual(collectedAmount);
          const { captured = 0, refunded = 0 } = add(
            items.filter(({ cashOutId }) => cashOutId === id).map((each) => ({ ...each, cents: each.amount })),
          );
          expect([collectedAmount, refundedAmount]).toEqual([captured, refunded]);
        }
      },
    ),
    parameters,
  );
};
