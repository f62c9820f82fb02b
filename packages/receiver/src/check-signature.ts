import {
  type Clock,
  type HttpHeaders,
  type SignatureFailure,
  type SigningKey,
  type StandardKey,
  signatureHeader,
  signingKey,
  standardKey,
  verifySignature,
  verifyStandard,
} from '@partnerkit/core/receiver';

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
 * A header's value. One that was sent twice is joined, as most servers do by themselves: so it is refused alike behind each of them.
 * @internal
 */
export const headerText = (headers: HttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  if (typeof value === 'string') return value;
  // Names that every object inherits are no headers.
  return Array.isArray(value) ? value.join(', ') : undefined;
};

const isStandard = (headers: HttpHeaders): boolean =>
  headers['webhook-signature'] !== undefined ||
  headers['webhook-id'] !== undefined ||
  headers['webhook-timestamp'] !== undefined;

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
    const request = {
      id: headerText(headers, 'webhook-id'),
      timestamp: headerText(headers, 'webhook-timestamp'),
      signature: headerText(headers, 'webhook-signature'),
    };
    const checked = verifyStandard(body, request, standardKeys, clock.now());
    return checked.isErr() ? checked.error.code : undefined;
  };

  return (headers, body) => {
    if (isStandard(headers)) {
      const refusal = standard(headers, body);
      if (refusal || headers[signatureHeader] === undefined) return refusal;
    } else if (standardOnly) return 'missing_signature';
    const checked = verifySignature(body, headerText(headers, signatureHeader), keys);
    return checked.isErr() ? checked.error.code : undefined;
  };
};
