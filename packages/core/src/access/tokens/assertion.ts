import {
  type AssertionAlgorithm,
  algorithmsOf,
  assertionAlgorithms,
  jwkThumbprint,
  type PublicJwk,
} from '../../base/crypto/public-jwk.ts';
import { sha256 } from '../../base/crypto/sha256.ts';
import { fromBase64url } from '../../base/runtime/base64.ts';
import { hasDuplicateKeys } from '../../base/runtime/duplicate-keys.ts';
import { isObject } from '../../base/runtime/is-object.ts';
import { fromUtf8, utf8Length } from '../../base/runtime/text.ts';
import { type DurationMs, type EpochMs, maxClockLead, minute, second } from '../../base/runtime/time.ts';
import type { Client, LoginRefusal } from '../clients/client.ts';
import { maxKeys } from '../clients/public-keys.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** The value of `client_assertion_type` (RFC 7523 §2.2). */
export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** How assertions of clients are verified. */
export interface AssertionCheck {
  readonly verify: NonNullable<AccessTokens['verifyAssertion']>;
  /** Accepted values of `aud`: the issuer, and each address of the token endpoint. */
  readonly audiences: readonly string[];
}

/** Maximum time from now to the `exp` of an assertion. */
const maxLifetime: DurationMs = 5 * minute;
/** How far the clock of a client may differ. */
const leeway: DurationMs = 30 * second;
const maxJtiBytes = 128;

type Members = Readonly<Record<string, unknown>>;

interface Assertion {
  readonly header: Members;
  readonly claims: Members;
}

/** A JSON object in Base64url, whose keys are distinct; `undefined` for anything else. */
const objectOf = (part: string): Members | undefined => {
  const text = fromUtf8(fromBase64url(part) ?? new Uint8Array());
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && !hasDuplicateKeys(text, value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Reads a JWT in compact serialization (RFC 7515 §7.1). Nothing of it is verified. */
const readAssertion = (text: string): Assertion | undefined => {
  const [head = '', body = '', signature = '', ...more] = text.split('.');
  if (more.length > 0 || signature === '' || !fromBase64url(signature)) return undefined;
  const [header, claims] = [objectOf(head), objectOf(body)];
  return header && claims ? { header, claims } : undefined;
};

/** The client that an assertion names in `sub`. Nothing of it is verified. */
export const subjectOf = (text: string): string | undefined => {
  const sub = readAssertion(text)?.claims['sub'];
  return typeof sub === 'string' ? sub : undefined;
};

/** `typ` of an assertion: absent, or one of these. A JWT of another purpose is refused (RFC 8725 §3.11). */
const types: readonly unknown[] = [undefined, 'JWT', 'client-authentication+jwt'];

/** The keys that may have signed: the header chooses among those of the client, each by its own algorithm. */
const candidatesOf = ({ alg, typ, kid, crit }: Members, keys: readonly PublicJwk[]): readonly PublicJwk[] =>
  types.includes(typ) && crit === undefined && typeof alg === 'string'
    ? keys.filter((key) => (kid === undefined || kid === key.kid) && algorithmsOf(key).includes(alg))
    : [];

const ec256: PublicJwk = {
  ...{ kty: 'EC', crv: 'P-256', kid: '', alg: 'ES256' },
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
};
const ec384: PublicJwk = {
  ...{ kty: 'EC', crv: 'P-384', kid: '', alg: 'ES384' },
  x: 'p_ahBJdIG-YI4rAyoCHFr8ZfQTlKiBKdU0L1J5NmlYKf-SoQ9cGaIEvBdhVq6WQq',
  y: 'sjvf3fWicmrzES1o_qNq8d29L4K4aSsuYfbpSJEyIaxd1klvP6_X29EgXkCTU7c0',
};
const okp: PublicJwk = {
  ...{ kty: 'OKP', crv: 'Ed25519', kid: '', alg: 'Ed25519' },
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};
const rsa: PublicJwk = {
  ...{ kty: 'RSA', kid: '', alg: 'RS256', e: 'AQAB' },
  n:
    '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjh' +
    'Mstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL' +
    '5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw',
};
/** Verified in place of missing keys; the answer is ignored. Each costs what a key of its algorithm does. */
const decoys: Readonly<Record<AssertionAlgorithm, PublicJwk>> = {
  ...{ ES256: ec256, ES384: ec384, Ed25519: okp, EdDSA: okp, RS256: rsa, PS256: rsa },
};

/**
 * The key that verifies an assertion. The number of verifications that fail depends on the header alone, so that
 * neither a client nor the number of its keys is revealed: a `kid` names one key, and without it there may be five.
 */
const signingKey = async (
  text: string,
  { header }: Assertion,
  keys: readonly PublicJwk[],
  { verify }: AssertionCheck,
): Promise<PublicJwk | undefined> => {
  const alg = assertionAlgorithms.find((known) => known === header['alg']) ?? 'ES256';
  const candidates = candidatesOf(header, keys);
  for (const key of candidates) if ((await verify(text, key, alg)) === true) return key;
  const tried = header['kid'] === undefined ? maxKeys : 1;
  for (let count = candidates.length; count < tried; count++) await verify(text, decoys[alg], alg);
  return undefined;
};

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Whether a time is absent, or not ahead. */
const hasCome = (value: unknown, now: EpochMs): boolean =>
  value === undefined || (isTime(value) && value * second <= now + leeway);

/** Why the claims of an assertion are refused (RFC 7523 §3). */
const wrongClaims = (
  { iss, sub, aud, exp, nbf, iat, jti }: Members,
  clientId: string,
  { audiences }: AssertionCheck,
  now: EpochMs,
): LoginRefusal | undefined => {
  // One audience: an assertion for several servers could be presented to us by another of them.
  const [audience, ...others] = [aud].flat() as readonly unknown[];
  const isForUs = others.length === 0 && audiences.some((each) => each === audience);
  const hasJti = typeof jti === 'string' && jti !== '' && utf8Length(jti) <= maxJtiBytes;
  const isOld = isTime(iat) && iat * second < now - maxLifetime - leeway;
  if (iss !== clientId || sub !== clientId || !isForUs || !hasJti || !isTime(exp)) return 'wrong_assertion_claims';
  if (exp * second <= now - leeway) return 'expired_assertion';
  const isShort = exp * second <= now + maxLifetime + leeway;
  return isShort && hasCome(nbf, now) && hasCome(iat, now) && !isOld ? undefined : 'wrong_assertion_claims';
};

/** Verifies the assertion of a client: resolves to the thumbprint of its key, or to the reason of a refusal. */
export const verifyAssertion = async (
  text: string,
  { clientId, client }: { readonly clientId: string; readonly client: Client | undefined },
  check: AssertionCheck,
  now: EpochMs,
): Promise<
  { readonly thumbprint: string; readonly use: (limiter: RateLimiter) => Promise<boolean> } | LoginRefusal
> => {
  const assertion = readAssertion(text);
  if (!assertion) return 'malformed_assertion';
  const key = await signingKey(text, assertion, client?.jwks?.keys ?? [], check);
  if (!key) return 'wrong_assertion';
  const wrong = wrongClaims(assertion.claims, clientId, check, now);
  if (wrong !== undefined) return wrong;
  const { exp, jti } = assertion.claims as { readonly exp: number; readonly jti: string };
  return {
    thumbprint: jwkThumbprint(key),
    // The `jti` is kept until every server refuses the `exp`, also one whose clock is behind.
    use: async (limiter) => {
      const window = Math.ceil(exp * second - now) + leeway + maxClockLead;
      return (await limiter.take(`assertion:${clientId}:${sha256(jti)}`, { points: 1, window })) === 0;
    },
  };
};
