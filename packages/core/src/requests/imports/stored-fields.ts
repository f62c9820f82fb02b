import { z } from 'zod';
import { identifier } from '../../base/fields/values.ts';
import { isDotSegment } from '../../base/http/path-segment.ts';
import { once } from '../../base/runtime/once.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import { filled } from '../books/books.ts';
import type { SumName } from '../books/laws.ts';
import { maxTransactions, type TransactionSummary, transactionKinds } from '../books/transaction.ts';
import { type Chargeback, maxReportTimes } from '../fields/chargeback.ts';
import { fileFields, fileId, type GivenEvidence } from '../fields/evidence.ts';
import { values } from '../fields/fields.ts';
import { maxMinor } from '../fields/money.ts';
import { kinds } from '../kinds/all.ts';
import { type CashOut, cashOutValues, type Irrecoverable } from '../kinds/cash-out-fields.ts';
import type { CashOutSummary } from '../kinds/cash-out-summary.ts';
import type { SecurityDeposit } from '../kinds/deposit-fields.ts';
import type { DepositTemplate } from '../kinds/deposit-template.ts';
import { payingFields } from '../kinds/paying.ts';
import type { PaymentRequest } from '../kinds/payment.ts';
import type { PaymentTemplate } from '../kinds/payment-template.ts';
import { proposingFields } from '../kinds/proposed-term.ts';
import { templateFields } from '../kinds/template.ts';
import type { RequestKindName } from '../record/names.ts';
import type { StoredRequest } from '../record/record.ts';

/** The schemas of a type's fields. One that is missing does not compile. */
type Shape<T> = { readonly [K in keyof Required<T>]: z.ZodType };
type Exported<R extends StoredRequest> = Shape<Omit<R, 'importedAt'>>;

const timeRule = 'in milliseconds since 1970, from 1973 on: multiply seconds by 1000, and read a date by Date.parse.';
/** Seconds are below it until the year 5138, and milliseconds above it since 1973. */
const minMs: EpochMs = 100_000_000_000;
/** The end of the year 9999. */
const maxMs: EpochMs = 253_402_300_800_000;
export const storedTime = once(() => z.number(timeRule).min(minMs, timeRule).max(maxMs, timeRule));
const anyTimeRule = 'in milliseconds since 1970.';
/** A time that a processor names: of any year since 1970. */
export const processorTime = once(() => z.number(anyTimeRule).min(0, anyTimeRule).max(maxMs, anyTimeRule));

const countRule = 'a whole number from 0.';
const count = once(() => z.int(countRule).min(0, countRule));
const versionRule = 'a whole number from 1.';
/** A version, or a number that counts from 1. */
export const fromOne = once(() =>
  z
    .int(versionRule)
    .min(1, versionRule)
    .max(2 ** 31 - 1, versionRule),
);
const amountRule = `a whole number from 1 to ${maxMinor}, in the smallest unit of the currency.`;
/** An amount above 0. */
const storedAmount = once(() => z.int(amountRule).min(1, amountRule).max(maxMinor, amountRule));
const sumRule = 'a whole number from 0, in the smallest unit of the currency.';
/** A sum of amounts. */
const storedSum = once(() => z.int(sumRule).min(0, sumRule));

const wordRule = '1 to 64 of a-z, 0-9 and _.';
/** A word of a processor, or the name of a law. */
export const word = once(() => z.string(wordRule).regex(/^[a-z0-9_]{1,64}$/, wordRule));
const commandRule = '1 to 64 of letters, digits, _ . and -.';
export const commandName = once(() => z.string(commandRule).regex(/^[\w.-]{1,64}$/, commandRule));

const idRule = '1 to 256 bytes of text without control characters, other than ".", ".." and "batch".';
/** The id of an object: it is a part of paths, and `batch` is a path of its own. */
export const objectId = once(() => identifier().refine((id) => !isDotSegment(id) && id !== 'batch', idRule));

const actorRule = 'who it was: { type: "host" }, or a client, a user or a rule.';
/** Who gave a command. */
export const storedActor = once(() =>
  z.discriminatedUnion(
    'type',
    [
      z.strictObject({ type: z.literal('client'), id: identifier() }),
      z.strictObject({ type: z.literal('user'), id: identifier() }),
      z.strictObject({ type: z.literal('host'), id: identifier().optional() }),
      z.strictObject({ type: z.literal('rule'), command: commandName() }),
    ],
    actorRule,
  ),
);

const accountRule = 'an account: no path has "." or ".." as a part.';
const common = once(() => ({
  id: objectId(),
  accountId: identifier().refine((id) => !isDotSegment(id), accountRule),
  environment: identifier(),
  reference: identifier().optional(),
  metadata: values.metadata.input.optional(),
  reason: values.reason.input.optional(),
  createdAt: storedTime(),
  updatedAt: storedTime(),
  createdBy: storedActor(),
  updatedBy: storedActor(),
  version: fromOne(),
}));

const stateOf = (name: RequestKindName) => {
  const states: readonly string[] = kinds[name].states.filter((state) => state !== 'deleted');
  return z.enum(states, `one of ${states.join(', ')}.`);
};

const file = {
  id: fileId,
  kind: fileFields.kind,
  name: fileFields.name.optional(),
  contentType: fileFields.contentType.optional(),
  size: fileFields.size.optional(),
  sha256: fileFields.sha256.optional(),
};
const evidence = once(() =>
  z
    .array(z.strictObject({ ...file, command: commandName(), at: storedTime() } satisfies Shape<GivenEvidence>))
    .max(40, 'at most 40 files.'),
);

/** What a transaction and its summary have in common. */
export const transactionShape = once(() => ({
  id: identifier(),
  kind: z.enum(transactionKinds, `one of ${transactionKinds.join(', ')}.`),
  status: z.enum(['succeeded', 'failed', 'cancelled'], 'succeeded, failed or cancelled.'),
  amount: storedAmount(),
  currency: values.currency.input,
  method: word().optional(),
  fee: storedSum().optional(),
  settledAt: processorTime(),
  capturableUntil: processorTime().optional(),
  processorReference: identifier().optional(),
  cashOutId: identifier().optional(),
  breaks: z.array(word()).min(1).max(20).optional(),
}));

const sums = once(() => {
  const names = Object.keys(filled({})) as readonly SumName[];
  return z.strictObject(Object.fromEntries(names.map((name) => [name, storedSum().optional()])));
});

const booked = once(() => ({
  sums: sums().optional(),
  transactions: z
    .array(
      z.strictObject({ ...transactionShape(), outcomeCode: z.string().optional() } satisfies Shape<TransactionSummary>),
    )
    .max(maxTransactions, `the latest ${maxTransactions}.`)
    .optional(),
  transactionCount: count().optional(),
  chargebacks: z
    .array(
      z.strictObject({
        processorReference: identifier(),
        cashOutId: identifier().optional(),
        stage: word().optional(),
        reason: values.reason.input.optional(),
        respondBy: processorTime().optional(),
        evidenceAt: storedTime().optional(),
        saidAt: z.record(z.string(), processorTime()).optional(),
        reportTimes: z.array(processorTime()).max(maxReportTimes, `the latest ${maxReportTimes}.`).optional(),
      } satisfies Shape<Chargeback>),
    )
    .max(5, 'the latest 5.')
    .optional(),
}));

/** What payment requests and deposits have in common. */
const requested = once(() => ({
  ...common(),
  name: values.name.input,
  description: values.description.input.optional(),
  amount: storedAmount(),
  currency: values.currency.input,
  recipient: values.recipient.input,
  templateId: identifier().optional(),
  dueDate: values.dueDate.input.optional(),
  paymentUrl: values.paymentUrl.input.optional(),
  paymentUrlExpiresAt: storedTime().optional(),
  returnUrl: payingFields.returnUrl.created,
  cancelUrl: payingFields.cancelUrl.created,
  sendAt: storedTime().optional(),
  sentAt: storedTime().optional(),
  remindedAt: storedTime().optional(),
  reminders: count().optional(),
  ...booked(),
}));

const template = once(() => ({
  ...common(),
  status: stateOf('paymentTemplates'),
  name: templateFields.name.created,
  description: templateFields.description.created,
  dueInDays: templateFields.dueInDays.created,
  money: z.strictObject({ amount: storedAmount(), currency: values.currency.input }).optional(),
}));

const summary = once(() =>
  z.strictObject({
    id: objectId(),
    status: stateOf('cashOuts'),
    amount: storedAmount(),
    collectedAmount: storedSum().optional(),
    refundedAmount: storedSum().optional(),
    reference: identifier().optional(),
    claimedAt: storedTime().optional(),
  } satisfies Shape<CashOutSummary>),
);

/** The stored fields of each kind, without those of the host. */
const shapes = {
  payments: once(
    () =>
      ({
        ...requested(),
        status: stateOf('payments'),
        refundedAmount: storedSum().optional(),
      }) satisfies Exported<PaymentRequest>,
  ),
  deposits: once(
    () =>
      ({
        ...requested(),
        status: stateOf('deposits'),
        stay: values.stay.input.optional(),
        guaranteedUntil: storedTime().optional(),
        claimUntil: storedTime().optional(),
        warnedOf: storedTime().optional(),
        toldEndOf: storedTime().optional(),
        authorisationEnds: z.array(processorTime()).max(20, 'at most 20.').optional(),
        guaranteedForDays: proposingFields.guaranteedForDays.created,
        claimForDays: proposingFields.claimForDays.created,
        registeredAt: storedTime().optional(),
        checkedInAt: storedTime().optional(),
        checkedOutAt: storedTime().optional(),
        cashOuts: z.array(summary()).max(50, 'at most 50.'),
      }) satisfies Exported<SecurityDeposit>,
  ),
  cashOuts: once(
    () =>
      ({
        ...common(),
        status: stateOf('cashOuts'),
        depositId: objectId(),
        amount: storedAmount(),
        currency: values.currency.input,
        recipient: values.recipient.input,
        description: cashOutValues.description.input.optional(),
        claim: cashOutValues.claim.input.optional(),
        evidence: evidence().optional(),
        claimedAt: storedTime().optional(),
        collectedAmount: storedSum().optional(),
        refundedAmount: storedSum().optional(),
        irrecoverable: z
          .strictObject({
            amount: storedAmount(),
            document: cashOutValues.document.input,
            since: storedTime(),
          } satisfies Shape<Irrecoverable>)
          .optional(),
        answerBy: storedTime().optional(),
        pausedAt: storedTime().optional(),
        announced: fromOne().optional(),
      }) satisfies Exported<CashOut>,
  ),
  paymentTemplates: once(() => template() satisfies Exported<PaymentTemplate>),
  depositTemplates: once(
    () =>
      ({
        ...template(),
        guaranteedForDays: proposingFields.guaranteedForDays.created,
        claimForDays: proposingFields.claimForDays.created,
      }) satisfies Exported<DepositTemplate>,
  ),
} satisfies Readonly<Record<RequestKindName, () => z.core.$ZodLooseShape>>;

/** The fields that an import fills in. */
export const filledIn = ['environment', 'updatedAt', 'createdBy', 'updatedBy', 'version', 'cashOuts'] as const;

/** The schema of a record of a kind, as it is stored, without fields of the host. */
export const storedRecord = (name: RequestKindName): z.ZodObject => z.strictObject(shapes[name]());
