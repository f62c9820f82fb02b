import { day, type EpochMs } from '../../base/runtime/time.ts';
import { withoutMoney } from '../books/booked.ts';
import type { Books } from '../books/books.ts';
import type { RequestPolicies } from '../record/policies.ts';
import type { StoredRequest } from '../record/record.ts';
import type { DueCommand, DueRule } from './due-rule.ts';

/** What a pending request may end by. */
interface Expiring extends StoredRequest {
  readonly dueDate?: string;
  readonly paymentUrlExpiresAt?: EpochMs;
}

/**
 * The rules that cancel a pending request. One whose debit came back is the host's to end: its dates have passed long
 * ago, and the payer may pay anew.
 */
export const expiryRules = <R extends Expiring>(booksOf: (request: R) => Books) => {
  const cancelAt = (request: R, at: EpochMs | undefined): DueCommand | undefined => {
    const books = booksOf(request);
    const hasMoney = withoutMoney(books).isErr() || (books.sums.returned ?? 0) > 0;
    if (request.status !== 'pending' || at === undefined || hasMoney) return undefined;
    return { at, command: 'cancel', input: { reason: { code: 'expired' } } };
  };
  const later = (end: EpochMs | undefined, after: number | undefined): EpochMs | undefined =>
    end === undefined || after === undefined ? undefined : end + after;
  return {
    dueDateExpired: (request: R, { expire }: RequestPolicies) => {
      const { dueDate } = request;
      return cancelAt(
        request,
        later(dueDate === undefined ? undefined : Date.parse(dueDate) + day, expire?.afterDueDate),
      );
    },
    paymentUrlExpired: (request: R, { expire }: RequestPolicies) =>
      cancelAt(request, later(request.paymentUrlExpiresAt, expire?.afterPaymentUrl)),
  } satisfies Record<string, DueRule<R>>;
};
