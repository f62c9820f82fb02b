import { equalInConstantTime } from '../../base/crypto/equal.ts';
import { type HmacKey, hmacKey, hmacSha1 } from '../../base/crypto/hmac.ts';
import { toUtf8 } from '../../base/runtime/text.ts';

/** Name of the signature header (specification §5.3), in lower case. @public */
export const signatureHeader = 'x-webhook-signature';

/** A prepared key for `X-WEBHOOK-SIGNATURE`. @public */
export interface SigningKey {
  /** @internal */
  readonly sha1: HmacKey;
}

/**
 * Prepares a webhook secret: the key of `X-WEBHOOK-SIGNATURE` is the UTF-8 bytes of the whole secret.
 * @throws TypeError when the secret is empty.
 * @example
 * const key = signingKey(webhookSecret); // once, not for each request
 * const verdict = verifySignature(webhookBody, 'c0ffee…', [key]);
 * @public
 */
export const signingKey = (secret: string): SigningKey => {
  // An unset variable would become the empty key, with which anyone can sign.
  if (typeof secret !== 'string' || secret === '') throw new TypeError('A webhook secret must not be empty.');
  return { sha1: hmacKey(toUtf8(secret)) };
};

/**
 * The value of `X-WEBHOOK-SIGNATURE`: HMAC-SHA-1 (RFC 2104) of the exact body, 40 lowercase hex digits.
 * @example
 * signBody(signingKey('s3cr3t'), '{"a":1}');
 * @public
 */
export const signBody = (key: SigningKey, body: string | Uint8Array): string => hmacSha1(key.sha1, body);

/**
 * Why a signature was refused.
 *
 * - `missing_signature`: a header is absent or empty.
 * - `wrong_signature`: no key matches, a header is malformed, or its timestamp is out of tolerance.
 * @public
 */
export type SignatureFailure = 'missing_signature' | 'wrong_signature';

/** The result of a verification: `valid`, or why the signature was refused. @public */
export type SignatureVerdict = 'valid' | SignatureFailure;

/**
 * Verifies `X-WEBHOOK-SIGNATURE` over the exact bytes received, in constant time. One of `keys` must match; pass two
 * keys during a rotation. Compare the verdict with `valid`: every verdict is a text, which is truthy.
 * @example
 * const genuine = (body: Uint8Array, header: string | undefined) =>
 *   verifySignature(body, header, [signingKey(webhookSecret)]) === 'valid';
 * @public
 */
export const verifySignature = (
  body: string | Uint8Array,
  header: string | undefined,
  keys: readonly SigningKey[],
): SignatureVerdict => {
  if (header === undefined || header === '') return 'missing_signature';
  let matches = false;
  // Tries every key: the duration must not reveal which key matches.
  for (const key of keys) if (equalInConstantTime(header, signBody(key, body))) matches = true;
  return matches ? 'valid' : 'wrong_signature';
};
