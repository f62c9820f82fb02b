import type { SendOutcome } from '@partnerkit/core';

/** What of an attempt is logged. @internal */
export interface LoggedOutcome {
  readonly took: unknown;
  readonly status: unknown;
  readonly reason: unknown;
  readonly retry: unknown;
  readonly body: unknown;
}

/** @internal */
export const outcomeOf = ({ took, status, reason, retry, body }: LoggedOutcome): SendOutcome => {
  if (reason !== null)
    return {
      kind: 'failed',
      reason: reason as Extract<SendOutcome, { kind: 'failed' }>['reason'],
      took: Number(took),
    };
  const retryAfter = retry === null ? {} : { retryAfter: String(retry) };
  return { kind: 'answered', status: Number(status), body: String(body), ...retryAfter, took: Number(took) };
};
