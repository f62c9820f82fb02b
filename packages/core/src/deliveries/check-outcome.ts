import type { SendFailure, SendOutcome } from './sender.ts';

const failures: Readonly<Record<SendFailure, true>> = {
  timeout: true,
  dns: true,
  forbidden_address: true,
  connect: true,
  tls: true,
  reset: true,
  abandoned: true,
  internal: true,
  out_of_reach: true,
};

/** Each reason why an attempt has no answer. @internal */
export const sendFailures = Object.keys(failures) as readonly SendFailure[];

const isStatus = (status: number): boolean => Number.isInteger(status) && status >= 100 && status <= 999;

/**
 * What a sender of the host's own answers, in whole milliseconds, if a store can keep it: one outcome that it cannot keep would hold up all
 * that are stored with it.
 * @throws TypeError
 * @internal
 */
export const checkOutcome = (outcome: SendOutcome): SendOutcome => {
  const { kind, took } = outcome;
  const known =
    kind === 'answered'
      ? isStatus(outcome.status) && typeof outcome.body === 'string'
      : kind === 'failed' && Object.hasOwn(failures, outcome.reason);
  if (!known || !Number.isFinite(took) || took < 0) {
    throw new TypeError(
      'Sender.send: a status from 100 to 999 and a body, or a reason of SendFailure; and how long it took.',
    );
  }
  return { ...outcome, took: Math.round(took) };
};
