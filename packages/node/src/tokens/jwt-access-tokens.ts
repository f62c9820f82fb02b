import { type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { type AccessTokens, assertOptionNames, type TokenIssuer } from '@partnerkit/core/adapter';
import { verifyAssertion } from './assertion.ts';
import { acceptsIssuers, claimsOf, payloadOf } from './claims.ts';
import { splitCompact } from './compact.ts';
import { createSigner } from './signer.ts';
import { loadKeyRing, type SigningKey } from './signing-key.ts';

/**
 * Options of {@link jwtAccessTokens}.
 * @public
 */
export interface JwtAccessTokensOptions {
  /**
   * The key ring. The first key signs; every key verifies. To rotate: add the new key at the end, deploy it to every
   * process, then move it to the front. Remove the old key when its last token has expired.
   */
  readonly keys: readonly [SigningKey, ...SigningKey[]];
  /** The claim `iss`: the URL of the platform. */
  readonly issuer: string;
  /** The claim `aud`: the API that the tokens are for. */
  readonly audience: string;
  /** Earlier issuers, whose tokens still verify. List one until its last token has expired. @defaultValue none */
  readonly earlier?: readonly TokenIssuer[];
}

const optionNames: Readonly<Record<keyof JwtAccessTokensOptions, true>> = {
  keys: true,
  issuer: true,
  audience: true,
  earlier: true,
};

type Members = Readonly<Record<string, unknown>>;

/** A JSON object in Base64url; `undefined` for anything else. */
const objectOf = (part: string): Members | undefined => {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(part, 'base64url')));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
  } catch {
    return undefined;
  }
};

/** With or without the prefix (RFC 9068 §4). */
const types: readonly unknown[] = ['at+jwt', 'application/at+jwt'];

/** No extension is understood, so none may be critical (RFC 7515 §4.1.11). */
const isOurs = (header: Members): boolean =>
  header['alg'] === 'ES256' && types.includes(header['typ']) && !('crit' in header);

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** Whether a payload is valid now (RFC 9068 §4). */
const isValid = ({ nbf, exp }: Members): boolean => {
  const now = Math.floor(Date.now() / 1_000);
  const isDue = nbf === undefined || (isNumber(nbf) && nbf <= now);
  return isDue && isNumber(exp) && exp > now;
};

/** Bytes of a signature of ES256: two numbers of 32 bytes (RFC 7518 §3.4). */
const signatureBytes = 64;

/** In the thread pool of Node.js. */
const verifyInThread = promisify(verify);

const isSigned = async (key: KeyObject, signed: string, signature: string): Promise<boolean> => {
  const bytes = Buffer.from(signature, 'base64url');
  return (
    bytes.length === signatureBytes &&
    (await verifyInThread('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, bytes))
  );
};

/**
 * Access tokens as signed JWTs (RFC 9068) with ES256, by node:crypto. Only the keys of the ring verify them: no key,
 * algorithm or URL is taken from the header of a token.
 * @example
 * const tokens = jwtAccessTokens({
 *   keys: [generateSigningKey()],
 *   issuer: 'https://api.platform.example',
 *   audience: 'https://api.platform.example/api/v1/partner',
 * });
 * @throws TypeError that names the wrong option or key and its remedy.
 * @public
 */
export const jwtAccessTokens = (options: JwtAccessTokensOptions): AccessTokens => {
  assertOptionNames('jwtAccessTokens', options, optionNames);
  const { keys, issuer, audience } = options;
  const isAccepted = acceptsIssuers('jwtAccessTokens', options);
  const { signing, byId } = loadKeyRing(keys);
  const sign = createSigner(signing.privateKey, { alg: 'ES256', kid: signing.kid, typ: 'at+jwt' });
  const published = { keys: [...byId.values()].map(({ publicJwk }) => publicJwk) };

  return {
    issuer,
    issue: (claims) => sign(payloadOf(claims, { issuer, audience })),
    verify: async (token) => {
      const [head = '', body = '', signature = ''] = splitCompact(token) ?? [];
      const header = objectOf(head);
      const key = header && isOurs(header) ? byId.get(header['kid'] as string) : undefined;
      if (!key || !(await isSigned(key.publicKey, `${head}.${body}`, signature))) return undefined;
      const payload = objectOf(body);
      return payload && isAccepted(payload) && isValid(payload) ? claimsOf(payload) : undefined;
    },
    jwks: async () => published,
    verifyAssertion,
  };
};
