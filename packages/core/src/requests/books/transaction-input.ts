import { z } from 'zod';
import { described } from '../../base/fields/field.ts';
import { text, time } from '../../base/fields/values.ts';
import { utf8Length } from '../../base/runtime/text.ts';
import { amount, reasonField, values } from '../fields/fields.ts';
import { type TransactionKind, transactionKinds } from './transaction.ts';

const maxMetadataBytes = 4_096;
const methodRule = '1 to 64 characters of a-z, 0-9 and _, such as card.';
const secondsRule = 'whole seconds since 1970-01-01T00:00:00Z, at most a day ahead.';
const feeRule = 'a number of 0 or more, no finer than its currency.';

const capturableUntil = time('Authorisations only: until when the processor lets it be captured.');
const [paid, reference] = [amount('The amount: above 0, no finer than its currency.'), text("The processor's name.")];

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
  fee: described(z.number(feeRule).nonnegative(feeRule), 'What the processor took for it. 0 or more.').optional(),
  settledAt: described(
    z.int(secondsRule).nonnegative(secondsRule).max(99_999_999_999, secondsRule),
    'When the processor carried it out: seconds since 1970-01-01T00:00:00Z. Default: the time of the command. ' +
      'Name it where one reference may have several equal movements.',
  ).optional(),
  capturableUntil: described(
    capturableUntil.input,
    `${capturableUntil.description} Default: the end of the guarantee, or unknown.`,
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

const kindOf = <K extends TransactionKind>(kinds: readonly K[]) => {
  const rule = `one of ${kinds.join(', ')}.`;
  return z.enum(kinds, rule);
};
const rule = 'an object with the fields of a transaction.';

/** A transaction, as a caller gives it. */
export type TransactionInput = z.output<ReturnType<typeof commandTransaction>>;

/** The transaction of a command: its kind and amount follow from the command where they are absent. */
export const commandTransaction = <K extends TransactionKind>(kinds: readonly K[], byDefault: string) =>
  described(
    z.strictObject(
      {
        kind: described(kindOf(kinds), `Default: \`${kinds[0]}\`.`).optional(),
        amount: described(paid.input, `${paid.description} Default: ${byDefault}.`).optional(),
        ...details,
      },
      rule,
    ),
    'The transaction that the payment processor carried out.',
  );

const reportedAmount = described(paid.input, paid.description);
const theReported = 'The transaction that the payment processor reported.';
const reportedKinds = transactionKinds.filter((kind) => kind !== 'return');

/** The transaction of a report, which names its kind and amount. */
export const reportedTransaction = described(
  z.strictObject({ kind: kindOf(reportedKinds), amount: reportedAmount, ...details }, rule),
  theReported,
);

/** The input of the report that a debit came back. */
export const reportedReturn = z.strictObject({
  transaction: described(
    z.strictObject(
      {
        kind: described(kindOf(['return']), 'Default: `return`.').optional(),
        amount: reportedAmount,
        ...details,
      },
      rule,
    ),
    theReported,
  ),
  ...reasonField,
});

/** The input of a report. */
export const reported = z.strictObject({ transaction: reportedTransaction.optional(), ...reasonField }).default({});
