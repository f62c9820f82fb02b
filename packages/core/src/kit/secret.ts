import { type DerivedSecret, deriveSecret } from '../base/crypto/derived-secret.ts';
import { fromBase64 } from '../base/runtime/base64.ts';
import { isBytes } from '../base/runtime/brand.ts';

/**
 * Reads a secret when a kit is created, such as `secretFile(path)`. `development`: the sender's, so that a secret is
 * made in development only.
 * @public
 */
export type SecretSource = (mode: { readonly development: boolean }) => string | Uint8Array;

/**
 * The secret of a platform: 32 random bytes, as bytes, in Base64 or Base64url, or a function that reads them.
 * @public
 */
export type Secret = string | Uint8Array | SecretSource;

const length = 32;
const base64Form = /^[A-Za-z0-9+/_-]{43}=?$/;

/** How to make a secret. */
export const secretRemedy = `Make one with: node -p "crypto.randomBytes(${length}).toString('base64')".`;

/** A file ends with a line end. */
const bytesOf = (secret: unknown): unknown => {
  if (typeof secret !== 'string' || !base64Form.test(secret.trim())) return secret;
  const text = secret.trim().replaceAll('-', '+').replaceAll('_', '/');
  return fromBase64(text.slice(0, 43).padEnd(44, '='));
};

/** Random bytes are all visible characters once in 10^13 times, and have fewer than 8 values never. */
const isRandom = (bytes: Uint8Array): boolean =>
  new Set(bytes).size >= 8 && !bytes.every((byte) => byte >= 0x20 && byte <= 0x7e);

/** The problem of a secret that is no function, as the end of a sentence that does not quote it. */
export const secretProblem = (secret: unknown): string | undefined => {
  if (secret === undefined || secret === null || secret === '') return `is missing. ${secretRemedy}`;
  const bytes = bytesOf(secret);
  if (typeof bytes === 'string')
    return `has ${bytes.trim().length} characters, and is not ${length} bytes in Base64. ${secretRemedy}`;
  if (!isBytes(bytes)) return `is no text, no Uint8Array and no function. ${secretRemedy}`;
  if (bytes.length !== length) return `has ${bytes.length} bytes; ${length} are needed. ${secretRemedy}`;
  return isRandom(bytes) ? undefined : `is not random. ${secretRemedy}`;
};

/**
 * Reads a secret or a list of secrets, each of which is a text, bytes or a function.
 * @throws TypeError when a function returned no secret, or one is listed twice.
 */
export const readSecrets = (
  given: Secret | readonly Secret[],
  mode: Parameters<SecretSource>[0],
): readonly DerivedSecret[] => {
  const list = Array.isArray(given) ? (given as readonly Secret[]) : [given as Secret];
  const placeOf = (at: number): string => (Array.isArray(given) ? `secret[${at}]` : 'secret');
  const derived = list.map((each, at) => {
    const secret = typeof each === 'function' ? each(mode) : each;
    const problem = secretProblem(secret);
    if (problem !== undefined) throw new TypeError(`createPartnerkit: the option ${placeOf(at)} ${problem}`);
    return deriveSecret(bytesOf(secret) as Uint8Array);
  });
  for (const [at, { id }] of derived.entries()) {
    const first = derived.findIndex((each) => each.id === id);
    if (first !== at)
      throw new TypeError(
        `createPartnerkit: the option ${placeOf(at)} is the same secret as ${placeOf(first)}: list each one once.`,
      );
  }
  return derived;
};
