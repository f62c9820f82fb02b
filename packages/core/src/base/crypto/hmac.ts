import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

/** Block size of SHA-1 and SHA-256. Longer keys are rare; `createHmac` handles them. */
const block = 64;

/** A prepared HMAC key. */
export interface HmacKey {
  /** The key for `createHmac`. */
  readonly key: () => KeyObject;
  /** The padded keys of RFC 2104, section 2. Absent for a key longer than a block. */
  readonly pads?: { readonly inner: Uint8Array; readonly outer: Uint8Array };
}

export const hmacKey = (bytes: Uint8Array): HmacKey => {
  let made: KeyObject | undefined;
  // Made when it is first used: most keys are used by their pads alone.
  const key = (): KeyObject => {
    made ??= createSecretKey(bytes);
    return made;
  };
  if (bytes.length > block) return { key };
  const padded = (by: number): Uint8Array => {
    const pad = new Uint8Array(block);
    pad.set(bytes);
    for (let place = 0; place < block; place++) pad[place] = (pad[place] as number) ^ by;
    return pad;
  };
  return { key, pads: { inner: padded(0x36), outer: padded(0x5c) } };
};

const encoder = new TextEncoder();
/** Reused buffers for pad and body: two hashes over them take half the time of an `Hmac`. */
const inner = new Uint8Array(block + 65_536);
const outer = new Uint8Array(block + 32);

/** Writes a part at `from`. Returns where it ends, or `undefined` when it does not fit. */
const put = (part: string | Uint8Array, from: number): number | undefined => {
  // A character has three bytes at most.
  if (from + (typeof part === 'string' ? 3 * part.length : part.length) > inner.length) return undefined;
  if (typeof part === 'string') return from + encoder.encodeInto(part, inner.subarray(from)).written;
  inner.set(part, from);
  return from + part.length;
};

const hmac = (
  { algorithm, encoding }: { readonly algorithm: 'sha1' | 'sha256'; readonly encoding: 'hex' | 'base64' },
  { key, pads }: HmacKey,
  before: string,
  body: string | Uint8Array,
): string => {
  const middle = pads && (before === '' ? block : put(before, block));
  const end = middle && put(body, middle);
  if (!pads || !end) {
    const slow = createHmac(algorithm, key()).update(before, 'utf8');
    return (typeof body === 'string' ? slow.update(body, 'utf8') : slow.update(body)).digest(encoding);
  }
  inner.set(pads.inner);
  const digest = hash(algorithm, inner.subarray(0, end), 'binary');
  outer.set(pads.outer);
  for (let place = 0; place < digest.length; place++) outer[block + place] = digest.charCodeAt(place);
  return hash(algorithm, outer.subarray(0, block + digest.length), encoding);
};

/** HMAC-SHA-1 (RFC 2104), 40 lowercase hex digits. A string is hashed as UTF-8. */
export const hmacSha1 = (key: HmacKey, body: string | Uint8Array): string =>
  hmac({ algorithm: 'sha1', encoding: 'hex' }, key, '', body);

/** HMAC-SHA-256 (RFC 2104) of `before` followed by `body`, in Base64. */
export const hmacSha256 = (key: HmacKey, before: string, body: string | Uint8Array): string =>
  hmac({ algorithm: 'sha256', encoding: 'base64' }, key, before, body);

/** An algorithm of HMAC (RFC 2104). @public */
export type HmacAlgorithm = 'sha1' | 'sha256' | 'sha384' | 'sha512';
/** How bytes are written in a header. @public */
export type DigestEncoding = 'hex' | 'hex-upper' | 'base64' | 'base64url';

/** HMAC (RFC 2104) of `before`, `body` and `after`. */
export const hmacDigest = (
  algorithm: HmacAlgorithm,
  encoding: DigestEncoding,
  { key }: HmacKey,
  [before, body, after]: readonly [string, string | Uint8Array, string],
): string => {
  const digest = createHmac(algorithm, key()).update(before, 'utf8');
  const whole = typeof body === 'string' ? digest.update(body, 'utf8') : digest.update(body);
  whole.update(after, 'utf8');
  return encoding === 'hex-upper' ? whole.digest('hex').toUpperCase() : whole.digest(encoding);
};
