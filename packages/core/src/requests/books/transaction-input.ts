import { z } from 'zod';
import { documentation } from '#documentation';
import { err, ok, type Result } from '#result';
import { withExample } from '../../base/fields/example.ts';
import { described } from '../../base/fields/field.ts';
import { text, time } from '../../base/fields/values.ts';

import { utf8Length } from '../../base/runtime/text.ts';
import { amount, reasonField, values } from '../fields/fields.ts';
import { maxMinor, tooManyDigits } from '../fields/money.ts';
import { type CommandRefusal, wrongField } from '../record/refusal.ts';
import { type TransactionKind, transactionKinds } from './transaction.ts';

const maxMetadataBytes = 4_096;
const methodRule = '1 to 64 characters of a-z, 0-9 and _, such as card.';
const secondsRule = 'whole seconds since 1970-01-01T00:00:00Z, at most a day ahead.';
const feeRule = 'a number of 0 or more, no finer than its currency.';

const capturableUntil = time('Authorisations only: until when the processor lets it be captured.');
const cashOutId = text('The cash-out whose money it took or gave back.', 'cash_out_1');
const [paid, reference] = [
  amount('The amount: above 0, no finer than its currency.'),
  text("The processor's name.", 'ch_1'),
];

/** The fields of a transaction beside its kind and its amount. */
const details = {
  currency: described(
    values.currency.input,
    'ISO 4217. Default: that of its object. A command with another one is refused; a report is flagged, and in no sum.',
  ).optional(),
  method: described(
    z.string(methodRule).regex(/^[a-z0-9_]{1,64}$/, methodRule),
    'How it was paid, such as `card` or `sepa_debit`.',
  ).optional(),
  outcome: described(values.reason.input, 'What the processor answered.').optional(),
  fee: described(
    z.number(feeRule).nonnegative(feeRule).max(maxMinor, tooManyDigits),
    'What the processor took for it. 0 or more.',
  ).optional(),
  settledAt: described(
    z.int(secondsRule).nonnegative(secondsRule).max(99_999_999_999, secondsRule),
    'When the processor carried it out: seconds since 1970-01-01T00:00:00Z. Default: the time of the command. ' +
      'Name it where one reference may have several equal movements.',
  ).optional(),
  processorReference: described(
    reference.input,
    "The processor's name for the payment that it belongs to. The same report of it again is answered like the first.",
  ).optional(),
  metadata: described(
    values.metadata.input.refine(
      (pairs) => utf8Length(JSON.stringify(pairs)) <= maxMetadataBytes,
      `at most ${maxMetadataBytes} bytes as JSON.`,
    ),
    'Your own data: at most 20 pairs, at most 4,096 bytes as JSON.',
  ).optional(),
};

/** Only an authorisation ends by itself. */
const ofAuthorisation = {
  capturableUntil: described(
    capturableUntil.input,
    `${capturableUntil.description} Default: the end of the guarantee, or unknown.`,
  ).optional(),
};
/** The rule of JSON Schema that a field goes with these kinds only. */
const onlyOf = (...kinds: readonly TransactionKind[]) => ({ properties: { kind: { enum: kinds } } });
const endsByItself = { capturableUntil: onlyOf('authorisation') };

const kindOf = <K extends TransactionKind>(kinds: readonly K[]) => {
  const rule = `one of ${kinds.join(', ')}.`;
  return z.enum(kinds, rule);
};
const rule = 'an object with the fields of a transaction.';

/** A transaction, as a caller gives it. */
export type TransactionInput = z.output<ReturnType<typeof commandTransaction>>;

/** The transaction of a command: its kind and amount follow from the command where they are absent. */
export const commandTransaction = <K extends TransactionKind>(kinds: readonly K[], byDefault: string) => {
  const mayEnd = (kinds as readonly TransactionKind[]).includes('authorisation');
  return described(
    z
      .strictObject(
        {
          kind: described(kindOf(kinds), `Default: \`${kinds[0]}\`.`).optional(),
          amount: described(paid.input, `${paid.description} Default: ${byDefault}.`).optional(),
          ...details,
          ...(mayEnd ? ofAuthorisation : ({} as typeof ofAuthorisation)),
        },
        rule,
      )
      .register(documentation, mayEnd ? { keywords: { dependentSchemas: endsByItself } } : {}),
    'The transaction that the payment processor carried out. Absent: none is recorded. `{}`: one with the defaults below.',
  );
};

const reportedAmount = described(paid.input, paid.description);
const theReported = 'The transaction that the payment processor reported.';
const reportedKinds = transactionKinds.filter((kind) => kind !== 'return');

const shapeOfReport = { kind: kindOf(reportedKinds), amount: reportedAmount, ...details, ...ofAuthorisation };
/** The transaction of a report, which names its kind and amount. */
const reportedTransaction = described(
  z
    .strictObject(shapeOfReport, rule)
    .register(documentation, { name: 'TransactionInput', keywords: { dependentSchemas: endsByItself } }),
  theReported,
);
/** The transaction by which an amount changes. */
export const changingTransaction = described(
  z
    .strictObject({ ...shapeOfReport, kind: kindOf(['authorisation', 'charge', 'release', 'refund']) }, rule)
    .register(documentation, { keywords: { dependentSchemas: endsByItself } }),
  'The transaction by which the amount changes: an `authorisation` or `charge` of more, a `release` or `refund`.',
);
/** The input of a report. */
export const reported = withExample(
  z.strictObject({ transaction: reportedTransaction.optional(), ...reasonField }).default({}),
  { transaction: { kind: 'charge', amount: 20, method: 'card' } },
);

const shapeOfReturn = {
  kind: described(kindOf(['return']), 'Default: `return`.').optional(),
  amount: reportedAmount,
  ...details,
};
const returned = <S extends z.ZodType>(transaction: S) =>
  z
    .strictObject({ transaction: described(transaction, theReported), ...reasonField })
    .register(documentation, { example: { transaction: { amount: 20 }, reason: { code: 'insufficient_funds' } } });
/** The input of the report that a debit came back. */
export const reportedReturn = returned(
  z.strictObject(shapeOfReturn, rule).register(documentation, { name: 'ReturnInput' }),
);

const ofCashOut = {
  cashOutId: described(
    cashOutId.input,
    `${cashOutId.description} Only of a chargeback, of its reversal and of a return: a cash-out has commands for the rest.`,
  ).optional(),
};
/** The inputs of the same reports about a deposit, whose cash-out they may name. */
export const reportedOfDeposit = withExample(
  z
    .strictObject({
      transaction: described(
        z.strictObject({ ...shapeOfReport, ...ofCashOut }, rule).register(documentation, {
          name: 'DepositTransactionInput',
          keywords: { dependentSchemas: { ...endsByItself, cashOutId: onlyOf('chargeback', 'chargeback_reversal') } },
        }),
        theReported,
      ).optional(),
      ...reasonField,
    })
    .default({}),
  { transaction: { kind: 'authorisation', amount: 300, method: 'card' } },
);
export const returnedOfDeposit = returned(
  z.strictObject({ ...shapeOfReturn, ...ofCashOut }, rule).register(documentation, { name: 'DepositReturnInput' }),
);

/** The kinds of transactions that take back, or give back again, what a cash-out collected. */
const afterCollection: readonly string[] = ['chargeback', 'chargeback_reversal', 'return'];

type WithCashOuts = { readonly cashOuts: readonly { readonly id: string }[] };
/** Refuses an object that names a cash-out of another deposit. */
export const hasCashOut = (
  { cashOuts }: WithCashOuts,
  path: string,
  { cashOutId: named }: { readonly cashOutId?: string | undefined },
): Result<void, CommandRefusal> =>
  named === undefined || cashOuts.some(({ id }) => id === named)
    ? ok()
    : err(wrongField(`${path}/cashOutId`, 'a cash-out of this deposit.'));

/** Refuses a report that names a cash-out of another deposit, or a movement that a cash-out has a command for. */
export const checkCashOut = <R extends WithCashOuts>(
  deposit: R,
  {
    transaction,
  }: { readonly transaction?: Partial<Readonly<Record<'kind' | 'cashOutId', string | undefined>>> | undefined },
): Result<R, CommandRefusal> => {
  const { cashOutId: named, kind = 'return' } = transaction ?? {};
  if (named === undefined) return ok(deposit);
  if (!afterCollection.includes(kind))
    return err(wrongField('/transaction/cashOutId', `absent: only ${afterCollection.join(', ')} name a cash-out.`));
  return hasCashOut(deposit, '/transaction', transaction ?? {}).map(() => deposit);
};
