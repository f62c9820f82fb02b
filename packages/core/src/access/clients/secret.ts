import { sha256 } from '../../base/crypto/sha256.ts';
import { toBase62 } from '../../base/runtime/base62.ts';
import type { Random } from '../../base/runtime/random.ts';

const form = /^[A-Za-z0-9]{1,16}_([A-Za-z0-9]{12})_[A-Za-z0-9]{43}([A-Za-z0-9]{6})$/;
const checksumLength = 6;

/** The first 32 bits of a SHA-256, in base 62. */
const checksum = (text: string): string => {
  const head = Number.parseInt(sha256(text).slice(0, 8), 16);
  return toBase62(Uint8Array.of(head >>> 24, head >>> 16, head >>> 8, head), checksumLength);
};

/** The digest of a secret; stores keep only this. */
export const digestSecret = (secret: string): string => sha256(secret);

/** Compared instead of a missing digest, so that unknown and known clients cost the same time. */
export const noDigest = '0'.repeat(64);

/** The digest of a secret that was missing when it was hashed. */
export const emptyDigest = sha256('');

/**
 * A new secret: `<prefix>_<secretId>_<entropy><checksum>` in `[A-Za-z0-9_]`, with 256 random bits. Secret scanners find
 * it by the prefix. The checksum detects typing errors without a call of the store; it authenticates nothing.
 */
export const mintSecret = (prefix: string, random: Random): { readonly id: string; readonly secret: string } => {
  const id = toBase62(random.bytes(8), 12);
  const body = `${prefix}_${id}_${toBase62(random.bytes(32), 43)}`;
  return { id, secret: body + checksum(body) };
};

/** Whether a secret has the form of ours, perhaps with a typing error. */
export const hasOurForm = (secret: string): boolean => form.test(secret);

/** Whether a text is the id of a secret of ours. */
export const isSecretId = (id: string): boolean => /^[A-Za-z0-9]{12}$/.test(id);

/** The id of an imported secret, derived from what is stored of it, so that it can be imported twice. */
export const importedSecretId = (clientId: string, digest: string): string =>
  sha256(`${clientId}\n${digest}`).slice(0, 12);

/** The id inside a well-formed secret, else `undefined`. Costs one hash in each case. */
export const secretIdOf = (secret: string): string | undefined => {
  const expected = checksum(secret.slice(0, -checksumLength));
  const match = form.exec(secret);
  return match?.[2] === expected ? match[1] : undefined;
};
