import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

/**
 * A key of ES256 as a JWK (RFC 7518 §6.2). A private JWK signs and verifies; a public JWK verifies.
 * @public
 */
export interface SigningKey {
  /** Key ID, unique in the list. */
  readonly kid: string;
  /** Signature algorithm (RFC 7518 §3.4). */
  readonly alg: 'ES256';
  /** Key type. */
  readonly kty: 'EC';
  /** Curve. */
  readonly crv: 'P-256';
  /** X coordinate of the public point, in Base64url. */
  readonly x: string;
  /** Y coordinate of the public point, in Base64url. */
  readonly y: string;
  /** Private key, in Base64url. Absent in a key that only verifies. */
  readonly d?: string;
}

interface LoadedKey {
  readonly kid: string;
  readonly publicKey: KeyObject;
  /** As it is published (RFC 7517). */
  readonly publicJwk: object;
  /** Absent for a key that only verifies. */
  readonly privateKey: KeyObject | undefined;
}

/** Thumbprint (RFC 7638): the members in lexicographic order. */
const thumbprint = (x: string, y: string): string =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url');

/**
 * Generates a key as a JWK; store it outside the database. Its `kid` is its thumbprint (RFC 7638).
 * @example
 * const key = generateSigningKey();
 * @public
 */
export const generateSigningKey = (): SigningKey => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y, d } = privateKey.export({ format: 'jwk' }) as Record<'x' | 'y' | 'd', string>;
  return { kty: 'EC', crv: 'P-256', x, y, d, kid: thumbprint(x, y), alg: 'ES256' };
};

const remedy = 'make one with generateSigningKey(), keep it as JSON, and hand over [JSON.parse(SIGNING_KEY)].';

/** @throws TypeError that names the key and its problem, never a private member. */
const loadKey = ({ kid, alg, kty, crv, x, y, d }: SigningKey): LoadedKey => {
  if (typeof kid !== 'string' || kid === '') throw new TypeError('keys: each key needs a kid.');
  const wrong = (why: string, cause?: unknown): TypeError => new TypeError(`keys: "${kid}" ${why}`, { cause });
  if (alg !== 'ES256' || kty !== 'EC' || crv !== 'P-256')
    throw wrong('is no key for ES256; for other algorithms use joseAccessTokens of @partnerkit/node/jose.');
  const jwk = { kty, crv, x, y };
  const load = <K>(create: () => K): K => {
    try {
      return create();
    } catch (cause) {
      throw wrong('is no key for ES256.', cause);
    }
  };
  const publicKey = load(() => createPublicKey({ key: jwk, format: 'jwk' }));
  const privateKey = d === undefined ? undefined : load(() => createPrivateKey({ key: { ...jwk, d }, format: 'jwk' }));
  // Detects a JWK with the public and private parts of two keys before the first token is issued.
  const sample = Buffer.from(kid);
  if (privateKey && !verify('sha256', sample, publicKey, sign('sha256', sample, privateKey)))
    throw wrong('has a public and a private half that do not belong together.');
  return { kid, publicKey, publicJwk: { ...jwk, kid, alg, use: 'sig' }, privateKey };
};

/** @throws TypeError with the remedy, for no keys, the JSON of a key, or a CryptoKey. */
const assertKeys = (keys: unknown): void => {
  if (!Array.isArray(keys) || keys.length === 0)
    throw new TypeError(`keys: a list of JWKs is needed, and its first key signs: ${remedy}`);
  for (const [place, key] of keys.entries()) {
    if (typeof key === 'string') throw new TypeError(`keys[${place}] is text: ${remedy}`);
    if (typeof key !== 'object' || key === null || !('kty' in key))
      throw new TypeError(`keys[${place}] is no JWK: ${remedy}`);
  }
};

/** A loaded ring; its first key signs. */
export interface KeyRing {
  readonly signing: LoadedKey & { readonly privateKey: KeyObject };
  readonly byId: ReadonlyMap<string, LoadedKey>;
}

/** @throws TypeError when the keys are not JWKs, two keys have the same kid, or the first cannot sign. */
export const loadKeyRing = (keys: readonly SigningKey[]): KeyRing => {
  assertKeys(keys);
  const byId = new Map<string, LoadedKey>();
  for (const key of keys) {
    if (byId.has(key.kid)) throw new TypeError(`keys: the kid "${key.kid}" is used twice.`);
    byId.set(key.kid, loadKey(key));
  }
  const [first] = byId.values();
  if (!first?.privateKey) throw new TypeError('keys: the first key signs, so it must be private.');
  return { signing: { ...first, privateKey: first.privateKey }, byId };
};
