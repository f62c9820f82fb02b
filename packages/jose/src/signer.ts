import { constants, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { SigningAlgorithm } from './key-ring.ts';

/** Signs the payload of a JWS with one key, and resolves to it in compact form (RFC 7515 §7.1). @internal */
export type Signer = (payload: object) => Promise<string>;

interface Algorithm {
  readonly digest: 'sha256' | 'sha384' | undefined;
  /** Of ECDSA: the bytes of each of the two numbers (RFC 7518 §3.4). */
  readonly numberBytes?: 32 | 48;
  readonly padding?: number;
}

const algorithms: Readonly<Record<SigningAlgorithm, Algorithm>> = {
  ES256: { digest: 'sha256', numberBytes: 32 },
  ES384: { digest: 'sha384', numberBytes: 48 },
  EdDSA: { digest: undefined },
  RS256: { digest: 'sha256' },
  PS256: { digest: 'sha256', padding: constants.RSA_PKCS1_PSS_PADDING },
};

/** By a thread of Node.js's pool: to hand it over takes some 4 µs, where the fastest signature takes 17. */
const signInThread = promisify(sign);

/**
 * The two numbers of an ECDSA signature, side by side, from DER: `30 len 02 len r 02 len s`, each number without leading zeros but
 * for a sign. Asking Node.js for this form takes longer than to sign.
 */
const sideBySide = (der: Buffer, numberBytes: number): Buffer => {
  const both = Buffer.alloc(2 * numberBytes);
  const write = (from: number, to: number, end: number): void => {
    const digits = der.subarray(Math.max(from, to - numberBytes), to);
    both.set(digits, end - digits.length);
  };
  const endOfFirst = 4 + (der[3] as number);
  write(4, endOfFirst, numberBytes);
  write(endOfFirst + 2, der.length, 2 * numberBytes);
  return both;
};

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * With node:crypto, by one KeyObject: WebCrypto, through which jose signs, costs twice the time of the whole rest of a login.
 * @internal
 */
export const createSigner = (
  key: KeyObject,
  header: { readonly alg: SigningAlgorithm; readonly kid: string; readonly typ: string },
): Signer => {
  const { digest, numberBytes, padding } = algorithms[header.alg];
  const given = padding === undefined ? key : { key, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  const head = base64url(header);
  return async (payload) => {
    const signed = `${head}.${base64url(payload)}`;
    const signature = await signInThread(digest, Buffer.from(signed), given);
    const bytes = numberBytes === undefined ? signature : sideBySide(signature, numberBytes);
    return `${signed}.${bytes.toString('base64url')}`;
  };
};
