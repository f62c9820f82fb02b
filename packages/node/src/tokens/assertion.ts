import { constants, createPublicKey, verify } from 'node:crypto';
import { promisify } from 'node:util';
import type { AccessTokens } from '@partnerkit/core/adapter';
import { splitCompact } from './compact.ts';

type VerifyAssertion = NonNullable<AccessTokens['verifyAssertion']>;
type Algorithm = Parameters<VerifyAssertion>[2];

/** How the signatures of an algorithm are verified, and the keys that it takes (RFC 7518 §3.1, RFC 8037). */
interface Verification {
  readonly kty: 'EC' | 'OKP' | 'RSA';
  readonly crv?: string;
  readonly digest: 'sha256' | 'sha384' | undefined;
  /** Length of a signature in bytes. Absent: that of the modulus (RFC 8017 §8.1.2). */
  readonly bytes?: number;
  readonly options: { readonly dsaEncoding?: 'ieee-p1363'; readonly padding?: number; readonly saltLength?: number };
}

const ecdsa = { kty: 'EC', options: { dsaEncoding: 'ieee-p1363' } } as const;
const ed25519 = { kty: 'OKP', crv: 'Ed25519', digest: undefined, bytes: 64, options: {} } as const;
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };

const verifications: Readonly<Record<Algorithm, Verification>> = {
  ES256: { ...ecdsa, crv: 'P-256', digest: 'sha256', bytes: 64 },
  ES384: { ...ecdsa, crv: 'P-384', digest: 'sha384', bytes: 96 },
  Ed25519: ed25519,
  EdDSA: ed25519,
  RS256: { kty: 'RSA', digest: 'sha256', options: { padding: constants.RSA_PKCS1_PADDING } },
  PS256: { kty: 'RSA', digest: 'sha256', options: pss },
};

/** In the thread pool of Node.js. */
const verifyInThread = promisify(verify);

/** Verifies the signature of a client assertion by one public key and one algorithm. */
export const verifyAssertion: VerifyAssertion = async (assertion, key, alg) => {
  const [head, body, signature = ''] = splitCompact(assertion) ?? [];
  const { kty, crv, digest, bytes, options } = verifications[alg];
  if (head === undefined || key.kty !== kty || key.crv !== crv) return false;
  const publicKey = createPublicKey({ key: { ...key }, format: 'jwk' });
  const sent = Buffer.from(signature, 'base64url');
  // OpenSSL takes a signature of PS256 without its leading zeros, too.
  if (sent.length !== (bytes ?? Math.ceil((publicKey.asymmetricKeyDetails?.modulusLength ?? 0) / 8))) return false;
  return verifyInThread(digest, Buffer.from(`${head}.${body}`), { key: publicKey, ...options }, sent);
};
