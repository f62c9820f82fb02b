import { equalInConstantTime } from '../../base/crypto/equal.ts';
import { type HmacKey, hmacKey, hmacSha256 } from '../../base/crypto/hmac.ts';
import { fromBase64 } from '../../base/runtime/base64.ts';
import { type DurationMs, type EpochMs, type EpochSeconds, minute, second } from '../../base/runtime/time.ts';
import type { SignatureVerdict } from './webhook-signature.ts';

/** A prepared key for Standard Webhooks: the decoded Base64 part of a webhook secret. @public */
export interface StandardKey {
  /** @internal */
  readonly sha256: HmacKey;
}

/**
 * Prepares a webhook secret for Standard Webhooks.
 * @throws TypeError when the secret is not `whsec_` and Base64.
 * @example
 * const keys = [standardKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')]; // during a rotation, the next one, too
 * @public
 */
export const standardKey = (secret: string): StandardKey => {
  const bytes = secret.startsWith('whsec_') ? fromBase64(secret.slice('whsec_'.length)) : undefined;
  if (!bytes || bytes.length === 0) throw new TypeError('A Standard Webhooks secret is whsec_ and Base64.');
  return { sha256: hmacKey(bytes) };
};

const sign = (key: StandardKey, id: string, timestamp: EpochSeconds | string, body: string | Uint8Array): string =>
  `v1,${hmacSha256(key.sha256, `${id}.${timestamp}.`, body)}`;

/**
 * The headers of Standard Webhooks (version 1.0.0) with a signature for each key: HMAC-SHA-256 of id, timestamp and
 * body.
 * @example
 * const now = Math.floor(Date.now() / 1_000);
 * const headers = standardHeaders([standardKey(webhookSecret)], `${eventId}_${endpointId}`, now, webhookBody);
 * console.log(headers['webhook-signature']); // v1,…
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

/** Maximum difference between the timestamp of a request and the receiver's clock. */
const tolerance: DurationMs = 5 * minute;

/** Whether a timestamp, in a unit of so many milliseconds, is within the tolerance of `now`. */
export const isTimely = (timestamp: string | undefined, now: EpochMs, unit: DurationMs = second): boolean =>
  timestamp !== undefined &&
  /^(0|[1-9]\d{0,14})$/.test(timestamp) &&
  Math.abs(Number(timestamp) * unit - now) <= tolerance;

/** With a number behind a full stop in the id, bytes could move between id, timestamp and body. */
export const isUnambiguous = (id: string): boolean =>
  !id
    .split('.')
    .slice(1)
    .some((part) => /^\d+$/.test(part));

/** The headers of a Standard Webhooks request. @public */
export interface StandardRequest {
  /** `webhook-id`. */
  readonly id: string | undefined;
  /** `webhook-timestamp`, in seconds since 1970. */
  readonly timestamp: string | undefined;
  /** `webhook-signature`: signatures separated by blanks; the first 16 are checked. */
  readonly signature: string | undefined;
}

/**
 * Verifies a Standard Webhooks request in constant time: a signature must match a key, and the timestamp must be within
 * five minutes of `now`. Compare the verdict with `valid`: every verdict is a text, which is truthy.
 * @example
 * const request = { id: 'msg_1', timestamp: '1893456000', signature: 'v1,…' }; // of the headers
 * const verdict = verifyStandard(webhookBody, request, [standardKey(webhookSecret)], Date.now());
 * if (verdict !== 'valid') throw new Error(verdict);
 * @public
 */
export const verifyStandard = (
  body: string | Uint8Array,
  { id, timestamp, signature }: StandardRequest,
  keys: readonly StandardKey[],
  now: EpochMs,
): SignatureVerdict => {
  if (!id || !timestamp || !signature) return 'missing_signature';
  // Servers join repeated headers with a comma; a list of signatures has blanks only.
  if (signature.includes(', ') || !isUnambiguous(id)) return 'wrong_signature';
  const timely = isTimely(timestamp, now);
  const offered = signature.split(' ').slice(0, 16);
  const fits = keys
    .map((key) => sign(key, id, timestamp, body))
    .filter((expected) => offered.some((each) => equalInConstantTime(each, expected)));
  return fits.length > 0 && timely ? 'valid' : 'wrong_signature';
};
