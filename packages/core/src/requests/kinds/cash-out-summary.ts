import type { EpochMs } from '../../base/runtime/time.ts';
import type { MinorUnits } from '../fields/money.ts';

/** The states of a cash-out; `done`, `cancelled` and `failed` are final. @public */
export type CashOutStatus =
  | 'requested'
  | 'claimed'
  | 'denied'
  | 'accepted'
  | 'settled'
  | 'escrowed'
  | 'done'
  | 'cancelled'
  | 'failed';

/**
 * What a deposit stores about each cash-out: enough to check all of them together.
 * @public
 */
export interface CashOutSummary {
  /** The cash-out's id. */
  readonly id: string;
  /** Its state. */
  readonly status: CashOutStatus;
  /** Its amount, in the deposit's currency. */
  readonly amount: MinorUnits;
  /** What was collected. Absent on one that is done: its amount. */
  readonly collectedAmount?: MinorUnits;
  /** The sum of its refunds. Absent: no refund. */
  readonly refundedAmount?: MinorUnits;
  /** The partner's own number or name for it. */
  readonly reference?: string;
  /** When the recipient last claimed against it. */
  readonly claimedAt?: EpochMs;
}

/** Whether the cash-out has not reached a final state. */
export const isOpen = ({ status }: CashOutSummary): boolean => !['done', 'cancelled', 'failed'].includes(status);

/** Whether the amount counts against the deposit. */
export const takesAmount = ({ status }: CashOutSummary): boolean => status !== 'cancelled' && status !== 'failed';

/** Whether the recipient has claimed and no amount is agreed or settled. */
export const isDisputed = ({ status, claimedAt }: CashOutSummary): boolean =>
  claimedAt !== undefined && ['requested', 'claimed', 'denied'].includes(status);

/** What was collected. One that is done without an amount was collected as a whole. */
export const collectedOf = ({
  status,
  amount,
  collectedAmount,
}: Pick<CashOutSummary, 'status' | 'amount' | 'collectedAmount'>): MinorUnits =>
  collectedAmount ?? (status === 'done' ? amount : 0);
