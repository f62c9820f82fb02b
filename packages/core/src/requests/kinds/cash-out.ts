import { err, ok, type Result } from 'neverthrow';
import { z } from 'zod';
import { type EpochMs, toSeconds } from '../../runtime/time.ts';
import { commandTransaction } from '../books/transaction-input.ts';
import { changeFields } from '../change-fields.ts';
import {
  changeOf,
  commandsOf,
  defineKind,
  type InputOf,
  type InputsOf,
  inputOf,
  type RecordOf,
} from '../define-kind.ts';
import { evidenceField, evidenceInput, withEvidence } from '../evidence.ts';
import { derived, fixed, optional, saying, setLater, shownAs, value } from '../field.ts';
import {
  amount as amountOf,
  identifiers,
  longText,
  moment,
  nothing,
  present,
  reasonField,
  text,
  values,
  withReason,
} from '../fields.ts';
import { identified } from '../fill-in.ts';
import { type MinorUnits, type RequestMoney, toDecimal, toMinor } from '../money.ts';
import type { CommandContext, CreateContext } from '../record.ts';
import type { CommandRefusal } from '../refusal.ts';
import { secondsView } from '../view.ts';
import { answerCommands, answerFields, answerRules, beginAnswer } from './answer.ts';
import { type CashOutStatus, type CashOutSummary, collectedOf, isDisputed, takesAmount } from './cash-out-summary.ts';
import { deposit, type SecurityDeposit } from './deposit.ts';

const claim = longText("The recipient's statement in the last claim: 1 to 500 characters.");
const amount = saying(values.amount, "A decimal number above 0, in the deposit's currency.");
const document = text("The host's name for the document: 1 to 256 bytes.");
const description = saying(values.description, 'What the cash-out is for: 1 to 500 characters.');

/**
 * What cannot be collected of a cash-out.
 * @public
 */
export interface Irrecoverable {
  /** In the smallest unit of the currency. */
  readonly amount: MinorUnits;
  /** The host's name for the document that says so. */
  readonly document: string;
  /** When the host recorded it. */
  readonly since: EpochMs;
}

const fields = {
  depositId: fixed(text('The deposit that it withdraws from; the deposit is `in_progress`.')),
  amount: shownAs(fixed(amount), toDecimal),
  currency: derived(saying(values.currency, "ISO 4217: the deposit's currency.")),
  recipient: derived(saying(values.recipient, "The deposit's recipient when the cash-out was created.")),
  description: optional(description),
  claim: setLater(claim),
  evidence: evidenceField,
  claimedAt: shownAs(
    setLater(moment('When the recipient last claimed against it.')),
    ({ claimedAt }: { readonly claimedAt?: EpochMs }) => (claimedAt === undefined ? undefined : toSeconds(claimedAt)),
  ),
  collectedAmount: shownAs(
    setLater(amountOf('What was collected of `amount`. Absent on one that is done: all of it.')),
    ({ collectedAmount: amount, currency }: Collected) => decimal(amount, currency),
  ),
  refundedAmount: shownAs(
    setLater(amountOf('The sum of its refunds. Absent: no refund.')),
    ({ refundedAmount: amount, currency }: Collected) => decimal(amount, currency),
  ),
  irrecoverable: shownAs(
    setLater(
      value('The rest cannot be collected: its amount, the document that says so, and since when.', {
        input: z.custom<Irrecoverable>(),
        view: z.object({ amount: z.number(), document: z.string(), since: secondsView }),
      }),
    ),
    ({ irrecoverable, currency }: Collected) =>
      irrecoverable && {
        amount: toDecimal({ amount: irrecoverable.amount, currency }),
        document: irrecoverable.document,
        since: toSeconds(irrecoverable.since),
      },
  ),
  ...answerFields,
  ...identifiers,
};
type Collected = Pick<RequestMoney, 'currency'> & {
  readonly collectedAmount?: MinorUnits;
  readonly refundedAmount?: MinorUnits;
  readonly irrecoverable?: Irrecoverable;
};
const decimal = (amount: MinorUnits | undefined, currency: string): number | undefined =>
  amount === undefined ? undefined : toDecimal({ amount, currency });
const states: readonly CashOutStatus[] = [
  'requested',
  'claimed',
  'denied',
  'accepted',
  'settled',
  'escrowed',
  'done',
  'cancelled',
  'failed',
];
const open = ['requested', 'claimed', 'denied', 'accepted', 'settled', 'escrowed'] as const;
const unagreed = ['requested', 'claimed', 'denied'] as const;
const deposited = ['in_progress', 'litigation'];
/** The states of a deposit that may have a completed cash-out. */
const completed = [...deposited, 'finished', 'error'];
const exceeds = 'open and done cash-outs would exceed the deposit';

/**
 * A cash-out of a security deposit, as stored, in the deposit's currency.
 * The guide on requests describes each field.
 * @public
 */
export interface CashOut extends RecordOf<typeof fields, CashOutStatus> {}

const { create, command } = commandsOf<
  CashOut,
  'RequestSecurityDeposit',
  // The deposit when the command is given.
  CommandContext & { readonly parent: SecurityDeposit },
  CreateContext & { readonly parent: SecurityDeposit }
>();

/** Ended cash-outs count. Each event of a deposit contains a summary of all of them. */
const maxCashOuts = 50;

/** The amount of a cash-out, when it and the others fit into the deposit. */
const fits = (
  decimal: number,
  { currency, amount: whole, cashOuts }: SecurityDeposit,
  exceptId?: string,
): Result<MinorUnits, CommandRefusal> =>
  toMinor('/amount', decimal, currency).andThen((amount) => {
    const others = cashOuts.filter((each) => each.id !== exceptId && takesAmount(each));
    const taken = others.reduce((sum, each) => sum + each.amount, 0);
    return taken + amount <= whole
      ? ok(amount)
      : err({ code: 'exceeds_deposit' as const, message: 'Open and done cash-outs would be more than the deposit.' });
  });

const amountMismatch: CommandRefusal = {
  code: 'amount_mismatch',
  message: 'The cash-out has another amount than the accepted one: read it again.',
};
const readVersion = 'the version that was read (ifVersion, or over HTTP the ETag in If-Match)';
const versionRequired = (named: string): CommandRefusal => ({
  code: 'version_required',
  message: `The offer may have changed since it was read: name ${named}.`,
});

/** The summary of a cash-out that its deposit stores. */
const summaryOf = ({
  id,
  status,
  amount,
  collectedAmount,
  refundedAmount,
  reference,
  claimedAt,
}: CashOut): CashOutSummary => ({
  id,
  status,
  amount,
  ...present({ collectedAmount, refundedAmount, reference, claimedAt }),
});

const booksOf = (cashOut: CashOut) => ({
  of: 'cashOut' as const,
  asked: cashOut.amount,
  sums: { collected: collectedOf(cashOut), refunded: cashOut.refundedAmount ?? 0 },
});
const nothingLeft = (message: string): Result<never, CommandRefusal> => err({ code: 'already_done', message });
/** What is not collected yet. */
const uncollected = (cashOut: CashOut): Result<MinorUnits, CommandRefusal> => {
  const left = cashOut.amount - collectedOf(cashOut);
  return left > 0 ? ok(left) : nothingLeft('All of it was collected before.');
};
/** What was collected and not refunded. */
const unreturned = (cashOut: CashOut): Result<MinorUnits, CommandRefusal> => {
  const { collected, refunded } = booksOf(cashOut).sums;
  return collected > refunded ? ok(collected - refunded) : nothingLeft('All that was collected was refunded before.');
};
const collectedBy = commandTransaction(['capture', 'charge'], '`amount`, or the rest').optional();

/** Cash-outs. Their events are events of the deposit (specification §6.4). @internal */
export const cashOut = defineKind<CashOut>()({
  name: 'CashOut',
  object: 'CashOut',
  objectName: 'RequestSecurityDeposit',
  path: 'cash-outs',
  states,
  filters: ['recipientEmail', 'depositId'],
  // 48 KiB: the events of a cash-out contain its deposit, too. Without fields of the host, at most 39 KiB are needed.
  maxBytes: 48 * 1_024,
  parent: {
    kind: deposit,
    field: 'depositId',
    eventField: 'cashOut',
    put: (into: SecurityDeposit, cashOut: CashOut): SecurityDeposit => {
      const summary = summaryOf(cashOut);
      const isKnown = into.cashOuts.some(({ id }) => id === cashOut.id);
      const cashOuts = isKnown
        ? into.cashOuts.map((each) => (each.id === cashOut.id ? summary : each))
        : [...into.cashOuts, summary];
      return { ...into, cashOuts };
    },
    mayFollow: ({ cashOuts }: SecurityDeposit, command) => command !== 'resume' || !cashOuts.some(isDisputed),
  },
  fields,
  books: {
    read: booksOf,
    write: (cashOut, { collected, refunded }, { transaction, isNamed }) => ({
      ...cashOut,
      ...(transaction || isNamed || cashOut.collectedAmount !== undefined
        ? present({ collectedAmount: collected })
        : {}),
      ...(refunded ? { refundedAmount: refunded } : {}),
    }),
  },
  create: create({
    by: 'partner',
    to: 'requested',
    event: 'cashout',
    within: ['in_progress'],
    unless: `\`claimUntil\` of the deposit has passed, or ${exceeds}`,
    refuses: ['claim_ended', 'exceeds_deposit', 'too_many_cash_outs'],
    description: 'Requests a part of the deposit.',
    input: inputOf(fields),
    make: ({ depositId: _depositId, amount, description, evidence, ...input }, context) => {
      const { parent, now } = context;
      if (parent.claimUntil !== undefined && now >= parent.claimUntil)
        return err({ code: 'claim_ended' as const, message: 'The time for cash-outs of this deposit has ended.' });
      if (parent.cashOuts.length >= maxCashOuts)
        return err({ code: 'too_many_cash_outs', message: `A deposit has at most ${maxCashOuts} cash-outs.` });
      return fits(amount, parent).map((minor) =>
        beginAnswer('recipient', context, {
          depositId: parent.id,
          amount: minor,
          currency: parent.currency,
          recipient: parent.recipient,
          ...present({ description }),
          ...withEvidence({}, { evidence }, 'create', now),
          ...identified(input),
        }),
      );
    },
  }),
  commands: {
    change: command({
      by: 'partner',
      from: open,
      event: 'update',
      within: deposited,
      description: 'Changes fields (RFC 7396).',
      input: changeOf(fields),
      apply: changeFields,
    }),
    cancel: command({
      by: 'partner',
      from: unagreed,
      to: 'cancelled',
      event: 'cashout_cancel',
      within: deposited,
      follows: 'resume',
      description: 'Cancels the cash-out.',
      input: withReason,
    }),
    claim: command({
      by: 'host',
      from: ['requested'],
      to: 'claimed',
      event: 'cashout_reclamation',
      within: deposited,
      description: "Records the recipient's claim.",
      input: z.strictObject({ claim: claim.input.optional(), ...evidenceInput }).default({}),
      apply: (cashOut, { claim, evidence }, context) => {
        const { now } = context;
        const claimed = { ...withEvidence(cashOut, { evidence }, 'claim', now), claimedAt: now, ...present({ claim }) };
        return ok(beginAnswer('partner', context, claimed));
      },
    }),
    offer: command({
      by: 'partner',
      from: unagreed,
      to: 'requested',
      event: 'cashout_new_offer',
      within: deposited,
      unless: exceeds,
      refuses: ['exceeds_deposit'],
      description: 'Makes a new offer. Without `description`, the description stays.',
      input: z.strictObject({ amount: amount.input, description: description.input.optional(), ...evidenceInput }),
      apply: (cashOut, { amount, description, evidence }, context) =>
        fits(amount, context.parent, cashOut.id).map((minor) =>
          beginAnswer('recipient', context, {
            ...withEvidence(cashOut, { evidence }, 'offer', context.now),
            amount: minor,
            ...present({ description }),
          }),
        ),
    }),
    deny: command({
      by: 'partner',
      from: ['claimed'],
      to: 'denied',
      event: 'cashout_owner_deny_reclamation',
      within: deposited,
      follows: 'litigate',
      description: 'Denies the claim.',
      input: z.strictObject({ ...reasonField, ...evidenceInput }).default({}),
      apply: (cashOut, { evidence }, { now }) => ok(withEvidence(cashOut, { evidence }, 'deny', now)),
    }),
    accept: command({
      by: 'host',
      from: unagreed,
      to: 'accepted',
      event: 'cashout_recipient_accept',
      within: deposited,
      unless: 'neither its `amount` nor its version is named, or it has another',
      refuses: ['amount_mismatch', 'version_required'],
      follows: 'resume',
      description: "Records the recipient's consent to one offer, which its `amount` or its version names.",
      input: z.strictObject({ amount: amount.input.optional(), ...reasonField }).default({}),
      apply: (cashOut, { amount }, { isConditional }) => {
        if (amount === undefined)
          return isConditional ? ok(cashOut) : err(versionRequired(`the accepted amount, or ${readVersion}`));
        return toMinor('/amount', amount, cashOut.currency).andThen((minor) =>
          minor === cashOut.amount ? ok(cashOut) : err(amountMismatch),
        );
      },
    }),
    settle: command({
      by: 'host',
      from: unagreed,
      to: 'settled',
      event: 'update',
      within: ['litigation'],
      unless: exceeds,
      refuses: ['exceeds_deposit'],
      follows: 'resume',
      description: 'Settles the dispute, with the settled amount.',
      input: z.strictObject({ amount: amount.input, ...reasonField }),
      apply: (cashOut, { amount }, { parent }) =>
        fits(amount, parent, cashOut.id).map((minor) => ({ ...cashOut, amount: minor })),
    }),
    warnOfSilence: command(answerCommands.warnOfSilence),
    pauseDeadline: command(answerCommands.pauseDeadline),
    resumeDeadline: command(answerCommands.resumeDeadline),
    escrow: command({
      by: 'host',
      from: ['accepted', 'settled'],
      to: 'escrowed',
      event: 'update',
      within: deposited,
      description: 'Records that the amount is escrowed.',
      input: nothing,
    }),
    complete: command({
      by: 'host',
      from: ['denied', 'accepted', 'settled', 'escrowed'],
      to: 'done',
      event: 'cashout_done',
      within: deposited,
      unless: 'it is denied and its version is not named, or more is collected than its amount or the deposit allows',
      refuses: ['version_required', 'exceeds_cash_out', 'exceeds_secured'],
      follows: 'resume',
      description: 'Completes the cash-out: `amount` was collected, or all of it. Its `transaction` takes it.',
      money: { status: 'succeeded', kind: 'capture', rest: uncollected },
      input: z.strictObject({ amount: amount.input.optional(), transaction: collectedBy }).default({}),
      apply: (cashOut, _input, { isConditional }) =>
        cashOut.status === 'denied' && !isConditional ? err(versionRequired(readVersion)) : ok(cashOut),
    }),
    collect: command({
      by: 'host',
      from: ['done'],
      event: 'update',
      reasonCode: 'collected',
      within: completed,
      unless: 'all was collected, or more is collected than its amount or the deposit allows',
      refuses: ['already_done', 'exceeds_cash_out', 'exceeds_secured'],
      description: 'Records that more was collected later: `amount`, or the rest.',
      money: { status: 'succeeded', kind: 'capture', rest: uncollected },
      input: z.strictObject({ amount: amount.input.optional(), transaction: collectedBy, ...reasonField }).default({}),
    }),
    markIrrecoverable: command({
      by: 'host',
      from: ['done'],
      event: 'update',
      reasonCode: 'irrecoverable',
      within: completed,
      unless: 'all was collected',
      refuses: ['already_done'],
      description: 'Records that the rest cannot be collected, with the document that says so.',
      input: z.strictObject({ document: document.input, ...reasonField }),
      apply: (cashOut, { document }, { now: since }) =>
        uncollected(cashOut).map((amount) => ({ ...cashOut, irrecoverable: { amount, document, since } })),
    }),
    refund: command({
      by: 'host',
      from: ['done'],
      event: 'update',
      reasonCode: 'refunded',
      within: completed,
      unless: 'all was refunded, or the refunds would exceed what was collected or charged',
      refuses: ['already_done', 'exceeds_collected', 'exceeds_payment'],
      description: 'Refunds a part of what was collected or, without `amount`, the rest.',
      money: { status: 'succeeded', kind: 'refund', rest: unreturned },
      input: z
        .strictObject({
          amount: amount.input.optional(),
          transaction: commandTransaction(['refund'], '`amount`, or the rest').optional(),
          ...reasonField,
        })
        .default({}),
    }),
    fail: command({
      by: 'host',
      from: open,
      to: 'failed',
      event: 'cashout_failed',
      within: deposited,
      follows: 'resume',
      description: 'Records a failure.',
      input: withReason,
    }),
  },
  rules: answerRules,
});

/** The fields of a new cash-out. @public */
export interface CashOutInput extends InputOf<typeof cashOut.create.input> {}
/** The commands on a cash-out, each with its input. @public */
export interface CashOutCommands extends InputsOf<typeof cashOut.commands> {}
/** A change of a cash-out by RFC 7396: at least one field. @public */
export type CashOutChange = CashOutCommands['change'];
