import type { SendFailure } from '@partnerkit/core/ports';
import fc from 'fast-check';

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

/**
 * Every reason for a POST without a response.
 * @internal
 */
export const sendFailureArbitrary = (): fc.Arbitrary<SendFailure> =>
  fc.constantFrom(...(Object.keys(failures) as SendFailure[]));
