import type { MinorUnits } from '../fields/money.ts';
import type { CommandRefusal } from '../record/refusal.ts';

/**
 * The sums of the transactions of one object that succeeded, in the smallest unit of its currency. An absent sum is 0.
 * @public
 */
export interface TransactionSums {
  /** Reserved in all. */
  readonly authorised?: MinorUnits;
  /** Of that, what the host may rely on. */
  readonly secured?: MinorUnits;
  /** Taken of what is secured. */
  readonly captured?: MinorUnits;
  /** Taken without an authorisation. */
  readonly charged?: MinorUnits;
  /** Given back of what is secured. */
  readonly released?: MinorUnits;
  /** Given back by the host. */
  readonly refunded?: MinorUnits;
  /** Taken back by the payer's bank. */
  readonly chargedBack?: MinorUnits;
  /** Of chargebacks, what came back because they were won. */
  readonly chargebackReversed?: MinorUnits;
  /** Of charges and captures, what came back unpaid. */
  readonly returned?: MinorUnits;
  /** Cash-outs only: what was collected. */
  readonly collected?: MinorUnits;
}

export type SumName = keyof TransactionSums;

/**
 * A law of the books. Amounts say nothing of whose money it is, so each law compares sums of one object.
 * @public
 */
export type LawName =
  | 'paid_as_asked'
  | 'secured_as_deposited'
  | 'secured_within_authorised'
  | 'taken_within_secured'
  | 'refunded_within_charged'
  | 'reversed_within_charged_back'
  | 'collected_within_asked'
  | 'refunded_within_collected';

/** Whose books: those of a payment request, of a security deposit, or of a cash-out. */
export type BooksOf = 'payment' | 'deposit' | 'cashOut';

/** One law. */
export interface Law {
  /** Its name. */
  readonly name: LawName;
  /** The books that it holds in. */
  readonly of: readonly BooksOf[];
  /** The law, in a sentence. */
  readonly sentence: string;
  /** How a command is refused that would break it. Absent: it is flagged, and never refused. */
  readonly refusal?: CommandRefusal;
  /** How far the books are from the law; 0 or less: it holds. */
  excess(sums: Readonly<Record<SumName, MinorUnits>>, object: Asked): number;
}

/** What an object asks for. */
export interface Asked {
  /** Its amount; 0 once it is cancelled. */
  readonly asked: MinorUnits;
  /** Whether its state relies on all of it. @defaultValue false */
  readonly isRelied?: boolean;
}

/** What a payer has paid. */
export const paidOf = ({ charged, captured, returned }: Readonly<Record<SumName, MinorUnits>>): MinorUnits =>
  charged + captured - returned;
/** What a deposit has received. */
export const depositedOf = ({ secured, charged, returned }: Readonly<Record<SumName, MinorUnits>>): MinorUnits =>
  secured + charged - returned;

const request = ['payment', 'deposit'] as const;

/** Every law of the books. */
export const laws: readonly Law[] = [
  {
    name: 'paid_as_asked',
    of: ['payment'],
    sentence: 'What is paid is the amount of the payment request.',
    excess: (sums, { asked }) => paidOf(sums) - asked,
  },
  {
    name: 'secured_as_deposited',
    of: ['deposit'],
    sentence: 'What is deposited is the amount of the security deposit.',
    excess: (sums, { asked, isRelied }) => {
      const deposited = depositedOf(sums);
      const over = deposited - sums.released - sums.refunded - asked;
      return isRelied ? Math.max(over, asked - deposited) : over;
    },
  },
  {
    name: 'secured_within_authorised',
    of: request,
    sentence: 'No more is secured than was authorised.',
    refusal: { code: 'exceeds_authorised', message: 'More would be secured than was authorised.' },
    excess: ({ secured, authorised }) => secured - authorised,
  },
  {
    name: 'taken_within_secured',
    of: request,
    sentence: 'Captures and releases are no more than what is secured.',
    refusal: { code: 'exceeds_secured', message: 'Captures and releases would be more than what is secured.' },
    excess: ({ captured, released, secured }) => captured + released - secured,
  },
  {
    name: 'refunded_within_charged',
    of: request,
    sentence: 'Refunds, returns and chargebacks that were not won are no more than charges and captures.',
    refusal: { code: 'exceeds_payment', message: 'The refunds would be more than the payment.' },
    excess: ({ refunded, chargedBack, chargebackReversed, returned, charged, captured }) =>
      refunded + chargedBack - chargebackReversed + returned - charged - captured,
  },
  {
    name: 'reversed_within_charged_back',
    of: request,
    sentence: 'Chargebacks that were won are no more than chargebacks.',
    excess: ({ chargebackReversed, chargedBack }) => chargebackReversed - chargedBack,
  },
  {
    name: 'collected_within_asked',
    of: ['cashOut'],
    sentence: 'No more is collected than the amount of the cash-out.',
    refusal: { code: 'exceeds_cash_out', message: 'More would be collected than the amount of the cash-out.' },
    excess: ({ collected }, { asked }) => collected - asked,
  },
  {
    name: 'refunded_within_collected',
    of: ['cashOut'],
    sentence: 'Refunds are no more than what was collected.',
    refusal: { code: 'exceeds_collected', message: 'The refunds would be more than what was collected.' },
    excess: ({ refunded, collected }) => refunded - collected,
  },
];
