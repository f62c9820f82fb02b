import { type Attempt, envelopeText, type Post, type SendFailure, type SendOutcome, second } from '@partnerkit/core';
import fc from 'fast-check';
import { newEventArbitrary } from './events.ts';
import { moment } from './identifiers.ts';
import { recordOf } from './record-of.ts';
import { publicUrlArbitrary } from './urls.ts';

const deadline = 15 * second;
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
 * Every reason why there was no answer.
 * @example
 * fc.assert(fc.property(sendFailureArbitrary(), (reason) => !isDelivered({ kind: 'failed', reason, took: 0 })));
 * @public
 */
export const sendFailureArbitrary = (): fc.Arbitrary<SendFailure> =>
  fc.constantFrom(...(Object.keys(failures) as SendFailure[]));

type Answered = Extract<SendOutcome, { readonly kind: 'answered' }>;
type Failed = Extract<SendOutcome, { readonly kind: 'failed' }>;

/**
 * What may become of a POST: any status, with a body of up to 4 KiB and a `Retry-After` or not; or a failure.
 * @example
 * fc.assert(fc.property(sendOutcomeArbitrary(), ({ took }) => took >= 0));
 * @public
 */
export const sendOutcomeArbitrary = (): fc.Arbitrary<SendOutcome> => {
  const took = fc.nat(deadline);
  const answered = recordOf<Answered>(
    {
      kind: fc.constant('answered'),
      status: fc.oneof(
        fc.constantFrom(200, 204, 302, 400, 401, 404, 410, 429, 500, 503),
        fc.integer({ min: 200, max: 599 }),
      ),
      retryAfter: fc.constantFrom('0', '120', '86400', '999999', 'Wed, 21 Oct 2026 07:28:00 GMT', 'soon'),
      body: fc.oneof(
        { withCrossShrink: true },
        { weight: 9, arbitrary: fc.string({ unit: 'grapheme' }) },
        { weight: 1, arbitrary: fc.constant('é'.repeat(2_048)) },
      ),
      took,
    },
    {},
    ['retryAfter'],
  );
  const failed = recordOf<Failed>({ kind: fc.constant('failed'), reason: sendFailureArbitrary(), took }, {});
  return fc.oneof(answered, failed);
};

/**
 * Attempts as they were logged.
 * @example
 * fc.assert(fc.property(attemptArbitrary(), ({ at, took }) => at >= took));
 * @public
 */
export const attemptArbitrary = (): fc.Arbitrary<Attempt> =>
  fc.tuple(sendOutcomeArbitrary(), moment()).map(([outcome, at]) => ({ ...outcome, at }));

/**
 * POSTs as a sender is given them. The signature is of nobody.
 * @example
 * fc.assert(fc.property(postArbitrary(), ({ body }) => parseEnvelope(body) !== undefined));
 * @public
 */
export const postArbitrary = (change: Partial<Post> = {}): fc.Arbitrary<Post> =>
  fc
    .tuple(publicUrlArbitrary(), newEventArbitrary(), moment(), fc.integer({ min: 1, max: deadline }))
    .map(([url, { rest }, now, wait]) => ({
      url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'partnerkit',
        'x-webhook-signature': 'da39a3ee5e6b4b0d3255bfef95601890afd80709',
      },
      body: envelopeText(Math.floor(now / 1_000), rest),
      deadline: wait,
      ...change,
    }));
