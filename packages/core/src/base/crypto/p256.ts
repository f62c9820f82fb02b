import { createECDH, hash } from 'node:crypto';
import { toBase64url } from '../runtime/base64.ts';

/** The order of P-256 (NIST SP 800-186 §3.2.1.3). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** Random bytes of a key: 16 more than the order has, so that the remainder is as good as uniform. */
export const p256Bytes = 48;

/**
 * A key pair of P-256 for ES256, as a JWK (RFC 7517, RFC 7518 §6.2).
 * @public
 */
export interface P256Jwk {
  /** Key type. */
  readonly kty: 'EC';
  /** Curve. */
  readonly crv: 'P-256';
  /** The x coordinate of the public key, in Base64url. */
  readonly x: string;
  /** The y coordinate of the public key, in Base64url. */
  readonly y: string;
  /** The private key, in Base64url. */
  readonly d: string;
  /** Key ID: the thumbprint of the public key (RFC 7638). */
  readonly kid: string;
  /** Signature algorithm. */
  readonly alg: 'ES256';
}

const numberOf = (bytes: Uint8Array): bigint => bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);

const bytesOf = (number: bigint): Uint8Array =>
  Uint8Array.from({ length: 32 }, (_, place) => Number((number >> BigInt(8 * (31 - place))) & 0xffn));

/** The key pair of {@link p256Bytes} random bytes: always the same (FIPS 186-5 A.2.1). */
export const p256Key = (bytes: Uint8Array): P256Jwk => {
  const d = bytesOf((numberOf(bytes) % (order - 1n)) + 1n);
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(d);
  // Uncompressed: a byte 4, then both coordinates.
  const point = pair.getPublicKey();
  const [x, y] = [toBase64url(point.subarray(1, 33)), toBase64url(point.subarray(33))];
  const members = `{"crv":"P-256","kty":"EC","x":"${x}","y":"${y}"}`;
  const kid = hash('sha256', members, 'base64url');
  return { kty: 'EC', crv: 'P-256', x, y, d: toBase64url(d), kid, alg: 'ES256' };
};
