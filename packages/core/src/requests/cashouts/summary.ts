import type { EpochMs } from '../../runtime/time.ts';
import type { Minor } from '../money.ts';

/** The states of a cash-out. @public */
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
 * What a deposit knows of each of its cash-outs: enough to decide on them together.
 * @public
 */
export interface CashOutSummary {
  readonly id: string;
  readonly status: CashOutStatus;
  readonly amount: Minor;
  readonly reference?: string;
  /** When the recipient claimed against it. */
  readonly claimedAt?: EpochMs;
}

/** Whether it has not reached a final state. @internal */
export const isOpen = ({ status }: CashOutSummary): boolean => !['done', 'cancelled', 'failed'].includes(status);

/** Whether its amount is taken, or may be, from the deposit. @internal */
export const takesAmount = ({ status }: CashOutSummary): boolean => status !== 'cancelled' && status !== 'failed';

/** Whether the recipient has claimed against it, and no amount is agreed or settled. @internal */
export const isDisputed = ({ status, claimedAt }: CashOutSummary): boolean =>
  claimedAt !== undefined && ['requested', 'claimed', 'denied'].includes(status);
