import { err, ok, type Result } from 'neverthrow';
import { equalInConstantTime } from '../crypto/equal.ts';
import { type HmacKey, hmacKey, hmacSha256 } from '../crypto/hmac.ts';
import { fromBase64 } from '../runtime/base64.ts';
import { type DurationMs, type EpochMs, type EpochSeconds, minute, second } from '../runtime/time.ts';
import type { SignatureFailure } from './webhook-signature.ts';

/** A webhook secret made ready for Standard Webhooks: the key is what its Base64 part stands for. @public */
export interface StandardKey {
  /** @internal */
  readonly sha256: HmacKey;
}

/** @throws TypeError when the secret is not `whsec_` and Base64. @public */
export const standardKey = (secret: string): StandardKey => {
  const bytes = secret.startsWith('whsec_') ? fromBase64(secret.slice('whsec_'.length)) : undefined;
  if (!bytes || bytes.length === 0) throw new TypeError('A Standard Webhooks secret is whsec_ and Base64.');
  return { sha256: hmacKey(bytes) };
};

const sign = (key: StandardKey, id: string, timestamp: EpochSeconds, body: string | Uint8Array): string =>
  `v1,${hmacSha256(key.sha256, `${id}.${timestamp}.`, body)}`;

/**
 * The headers of Standard Webhooks (version 1.0.0), signed with each of `keys`: HMAC-SHA-256 of id, time and body.
 * @public
 */
export const standardHeaders = (
  keys: readonly StandardKey[],
  id: string,
  timestamp: EpochSeconds,
  body: string | Uint8Array,
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': keys.map((key) => sign(key, id, timestamp, body)).join(' '),
});

/** How far the time of a delivery may be from the receiver's. */
const tolerance: DurationMs = 5 * minute;

/** What a Standard Webhooks request carries. @public */
export interface StandardRequest {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
}

/**
 * Checks the headers of Standard Webhooks: one of the signatures fits one of the keys, and the time is within five minutes.
 * @public
 */
export const verifyStandard = (
  body: string | Uint8Array,
  { id, timestamp, signature }: StandardRequest,
  keys: readonly StandardKey[],
  now: EpochMs,
): Result<void, SignatureFailure> => {
  if (!id || !timestamp || !signature) return err({ code: 'missing_signature' });
  // A header that was sent twice, as servers join it: a list of signatures has blanks alone.
  if (signature.includes(', ')) return err({ code: 'wrong_signature' });
  if (!/^(0|[1-9]\d{0,11})$/.test(timestamp)) return err({ code: 'wrong_signature' });
  const seconds = Number(timestamp);
  const offered = signature.split(' ').slice(0, 16);
  const fits = keys
    .map((key) => sign(key, id, seconds, body))
    .filter((expected) => offered.some((each) => equalInConstantTime(each, expected)));
  const timely = Math.abs(seconds * second - now) <= tolerance;
  return fits.length > 0 && timely ? ok(undefined) : err({ code: 'wrong_signature' });
};
