import { tables } from './tables.ts';

export type Kind = 'payments' | 'deposits' | 'paymentTemplates' | 'depositTemplates';
export const kinds: readonly Kind[] = ['payments', 'deposits', 'paymentTemplates', 'depositTemplates'];

/** 100 EUR, in cents: what every payment and deposit is about. */
export const total = 10_000;

export interface CashOutModel {
  readonly id: string;
  status: string;
  amount: number;
  claimed: boolean;
  refunded?: boolean;
  version: number;
  readonly events: string[];
}
export interface ObjectModel {
  readonly kind: Kind;
  status: string;
  version: number;
  refunded: number;
  /** Payments: what was charged, and what of it came back unpaid. */
  charged: number;
  returned: number;
  /** The stage of each chargeback that was reported. */
  readonly chargebacks: Map<string, string>;
  checkedIn: boolean;
  checkedOut: boolean;
  readonly cashOuts: CashOutModel[];
  /** The events that it must have had, in order. */
  readonly events: string[];
}
export interface Model {
  readonly objects: Map<string, ObjectModel>;
  /** How many commands were carried out: so often was the host's hook called and not refused. */
  carriedOut: number;
}

export const ofKind = ({ objects }: Model, kind: Kind): readonly [string, ObjectModel][] =>
  [...objects].filter(([, each]) => each.kind === kind);

export const isOpen = ({ status }: CashOutModel): boolean => !['done', 'cancelled', 'failed'].includes(status);
export const isDisputed = ({ status, claimed }: CashOutModel): boolean =>
  claimed && ['requested', 'claimed', 'denied'].includes(status);
/** What the cash-outs of a deposit take of it, one of them apart. */
export const taken = ({ cashOuts }: ObjectModel, except?: CashOutModel): number =>
  cashOuts
    .filter((each) => each !== except && each.status !== 'cancelled' && each.status !== 'failed')
    .reduce((sum, { amount }) => sum + amount, 0);

/** What becomes of an object, or the code of a refusal. */
export type Outcome = string | { readonly next: string; readonly events: readonly string[] };

/** The chargeback that a command with an index is about, and its stage. */
export const caseOf = (index: number, cents: number) => ({
  processorReference: `dp_${index % 2}`,
  stage: `stage_${cents % 3}`,
});

/** What of a payment was charged and did not come back. */
const bookedOf = ({ charged, returned, refunded }: ObjectModel): number => charged - returned - refunded;

export const outcomeOf = (object: ObjectModel, command: string, cents: number, index: number): Outcome => {
  if (object.status === 'deleted') return 'not_found';
  const row = tables[object.kind].get(`${object.status} ${command}`);
  if (!row) return 'wrong_state';
  if (command === 'checkIn' && object.checkedIn) return 'already_done';
  if (command === 'checkOut' && !object.checkedIn) return 'not_checked_in';
  if (command === 'checkOut' && object.checkedOut) return 'already_done';
  if (command === 'finish' && object.cashOuts.some(isOpen)) return 'open_cash_outs';
  if (command === 'litigate' && !object.cashOuts.some(isDisputed)) return 'no_dispute';
  if (command === 'giveEvidence' && !object.chargebacks.has(caseOf(index, cents).processorReference))
    return 'invalid_input';
  if (command === 'cancel' && bookedOf(object) > 0) return 'money_booked';
  // What came back is not paid.
  if (command === 'returnTransaction' && object.status === 'payed') return { ...row, next: 'pending' };
  if (command !== 'refund') return row;
  if (object.refunded + cents > total) return 'exceeds_payment';
  return { ...row, next: object.refunded + cents === total ? 'refunded' : 'payed' };
};

/** Writes down what a command did beside the state. */
export const remember = (object: ObjectModel, command: string, cents: number, index: number): void => {
  if (command === 'checkIn') object.checkedIn = true;
  if (command === 'checkOut') object.checkedOut = true;
  if (command === 'refund') object.refunded += cents;
  // Without an amount, what is left is paid.
  if (command === 'succeed') object.charged = total + object.returned;
  if (command === 'returnTransaction' && object.kind === 'payments') object.returned += cents;
  const { processorReference, stage } = caseOf(index, cents);
  if (command === 'updateChargeback') object.chargebacks.set(processorReference, stage);
};

/** What a command names of the offer that it is meant for. */
export interface Named {
  readonly amount?: number | undefined;
  readonly version?: number | undefined;
}

/** The states of a deposit in which its money is held, and those in which it is or was. */
export const held: readonly string[] = ['in_progress', 'litigation'];
const everHeld: readonly string[] = [...held, 'finished', 'error'];

/** The commands on a cash-out that is done. */
export const afterwards: readonly string[] = ['collect', 'markIrrecoverable', 'refund'];

export const cashOutOutcome = (
  deposit: ObjectModel,
  cashOut: CashOutModel,
  command: string,
  cents: number,
  named: Named,
): Outcome => {
  const row = tables.cashOuts.get(`${cashOut.status} ${command}`);
  const within = command === 'settle' ? ['litigation'] : command === 'change' ? everHeld : held;
  const isAfter = afterwards.includes(command);
  if (!row || (!isAfter && !within.includes(deposit.status))) return 'wrong_state';
  // Each is completed with all of its amount, and refunded as a whole.
  if (isAfter && (command !== 'refund' || cashOut.refunded)) return 'already_done';
  const tooMuch = taken(deposit, cashOut) + cents > total;
  if ((command === 'offer' || command === 'settle') && tooMuch) return 'exceeds_deposit';
  const needsVersion =
    (command === 'accept' && named.amount === undefined) || (command === 'complete' && cashOut.status === 'denied');
  if (needsVersion && named.version === undefined) return 'version_required';
  if (command === 'accept' && named.amount !== undefined && named.amount !== cashOut.amount) return 'amount_mismatch';
  return named.version !== undefined && named.version !== cashOut.version ? 'version_mismatch' : row;
};

/** Moves a cash-out, and its deposit where a rule follows. */
export const moveCashOut = (deposit: ObjectModel, cashOut: CashOutModel, command: string, outcome: Outcome): void => {
  const { next, events } = outcome as Exclude<Outcome, string>;
  cashOut.status = next;
  cashOut.version++;
  cashOut.events.push(...events);
  deposit.version++;
  deposit.events.push(...events);
  if (command === 'claim') cashOut.claimed = true;
  if (command === 'refund') cashOut.refunded = true;
  if (command === 'deny' && deposit.status === 'in_progress') {
    deposit.status = 'litigation';
    deposit.events.push('litigation');
  }
  const ends = ['cancel', 'accept', 'settle', 'complete', 'fail'].includes(command);
  if (ends && deposit.status === 'litigation' && !deposit.cashOuts.some(isDisputed)) {
    deposit.status = 'in_progress';
    deposit.events.push('update');
  }
};
