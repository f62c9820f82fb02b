import { err, ok, type Result } from 'neverthrow';
import { equalInConstantTime } from '../crypto/equal.ts';
import { type HmacKey, hmacKey, hmacSha1 } from '../crypto/hmac.ts';
import { toUtf8 } from '../runtime/text.ts';

/** The header that carries the signature (specification §5.3), in lower case. @public */
export const signatureHeader = 'x-webhook-signature';

/** A webhook secret made ready to sign with, once. @public */
export interface SigningKey {
  /** @internal */
  readonly sha1: HmacKey;
}

/**
 * Makes a webhook secret ready: the key of `X-WEBHOOK-SIGNATURE` is the UTF-8 bytes of the whole secret.
 * @throws TypeError when the secret is empty.
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

/** Why a signature was refused. @public */
export interface SignatureFailure {
  readonly code: 'missing_signature' | 'wrong_signature';
}

/**
 * Checks `X-WEBHOOK-SIGNATURE` against the exact bytes received, in constant time, with any of `keys` (one, or two while
 * a secret is rotated).
 * @example
 * const genuine = (body: Uint8Array, header: string | undefined) =>
 *   verifySignature(body, header, [signingKey(webhookSecret)]).isOk();
 * @public
 */
export const verifySignature = (
  body: string | Uint8Array,
  header: string | undefined,
  keys: readonly SigningKey[],
): Result<void, SignatureFailure> => {
  if (header === undefined || header === '') return err({ code: 'missing_signature' });
  let matches = false;
  // Every key is tried, so that the time does not tell which one fits.
  for (const key of keys) if (equalInConstantTime(header, signBody(key, body))) matches = true;
  return matches ? ok(undefined) : err({ code: 'wrong_signature' });
};
