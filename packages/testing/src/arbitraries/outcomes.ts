import { failureKinds, type SendFailure } from '@partnerkit/core/adapter';
import fc from 'fast-check';

/** Every reason for a POST without a response. */
export const sendFailureArbitrary = (): fc.Arbitrary<SendFailure> =>
  fc.constantFrom(...(Object.keys(failureKinds) as SendFailure[]));
