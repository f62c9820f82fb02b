import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { toBase64 } from '../runtime/base64.ts';
import { isBytes } from '../runtime/brand.ts';

/** The DER of a key (RFC 8410) up to its 32 bytes. */
const privateHead = Uint8Array.of(0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20);
const publicHead = Uint8Array.of(0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 0x21, 0);

const pem = (label: 'PRIVATE' | 'PUBLIC', head: Uint8Array, key: Uint8Array): string => {
  if (!isBytes(key) || key.length !== 32) throw new TypeError('An Ed25519 key is 32 bytes.');
  const text = toBase64(Uint8Array.of(...head, ...key));
  return `-----BEGIN ${label} KEY-----\n${text}\n-----END ${label} KEY-----\n`;
};

/** A private key of Ed25519 (RFC 8032), of its 32 secret bytes. @throws TypeError */
export const ed25519PrivateKey = (seed: Uint8Array): KeyObject => createPrivateKey(pem('PRIVATE', privateHead, seed));

/** A public key of Ed25519 (RFC 8032), of its 32 bytes. @throws TypeError */
export const ed25519PublicKey = (bytes: Uint8Array): KeyObject => createPublicKey(pem('PUBLIC', publicHead, bytes));

/** The 32 bytes of the public key. */
export const ed25519PublicBytes = (seed: Uint8Array): Uint8Array =>
  Uint8Array.from(
    createPublicKey(ed25519PrivateKey(seed)).export({ format: 'der', type: 'spki' }).subarray(publicHead.length),
  );

/** A signature of Ed25519 (RFC 8032), 64 bytes. */
export const signEd25519 = (key: KeyObject, message: Uint8Array): Uint8Array => sign(null, message, key);

/** Whether a signature of Ed25519 (RFC 8032) fits. */
export const verifyEd25519 = (key: KeyObject, message: Uint8Array, signature: Uint8Array): boolean =>
  signature.length === 64 && verify(null, message, key, signature);
