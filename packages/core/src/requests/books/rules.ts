import type { Result } from '#result';
import type { EpochMs } from '../../base/runtime/time.ts';
import type { MinorUnits } from '../fields/money.ts';
import type { StoredRequest } from '../record/record.ts';
import type { CommandRefusal } from '../record/refusal.ts';
import type { Books } from './books.ts';
import type { LawName, TransactionSums } from './laws.ts';
import type { RequestTransaction, TransactionKind, TransactionStatus } from './transaction.ts';

/** The money that a command moves. */
export interface MoneyRule<R extends StoredRequest = StoredRequest> {
  /** How its transaction ended. */
  readonly status: TransactionStatus;
  /** The kind of its transaction, where the input names none. Absent: the command is a report, which names it. */
  readonly kind?: TransactionKind;
  /** The amount that it moves, where the input names none. Absent: the command is a report. */
  rest?(record: R, input: unknown): Result<MinorUnits, CommandRefusal>;
  /**
   * Whether the books have all that it waits for: where its transaction was reported before, it is then applied without
   * one. Absent: a transaction that was stored before changes nothing.
   */
  isBooked?(record: R, input: unknown): boolean;
  /** The law that it breaks, without a refusal, where the input names another amount than `rest`. @defaultValue none */
  readonly asAsked?: LawName;
}

/** The books of the objects of a kind. */
export interface BooksRule<R extends StoredRequest = StoredRequest> {
  /** The books of a record, with what its state implies where no transaction says it. */
  read(record: R): Books;
  /** The record with these sums, and with the transaction that led to them. */
  write(
    record: R,
    sums: TransactionSums,
    moved: {
      /** Absent: the command names none. */
      readonly transaction: RequestTransaction | undefined;
      /** Whether the command names an amount. */
      readonly isNamed: boolean;
    },
  ): R;
  /**
   * The record with the later end of an authorisation or of a guarantee; the same one where neither is later.
   * Absent: nothing follows from these.
   */
  lengthen?(
    record: R,
    ends: {
      /** The end that was known before. */
      readonly from?: EpochMs | undefined;
      /** The later end of the authorisation. Absent: it stays. */
      readonly to?: EpochMs;
      /** What the command says of the guarantee. */
      readonly guaranteedUntil?: EpochMs;
    },
  ): R;
}
