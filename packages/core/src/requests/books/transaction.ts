import type { EpochMs } from '../../base/runtime/time.ts';
import type { MinorUnits } from '../fields/money.ts';
import type { CommandReason } from '../record/record.ts';
import type { LawName } from './laws.ts';

export const transactionKinds = [
  'authorisation',
  'capture',
  'charge',
  'release',
  'refund',
  'chargeback',
  'chargeback_reversal',
  'return',
] as const satisfies readonly TransactionKind[];
/**
 * What a transaction did with the payer's money.
 *
 * - `authorisation` reserves an amount, `capture` takes of it, `release` gives of it back.
 * - `charge` takes an amount without an authorisation.
 * - `refund` gives back what was charged or captured; `chargeback` is the payer's bank taking it back, and
 *   `chargeback_reversal` its end when it is won: the money comes back.
 * - `return` is a debit that came back unpaid after it had succeeded, as with SEPA: a late failure.
 * @public
 */
export type TransactionKind =
  | 'authorisation'
  | 'capture'
  | 'charge'
  | 'release'
  | 'refund'
  | 'chargeback'
  | 'chargeback_reversal'
  | 'return';

/** How a transaction ended. Only one that succeeded moves money. @public */
export type TransactionStatus = 'succeeded' | 'failed' | 'cancelled';

/**
 * A transaction that the host's payment processor carried out, as stored. partnerkit records it; it moves no money.
 * @public
 */
export interface RequestTransaction {
  /** A UUID of version 7. */
  readonly id: string;
  /** What it did with the payer's money. */
  readonly kind: TransactionKind;
  /** How it ended. */
  readonly status: TransactionStatus;
  /** In the smallest unit of the currency. */
  readonly amount: MinorUnits;
  /** ISO 4217: that of its payment request or security deposit, or `breaks` names `other_currency`. */
  readonly currency: string;
  /** How it was paid, such as `card` or `sepa_debit`. */
  readonly method?: string;
  /** What the processor answered. */
  readonly outcome?: CommandReason;
  /** What the processor took for it, in the smallest unit of the currency. */
  readonly fee?: MinorUnits;
  /** When the processor carried it out. */
  readonly settledAt: EpochMs;
  /** Authorisations only: until when the processor lets it be captured. */
  readonly capturableUntil?: EpochMs;
  /** The processor's name for the payment that it belongs to. */
  readonly processorReference?: string;
  /** The host's own data: at most 20 pairs, at most 4 KiB as JSON. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** The cash-out that it was carried out for, or, of a report, whose money it took or gave back. */
  readonly cashOutId?: string;
  /**
   * What it disagrees with. Absent: nothing.
   *
   * - The laws of the books that it breaks.
   * - `other_currency`: its currency is not that of its object, and it is in none of the sums.
   * - `reference_twice`: it succeeded, and so did another of the account and kind with its `processorReference`.
   */
  readonly breaks?: readonly (LawName | 'other_currency' | 'reference_twice')[];
}

/**
 * What a payment request or security deposit stores of each of its latest transactions: the transaction without
 * `metadata` and the text of its outcome.
 * @public
 */
export interface TransactionSummary extends Omit<RequestTransaction, 'metadata' | 'outcome'> {
  /** The code that the processor answered. */
  readonly outcomeCode?: string;
}

/** Maximum number of transactions in a record. */
export const maxTransactions = 20;

export const summaryOf = ({ metadata: _metadata, outcome, ...rest }: RequestTransaction): TransactionSummary => ({
  ...rest,
  ...(outcome ? { outcomeCode: outcome.code } : {}),
});
