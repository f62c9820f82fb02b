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
  /** Returned by the host. */
  readonly refunded?: MinorUnits;
  /** Returned by the payer's bank. */
  readonly chargedBack?: MinorUnits;
  /** Cash-outs only: what was collected. */
  readonly collected?: MinorUnits;
}

/** @internal */
export type SumName = keyof TransactionSums;

/**
 * A law of the books. Amounts say nothing of whose money it is, so each law compares sums of one object.
 * @public
 */
export type LawName =
  | 'secured_within_authorised'
  | 'taken_within_secured'
  | 'returned_within_charged'
  | 'collected_within_asked'
  | 'returned_within_collected';

/** Whose books: those of a payment request or security deposit, or those of a cash-out. @internal */
export type BooksOf = 'request' | 'cashOut';

/** One law. @internal */
export interface Law {
  /** Its name. */
  readonly name: LawName;
  /** The books that it holds in. */
  readonly of: BooksOf;
  /** The law, in a sentence. */
  readonly sentence: string;
  /** How a command is refused that would break it. */
  readonly refusal: CommandRefusal;
  /** How much more there is than the law allows; 0 or less: it holds. `asked` is the amount of the object. */
  excess(sums: Readonly<Record<SumName, MinorUnits>>, asked: MinorUnits): number;
}

/** Every law of the books. @internal */
export const laws: readonly Law[] = [
  {
    name: 'secured_within_authorised',
    of: 'request',
    sentence: 'No more is secured than was authorised.',
    refusal: { code: 'exceeds_authorised', message: 'More would be secured than was authorised.' },
    excess: ({ secured, authorised }) => secured - authorised,
  },
  {
    name: 'taken_within_secured',
    of: 'request',
    sentence: 'Captures and releases are no more than what is secured.',
    refusal: { code: 'exceeds_secured', message: 'Captures and releases would be more than what is secured.' },
    excess: ({ captured, released, secured }) => captured + released - secured,
  },
  {
    name: 'returned_within_charged',
    of: 'request',
    sentence: 'Refunds and chargebacks are no more than charges and captures.',
    refusal: { code: 'exceeds_payment', message: 'The refunds would be more than the payment.' },
    excess: ({ refunded, chargedBack, charged, captured }) => refunded + chargedBack - charged - captured,
  },
  {
    name: 'collected_within_asked',
    of: 'cashOut',
    sentence: 'No more is collected than the amount of the cash-out.',
    refusal: { code: 'exceeds_cash_out', message: 'More would be collected than the amount of the cash-out.' },
    excess: ({ collected }, asked) => collected - asked,
  },
  {
    name: 'returned_within_collected',
    of: 'cashOut',
    sentence: 'Refunds are no more than what was collected.',
    refusal: { code: 'exceeds_collected', message: 'The refunds would be more than what was collected.' },
    excess: ({ refunded, collected }) => refunded - collected,
  },
];
