import { z } from 'zod';
import { documentation } from '#documentation';
import { err, ok, type Result } from '#result';
import { atLeastOne, emptyChange, notEmpty } from '../../base/fields/change.ts';
import { withExample } from '../../base/fields/example.ts';
import { present } from '../../base/fields/present.ts';
import { mayBecome, withoutMoney } from '../books/booked.ts';
import { withTransaction } from '../books/transaction-fields.ts';
import {
  checkCashOut,
  commandTransaction,
  hasCashOut,
  reportedOfDeposit,
  returnedOfDeposit,
} from '../books/transaction-input.ts';
import { changeFields } from '../fields/change-fields.ts';
import { depositChargebackReport } from '../fields/chargeback.ts';
import { contacts, nothing, reasonField, withReason } from '../fields/fields.ts';
import { readMoney } from '../fields/money.ts';
import type { CommandContext } from '../record/record.ts';
import type { CommandRefusal } from '../record/refusal.ts';
import { isDisputed, isOpen } from './cash-out-summary.ts';
import { giveEvidence, updateChargeback, withChargeback } from './chargebacks.ts';
import { changeOf, commandsOf, defineKind, type InputOf, type InputsOf, inputOf } from './define-kind.ts';
import { depositBooks, undeposited } from './deposit-books.ts';
import { type DepositStatus, depositFields, type SecurityDeposit } from './deposit-fields.ts';
import { expiryRules } from './expiry.ts';
import { changedBy, extend, extension, isDeposited } from './extend.ts';
import { fillIn, type RequestContext } from './fill-in.ts';
import { changesAfterEnd } from './may-change.ts';
import { payingCommand } from './paying.ts';
import { proposedBy, proposedTerm } from './proposed-term.ts';
import { sendingCommands, sendingRules } from './sending.ts';
import { changedSum, newSum } from './sum.ts';
import { termInput, termRules, warnOfEnd, withAuthorisation, withLongerEnds, withTerm } from './term.ts';

const asked = {
  name: 'Week at the lake',
  depositAmount: 300,
  currency: 'EUR',
  recipient: { email: 'guest@example.com', name: 'Ann Guest', language: 'fr' },
};
const states: readonly DepositStatus[] = ['pending', 'in_progress', 'litigation', 'finished', 'cancelled', 'error'];
/** What the deposited amount does not depend on. */
const whileRunning = ['description', 'recipient', 'stay', 'reference', 'metadata'];
/** The money is deposited: a dispute belongs to the cash-out, and forbids nothing but the end. */
const held = ['in_progress', 'litigation'] as const;
const running = ['pending', ...held] as const;

const { create, command } = commandsOf<SecurityDeposit, 'RequestSecurityDeposit', CommandContext, RequestContext>();
const refuse = (
  code: 'already_done' | 'not_checked_in' | 'open_cash_outs' | 'no_dispute',
  message: string,
): Result<never, CommandRefusal> => err({ code, message });

/** Security deposits. `litigate` and `resume` also follow from commands on the cash-outs of one. */
export const deposit = defineKind<SecurityDeposit>()({
  name: 'SecurityDeposit',
  object: 'RequestSecurityDeposit',
  objectName: 'RequestSecurityDeposit',
  path: 'security-deposits',
  part: 'requests',
  states,
  filters: ['recipientEmail', 'templateId'],
  batches: ['create', 'cancel'],
  templates: 'depositTemplates',
  // 80 KiB: the events of a cash-out contain its deposit, too, with its summaries. Without fields of the host, at most
  // 45 KiB are needed.
  maxBytes: 80 * 1_024,
  fields: depositFields,
  example: { ...asked, cashOuts: [] },
  books: {
    read: depositBooks,
    write: (deposit, sums, { transaction }) =>
      withTransaction(transaction ? withAuthorisation(deposit, transaction) : deposit, sums, transaction),
    lengthen: withLongerEnds,
  },
  create: create({
    by: 'partner',
    to: 'pending',
    event: 'creation',
    description: 'Creates a request for a security deposit.',
    input: withExample(inputOf(depositFields, newSum('depositAmount')), asked),
    make: ({ depositAmount, stay, ...input }, context) =>
      fillIn('depositAmount', depositAmount, input, context).map((filled) => ({
        ...filled,
        ...proposedBy(context),
        ...(stay ? { stay } : {}),
        cashOuts: [],
      })),
  }),
  commands: {
    change: command({
      by: 'partner',
      from: states,
      only: {
        in_progress: whileRunning,
        litigation: whileRunning,
        finished: changesAfterEnd,
        cancelled: changesAfterEnd,
        error: changesAfterEnd,
      },
      event: 'update',
      description: 'Changes fields (RFC 7396).',
      unless: 'money was booked in another currency, or more is booked than the new amount',
      refuses: ['money_booked'],
      input: withExample(changeOf(depositFields, changedSum('depositAmount')), { name: 'Ten days at the lake' }),
      apply: (deposit, { depositAmount, currency, ...change }) =>
        readMoney('depositAmount', depositAmount, currency, deposit.currency)
          .andThen((money) => mayBecome(depositBooks(deposit), deposit, money))
          .andThen((money) => changeFields(deposit, { ...change, ...money })),
    }),
    setPaymentUrl: command({
      ...payingCommand,
      description: 'Sets the HTTPS address where the recipient deposits, and when it expires.',
    }),
    send: command(sendingCommands.send),
    remind: command(sendingCommands.remind),
    cancel: command({
      by: 'partner',
      from: ['pending'],
      to: 'cancelled',
      event: 'cancel',
      unless: 'money is booked for it',
      refuses: ['money_booked'],
      description: 'Cancels the request; also given by rule when it expires.',
      input: withReason,
      apply: (deposit) => withoutMoney(depositBooks(deposit)).map(() => deposit),
    }),
    registerUser: command({
      by: 'host',
      from: ['pending'],
      event: 'user_register',
      description: 'Records personal information. What is absent stays as it is.',
      input: withExample(
        z
          .strictObject({
            name: contacts.name.optional(),
            phone: contacts.phone.optional(),
            language: contacts.language.optional(),
          })
          .default({}),
        { name: 'Ann Guest', phone: '+41441234567' },
      ),
      apply: (deposit, personal, { now }) =>
        ok({ ...deposit, registeredAt: now, recipient: { ...deposit.recipient, ...present(personal) } }),
    }),
    succeedTransaction: command({
      by: 'host',
      from: states,
      event: 'new_transaction_success',
      description:
        'Reports a transaction. A later end of a reported authorisation is an `update` with the reason `authorisation_extended`.',
      money: { status: 'succeeded' },
      input: reportedOfDeposit,
      apply: checkCashOut,
    }),
    failTransaction: command({
      by: 'host',
      from: states,
      event: 'transaction_failed',
      description: 'Reports a failed transaction.',
      money: { status: 'failed' },
      input: reportedOfDeposit,
      apply: checkCashOut,
    }),
    cancelTransaction: command({
      by: 'host',
      from: states,
      event: 'new_transaction_manual_cancel',
      description: 'Reports a transaction cancelled manually.',
      money: { status: 'cancelled' },
      input: reportedOfDeposit,
      apply: checkCashOut,
    }),
    returnTransaction: command({
      by: 'host',
      from: states,
      event: 'transaction_failed',
      reasonCode: 'transaction_returned',
      description: 'Reports that a debit came back unpaid after it had succeeded: less is deposited.',
      money: { status: 'succeeded', kind: 'return' },
      input: returnedOfDeposit,
      apply: checkCashOut,
    }),
    updateChargeback: command({
      ...updateChargeback,
      from: states,
      input: depositChargebackReport,
      apply: (deposit, { chargeback }, context) =>
        hasCashOut(deposit, '/chargeback', chargeback).andThen(() => withChargeback(deposit, chargeback, context)),
    }),
    giveEvidence: command({ ...giveEvidence, from: states }),
    succeedDeposit: command({
      by: 'host',
      from: ['pending'],
      to: 'in_progress',
      event: 'deposit_success',
      description:
        'Records the deposit, and its term: what it does not name is as the template proposed. With a `transaction`, which may be `{}`, the books record it: an `authorisation`, or a `charge`.',
      money: {
        status: 'succeeded',
        kind: 'authorisation',
        rest: (deposit) => ok(undeposited(deposit)),
        isBooked: (deposit) => undeposited(deposit) === 0,
        asAsked: 'secured_as_deposited',
      },
      input: withExample(
        z
          .strictObject({
            transaction: commandTransaction(['authorisation', 'charge'], 'what is not deposited yet').optional(),
            ...termInput,
          })
          .default({}),
        { transaction: { method: 'card' } },
      ),
      apply: (deposit, term, { now }) => ok(withTerm(deposit, { ...proposedTerm(deposit, now), ...present(term) })),
    }),
    setTerm: command({
      by: 'host',
      from: held,
      event: 'update',
      description: 'Changes the term. `null` removes a field, an absent one stays.',
      input: withExample(
        z
          .strictObject({ ...termInput, ...reasonField })
          .refine(notEmpty, emptyChange)
          .register(documentation, { keywords: atLeastOne }),
        { claimUntil: 4_102_444_800 },
      ),
      apply: (deposit, term) => ok(withTerm(deposit, term)),
    }),
    warnOfEnd: command({
      by: 'host',
      from: held,
      event: 'update',
      description:
        'Announces the end of the guarantee or of an authorisation; given by rule before it, and at `guaranteedUntil` when the deposit goes on.',
      input: withReason,
      apply: warnOfEnd,
    }),
    extend: command({
      by: 'host',
      from: held,
      event: 'update',
      reasonCode: 'extended',
      unless: 'cash-outs would exceed the deposit, or captures and releases what is secured',
      refuses: ['exceeds_deposit', 'exceeds_secured', 'exceeds_payment'],
      description: 'Extends or shortens it: a new stay, a new term and, by its `transaction`, a new amount.',
      // Only its transaction moves money.
      money: { status: 'succeeded', rest: changedBy, isBooked: isDeposited, asAsked: 'secured_as_deposited' },
      input: extension,
      apply: extend,
    }),
    checkIn: command({
      by: 'partner',
      from: held,
      event: 'check_in',
      unless: 'it was done before',
      refuses: ['already_done'],
      description: 'Records the entry inspection.',
      input: nothing,
      apply: (deposit, _input, { now }) =>
        deposit.checkedInAt === undefined
          ? ok({ ...deposit, checkedInAt: now })
          : refuse('already_done', 'The entry inspection was done before.'),
    }),
    checkOut: command({
      by: 'partner',
      from: held,
      event: 'check_out',
      unless: 'it was done before, or check-in is missing',
      refuses: ['already_done', 'not_checked_in'],
      description: 'Records the exit inspection.',
      input: nothing,
      apply: (deposit, _input, { now }) => {
        if (deposit.checkedInAt === undefined) return refuse('not_checked_in', 'The entry inspection comes first.');
        if (deposit.checkedOutAt !== undefined) return refuse('already_done', 'The exit inspection was done before.');
        return ok({ ...deposit, checkedOutAt: now });
      },
    }),
    finish: command({
      by: 'partner',
      from: ['in_progress'],
      to: 'finished',
      event: 'finish',
      unless: 'a cash-out is open',
      refuses: ['open_cash_outs'],
      description: 'Ends the deposit; also given by rule at `guaranteedUntil`.',
      input: withReason,
      apply: (deposit) =>
        deposit.cashOuts.some(isOpen)
          ? refuse('open_cash_outs', 'A cash-out is open: it must end first.')
          : ok(deposit),
    }),
    litigate: command({
      by: 'host',
      from: held,
      to: 'litigation',
      event: 'litigation',
      unless: 'no cash-out is in dispute',
      refuses: ['no_dispute'],
      description: 'Opens the dispute; also follows from `deny` of a cash-out. In a dispute it changes nothing.',
      input: withReason,
      apply: (deposit) =>
        deposit.status === 'litigation' || deposit.cashOuts.some(isDisputed)
          ? ok(deposit)
          : refuse('no_dispute', 'No cash-out is in dispute: the recipient must claim against one first.'),
    }),
    resume: command({
      by: 'host',
      from: ['litigation'],
      to: 'in_progress',
      event: 'update',
      description:
        'Ends the dispute; also follows when the last disputed cash-out is cancelled, accepted, settled, completed or failed.',
      input: withReason,
    }),
    fail: command({
      by: 'host',
      from: running,
      to: 'error',
      event: 'global_error',
      description: 'Records a global error; also given by rule at `guaranteedUntil`.',
      input: withReason,
    }),
  },
  rules: { ...sendingRules, ...expiryRules(depositBooks), ...termRules },
  waitsIn: running,
});

/** The fields of a new security deposit. @public */
export interface DepositInput extends InputOf<typeof deposit.create.input> {}
/** The commands on a security deposit, each with its input. @public */
export interface DepositCommands extends InputsOf<typeof deposit.commands> {}
/** A change of a security deposit by RFC 7396: at least one field. @public */
export type DepositChange = DepositCommands['change'];
