import { failureKinds } from '../../base/signals/send-failure.ts';
import type { SendOutcome } from '../deliveries/sender.ts';

const isStatus = (status: number): boolean => Number.isInteger(status) && status >= 100 && status <= 999;

/**
 * Checks the outcome of the host's sender, and rounds its duration to milliseconds. An outcome that the store refuses
 * would block all others of its batch.
 * @throws TypeError
 */
export const checkOutcome = (outcome: SendOutcome): SendOutcome => {
  const { kind, durationMs } = outcome;
  const known =
    kind === 'answered'
      ? isStatus(outcome.status) && typeof outcome.body === 'string'
      : kind === 'failed' && Object.hasOwn(failureKinds, outcome.reason);
  if (!known || !Number.isFinite(durationMs) || durationMs < 0) {
    throw new TypeError(
      'Sender.send: a status from 100 to 999 and a body, or a reason of SendFailure; and how long it took.',
    );
  }
  return { ...outcome, durationMs: Math.round(durationMs) };
};
