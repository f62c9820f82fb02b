import {
  type Clock,
  type HttpHeaders,
  type SignatureFailure,
  type SigningKey,
  type StandardKey,
  signatureHeader,
  signingKey,
  singleHeader,
  standardKey,
  verifySignature,
  verifyStandard,
} from '@partnerkit/core/receiver';

const standardNames = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** Standard Webhooks need a secret of their form; another signs `X-WEBHOOK-SIGNATURE` alone. */
const standardKeysOf = (secrets: readonly string[]): readonly StandardKey[] =>
  secrets.flatMap((secret) => {
    try {
      return [standardKey(secret)];
    } catch {
      return [];
    }
  });

/**
 * Makes the check of both schemes: every signature that a request carries must be good, and one there must be. So a good
 * SHA-1 signature never excuses a bad SHA-256 one, nor, with `standardOnly`, one that is missing.
 * @throws TypeError when there is no secret, or an empty one.
 * @internal
 */
export const signatureCheck = (
  secrets: readonly string[],
  clock: Clock,
  standardOnly: boolean,
): ((headers: HttpHeaders, body: Uint8Array) => SignatureFailure['code'] | undefined) => {
  if (secrets.length === 0) throw new TypeError('secrets: at least one webhook secret is needed.');
  const keys: readonly SigningKey[] = secrets.map(signingKey);
  const standardKeys = standardKeysOf(secrets);

  const standard = (headers: HttpHeaders, body: Uint8Array): SignatureFailure['code'] | undefined => {
    const [id, timestamp, signature] = standardNames.map((name) => singleHeader(headers, name));
    return verifyStandard(body, { id, timestamp, signature }, standardKeys, clock.now()).match(
      () => undefined,
      ({ code }) => code,
    );
  };

  return (headers, body) => {
    const isStandard = standardNames.some((name) => headers[name] !== undefined);
    const isLegacy = headers[signatureHeader] !== undefined;
    if (standardOnly && !isStandard) return 'missing_signature';
    const refusal = isStandard ? standard(headers, body) : undefined;
    if (refusal || (isStandard && !isLegacy)) return refusal;
    return verifySignature(body, singleHeader(headers, signatureHeader), keys).match(
      () => undefined,
      ({ code }) => code,
    );
  };
};
