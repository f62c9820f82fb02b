import { createHash } from 'node:crypto';
import fc from 'fast-check';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base62 = (length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length });

/** The readable part of a secret. @internal */
export const secretId = (): fc.Arbitrary<string> => base62(12);

/** The first 32 bits of a SHA-256, in six digits of base 62. */
const checksumOf = (body: string): string => {
  let rest = createHash('sha256').update(body).digest().readUInt32BE();
  let text = '';
  for (let digit = 0; digit < 6; digit++) {
    text = alphabet.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
};

const isWellFormed = (text: string): boolean =>
  /^[A-Za-z0-9]{1,16}_[A-Za-z0-9]{12}_[A-Za-z0-9]{49}$/.test(text) && checksumOf(text.slice(0, -6)) === text.slice(-6);

/**
 * Well-formed client secrets, `<prefix>_<secretId>_<entropy><checksum>`, with a correct checksum. They belong to no
 * client.
 * @internal
 */
export const wellFormedSecretArbitrary = (prefix = 'pks'): fc.Arbitrary<string> =>
  fc.tuple(secretId(), base62(43)).map(([id, entropy]) => {
    const body = `${prefix}_${id}_${entropy}`;
    return body + checksumOf(body);
  });

/** Typical mistakes in a secret; `at` is an index into it. */
const mistakes: readonly ((secret: string, at: number) => string)[] = [
  (secret, at) => secret.slice(0, at),
  (secret, at) => `${secret.slice(0, at)}${secret.slice(at + 1)}`,
  (secret, at) => `${secret.slice(0, at)}${secret.charAt(at)}${secret.slice(at)}`,
  (secret, at) => `${secret.slice(0, at)}${secret.charAt(at) === 'x' ? 'y' : 'x'}${secret.slice(at + 1)}`,
  (secret, at) => `${secret.slice(0, at)}é${secret.slice(at + 1)}`,
  (secret, at) => `${secret.slice(0, at)}${secret.charAt(at + 1)}${secret.charAt(at)}${secret.slice(at + 2)}`,
  (secret) => `${secret} `,
  (secret) => ` ${secret}`,
  (secret) => secret.toLowerCase(),
];

/**
 * Non-empty texts that are not client secrets: mostly a secret with a mistake, such as an omitted, doubled or swapped
 * character. Core refuses them before it reads a store.
 * @example
 * const { client, login } = await scriptedHost();
 * const property = fc.asyncProperty(malformedSecretArbitrary(), (secret) =>
 *   rejects(login({ id: client.id, secret }), /The login was refused/),
 * );
 * await fc.assert(property, { numRuns: 9 }); // after the tenth, the limit for failed logins refuses as well
 * @public
 */
export const malformedSecretArbitrary = (): fc.Arbitrary<string> => {
  const mistaken = fc
    .tuple(wellFormedSecretArbitrary(), fc.constantFrom(...mistakes), fc.nat(64))
    .map(([secret, mistake, at]) => mistake(secret, at));
  return fc
    .oneof({ weight: 4, arbitrary: mistaken }, { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1 }) })
    .filter((text) => text !== '' && !isWellFormed(text));
};
