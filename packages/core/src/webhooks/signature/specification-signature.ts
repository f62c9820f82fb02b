import { assertOptionNames } from '../../base/runtime/option-names.ts';
import { type SignatureOptions, type SignatureScheme, untilOf } from './signature-scheme.ts';
import { signatureHeader, signBody, signingKey, verifySignature } from './webhook-signature.ts';

/**
 * `X-WEBHOOK-SIGNATURE` (specification §5.3): HMAC-SHA-1 of the exact body, in lower-case hex. The default.
 * @example
 * const until = Date.UTC(2027, 2, 1);
 * const signatures = [standardWebhooks(), specificationSignature({ until })];
 * @throws TypeError when an option is wrong.
 * @public
 */
export const specificationSignature = (options: SignatureOptions = {}): SignatureScheme => {
  assertOptionNames('specificationSignature', options, { until: true });
  return {
    name: 'specification',
    headers: [signatureHeader],
    documents: {
      'X-WEBHOOK-SIGNATURE': {
        description: 'HMAC-SHA-1 of the exact body, keyed with the webhook secret, in lower-case hex.',
        pattern: '^[0-9a-f]{40}$',
      },
    },
    bodyHmac: { algorithm: 'sha1', prefix: '' },
    isWeak: true,
    usesSecret: true,
    ...untilOf('specificationSignature', options),
    secretProblem: () => undefined,
    signer: ([secret]) => {
      const key = signingKey(secret);
      return ({ body }, headers) => {
        headers[signatureHeader] = signBody(key, body);
      };
    },
    verifier: (secrets) => {
      const keys = secrets.map(signingKey);
      return ({ header, body }) => {
        const value = header(signatureHeader);
        return value === undefined ? 'absent' : verifySignature(body, value, keys);
      };
    },
  };
};
