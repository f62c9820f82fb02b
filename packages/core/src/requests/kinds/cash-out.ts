import { z } from 'zod';
import { err, ok, type Result } from '#result';
import { withExample } from '../../base/fields/example.ts';
import { asked } from '../../base/fields/field.ts';
import { present } from '../../base/fields/present.ts';
import { changeFields } from '../fields/change-fields.ts';
import { evidenceInput, withEvidence } from '../fields/evidence.ts';
import { nothing, reasonField, withReason } from '../fields/fields.ts';
import { type MinorUnits, toMinor } from '../fields/money.ts';
import type { CommandContext, CreateContext } from '../record/record.ts';
import type { CommandRefusal } from '../record/refusal.ts';
import { answerCommands, answerRules, beginAnswer } from './answer.ts';
import { type CashOut, cashOutFields, cashOutValues } from './cash-out-fields.ts';
import { cashOutBooks, collectedBy, completedCommands, everDeposited, uncollected } from './cash-out-money.ts';
import { type CashOutStatus, type CashOutSummary, isDisputed, takesAmount } from './cash-out-summary.ts';
import { changeOf, commandsOf, defineKind, type InputOf, type InputsOf, inputOf } from './define-kind.ts';
import { deposit } from './deposit.ts';
import type { SecurityDeposit } from './deposit-fields.ts';
import { identified } from './fill-in.ts';

const { amount, claim, description } = cashOutValues;
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
/** A cash-out has the recipient of its deposit. */
const afterEnd = ['reference', 'metadata'];
const exceeds = 'open and done cash-outs would exceed the deposit';

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

const sample = { depositId: 'example_1', amount: 20, description: 'A broken window' };

/** Cash-outs. Their events are events of the deposit (specification §6.4). */
export const cashOut = defineKind<CashOut>()({
  name: 'CashOut',
  object: 'CashOut',
  objectName: 'RequestSecurityDeposit',
  path: 'cash-outs',
  part: 'cash_outs',
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
  fields: cashOutFields,
  example: {
    ...{ depositId: sample.depositId, amount: sample.amount, currency: 'EUR' },
    ...{ recipient: deposit.example.recipient, description: sample.description },
  },
  books: cashOutBooks,
  create: create({
    by: 'partner',
    to: 'requested',
    event: 'cashout',
    within: deposited,
    unless: `\`claimUntil\` of the deposit has passed, or ${exceeds}`,
    refuses: ['claim_ended', 'exceeds_deposit', 'too_many_cash_outs'],
    description: 'Requests a part of the deposit. The deposit is `in_progress` or `litigation`.',
    input: withExample(inputOf(cashOutFields), sample),
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
      from: states,
      only: { done: afterEnd, cancelled: afterEnd, failed: afterEnd },
      event: 'update',
      within: everDeposited,
      description: 'Changes fields (RFC 7396).',
      input: withExample(changeOf(cashOutFields), { description: 'A broken window, and a door' }),
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
      input: withExample(z.strictObject({ claim: asked(claim).optional(), ...evidenceInput }).default({}), {
        claim: 'It was broken when we arrived.',
      }),
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
      input: withExample(
        z.strictObject({ amount: asked(amount), description: asked(description).optional(), ...evidenceInput }),
        { amount: 15, description: 'Half of the broken window' },
      ),
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
      description: 'Rejects the claim of the recipient, and opens the dispute.',
      input: withExample(z.strictObject({ ...reasonField, ...evidenceInput }).default({}), {
        reason: { code: 'intact_at_check_in', text: 'The entry inspection shows it intact.' },
      }),
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
      description:
        "Records the recipient's consent to one offer, which its `amount` or its version names: send `amount`, or `If-Match`.",
      input: withExample(z.strictObject({ amount: asked(amount).optional(), ...reasonField }).default({}), {
        amount: 20,
      }),
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
      input: withExample(z.strictObject({ amount: asked(amount), ...reasonField }), {
        amount: 10,
        reason: { code: 'goodwill' },
      }),
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
      description:
        'Completes the cash-out: `amount` was collected, or all of it. With a `transaction`, which may be `{}`, the books record it. A denied one needs `If-Match`.',
      money: { status: 'succeeded', kind: 'capture', rest: uncollected },
      input: withExample(z.strictObject({ amount: asked(amount).optional(), transaction: collectedBy }).default({}), {
        amount: 5,
      }),
      apply: (cashOut, _input, { isConditional }) =>
        cashOut.status === 'denied' && !isConditional ? err(versionRequired(readVersion)) : ok(cashOut),
    }),
    ...completedCommands,
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
  waitsIn: ['requested', 'claimed'],
});

/** The fields of a new cash-out. @public */
export interface CashOutInput extends InputOf<typeof cashOut.create.input> {}
/** The commands on a cash-out, each with its input. @public */
export interface CashOutCommands extends InputsOf<typeof cashOut.commands> {}
/** A change of a cash-out by RFC 7396: at least one field. @public */
export type CashOutChange = CashOutCommands['change'];
