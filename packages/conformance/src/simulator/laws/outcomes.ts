import type { SendOutcome } from '@partnerkit/core/adapter';
import { longestRetryAfter } from './numbers.ts';

/** The `Retry-After` of a response, in milliseconds. */
export const retryAfter = (outcome: SendOutcome | undefined): number => {
  if (outcome?.kind !== 'answered' || outcome.retryAfter === undefined || !/^\d+$/.test(outcome.retryAfter)) return 0;
  return Math.min(Number(outcome.retryAfter) * 1_000, longestRetryAfter);
};

export const isSuccess = (outcome: SendOutcome | undefined): boolean =>
  outcome?.kind === 'answered' && outcome.status >= 200 && outcome.status <= 299;
