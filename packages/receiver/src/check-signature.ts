import type { HttpHeaders } from '@partnerkit/core/http';
import {
  type SignatureFailure,
  type SigningKey,
  type StandardKey,
  signatureHeader,
  signingKey,
  standardKey,
  verifySignature,
  verifyStandard,
} from '@partnerkit/core/receiver';
import type { Clock } from '@partnerkit/core/time';

/** A secret without the form of Standard Webhooks verifies `X-WEBHOOK-SIGNATURE` only. */
const standardKeysOf = (secrets: readonly string[]): readonly StandardKey[] =>
  secrets.flatMap((secret) => {
    try {
      return [standardKey(secret)];
    } catch {
      return [];
    }
  });

/**
 * The value of a header. A repeated header is joined with a comma, as most servers do, so that each server gives the
 * same result.
 * @internal
 */
export const headerText = (headers: HttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  if (typeof value === 'string') return value;
  // An inherited property is not a header.
  return Array.isArray(value) ? value.join(', ') : undefined;
};

const isStandard = (headers: HttpHeaders): boolean =>
  headers['webhook-signature'] !== undefined ||
  headers['webhook-id'] !== undefined ||
  headers['webhook-timestamp'] !== undefined;

/**
 * Makes the check of both schemes. At least one signature must be present, and every one present must be valid: a valid
 * SHA-1 signature does not excuse a wrong SHA-256 one. With `standardOnly`, the SHA-256 signature must be present.
 * @throws TypeError when there is no secret, or an empty one.
 * @internal
 */
export const createSignatureCheck = (
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
