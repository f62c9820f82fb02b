import { createPrivateKey, type webcrypto } from 'node:crypto';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  compactVerify,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';
import { createSigner, type Signer, type SigningAlgorithm } from '../tokens/signer.ts';

/**
 * A key of the ring, as a JWK (RFC 7517) with `kid` and `alg`. A private JWK signs and verifies; a public JWK verifies.
 * @public
 */
export type RingKey = webcrypto.JsonWebKey & {
  /** Key ID, unique in the ring. */
  readonly kid: string;
  /** Signature algorithm (RFC 7518). */
  readonly alg: SigningAlgorithm;
};

export interface LoadedKey {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly publicJwk: JWK;
  readonly verifyKey: CryptoKey;
  /** Absent for a key that only verifies. */
  readonly sign: Signer | undefined;
}

const algorithms: readonly string[] = [
  'ES256',
  'ES384',
  'EdDSA',
  'RS256',
  'PS256',
] satisfies readonly SigningAlgorithm[];

/** Members of a JWK that are public (RFC 7518 §6). */
const publicMembers = ['kty', 'crv', 'x', 'y', 'n', 'e'] as const;

/**
 * Generates a key as a JWK; store it outside the database. Its `kid` is its thumbprint (RFC 7638).
 * @example
 * const key = await generateRingKey();
 * @param alg - Algorithm of the key. Default: `ES256`.
 * @public
 */
export const generateRingKey = async (alg: SigningAlgorithm = 'ES256'): Promise<RingKey> => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: await calculateJwkThumbprint(await exportJWK(publicKey)), alg };
};

const publicPart = ({ kid, alg, ...jwk }: RingKey): JWK => {
  const members = publicMembers.filter((member) => jwk[member] !== undefined).map((member) => [member, jwk[member]]);
  return { ...Object.fromEntries(members), kid, alg, use: 'sig' };
};

const leastRsaBits = 2_048;

/** @throws TypeError that names the key and its problem. */
const loadKey = async (key: RingKey): Promise<LoadedKey> => {
  const { kid, alg } = key;
  if (typeof kid !== 'string' || kid === '') throw new TypeError('keys: each key needs a kid.');
  const wrong = (why: string, cause?: unknown): TypeError => new TypeError(`keys: "${kid}" ${why}`, { cause });
  if (!algorithms.includes(alg)) throw wrong(`needs an alg of ${algorithms.join(', ')}.`);
  if (key.kty === 'oct') throw wrong('is symmetric; a key pair is needed.');

  const load = async (jwk: JWK): Promise<CryptoKey> => {
    const loaded = await importJWK(jwk, alg).catch((cause: unknown) => {
      throw wrong(`is no key for ${alg}.`, cause);
    });
    if (ArrayBuffer.isView(loaded)) throw wrong('is symmetric; a key pair is needed.');
    const { modulusLength } = loaded.algorithm as { readonly modulusLength?: number };
    if (modulusLength !== undefined && modulusLength < leastRsaBits)
      throw wrong(`is shorter than ${leastRsaBits} bits.`);
    return loaded;
  };

  const publicJwk = publicPart(key);
  const verifyKey = await load(publicJwk);
  const signKey = key.d === undefined ? undefined : await load(key);
  const sign =
    signKey && createSigner(createPrivateKey({ key: { ...key }, format: 'jwk' }), { alg, kid, typ: 'at+jwt' });
  if (sign) {
    // Detects a JWK with the public and private parts of two keys before the first token is issued.
    await compactVerify(await sign({}), verifyKey).catch((cause: unknown) => {
      throw wrong('has a public and a private half that do not belong together.', cause);
    });
  }
  return { kid, alg, publicJwk, verifyKey, sign };
};

const remedy = 'make one with generateRingKey(), keep it as JSON, and hand over [JSON.parse(SIGNING_KEY)].';

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

/** @throws TypeError when the keys are not JWKs, two keys have the same kid, or the first cannot sign. */
export const loadRing = async (keys: readonly RingKey[]): Promise<ReadonlyMap<string, LoadedKey>> => {
  assertKeys(keys);
  const ring = new Map<string, LoadedKey>();
  for (const key of keys) {
    if (ring.has(key.kid)) throw new TypeError(`keys: the kid "${key.kid}" is used twice.`);
    ring.set(key.kid, await loadKey(key));
  }
  const [first] = ring.values();
  if (!first?.sign) throw new TypeError('keys: the first key signs, so it must be private.');
  return ring;
};
