import { type AccessTokens, assertOptionNames, type TokenClaims } from '@partnerkit/core/ports';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { type LoadedKey, loadRing, type RingKey } from './key-ring.ts';
import type { Signer } from './signer.ts';

/**
 * Options of {@link joseAccessTokens}.
 * @public
 */
export interface JoseAccessTokensOptions {
  /**
   * The key ring. The first key signs; every key verifies. To rotate: add the new key at the end, deploy it to every
   * process, then move it to the front. Remove the old key when its last token has expired.
   */
  readonly keys: readonly [RingKey, ...RingKey[]];
  /** The claim `iss`: the URL of the platform. */
  readonly issuer: string;
  /** The claim `aud`: the API that the tokens are for. */
  readonly audience: string;
}

const optionNames: Readonly<Record<keyof JoseAccessTokensOptions, true>> = { keys: true, issuer: true, audience: true };

/** Whether an error is one of jose, whose codes all begin alike. */
const isOfJose = (cause: unknown): boolean => /^ERR_J(OSE|W)/.test(String(Object(cause).code));

const text = (value: unknown): value is string => typeof value === 'string';
/** JSON can contain a number that parses to infinity: 1e999. */
const whole = (value: unknown): value is number => Number.isSafeInteger(value);

/** A part of a signed JWT in Base64url. Its unused last bits must be zero, so that the same bytes have one spelling. */
const part = '(?:[\\w-]{4})*(?:[\\w-][AQgw]|[\\w-]{2}[AEIMQUYcgkosw048])?';
// linear: a part is read in groups of four characters, and a point ends it.
const canonical = new RegExp(`^${part}\\.${part}\\.${part}$`);

const claimsOf = ({
  client_id,
  account,
  environment,
  secret_id,
  scope,
  jti,
  iat,
  exp,
}: JWTPayload): TokenClaims | undefined =>
  text(client_id) &&
  text(account) &&
  text(environment) &&
  text(secret_id) &&
  text(scope) &&
  text(jti) &&
  whole(iat) &&
  whole(exp)
    ? {
        clientId: client_id,
        accountId: account,
        environment,
        secretId: secret_id,
        scope,
        jti,
        issuedAt: iat,
        expiresAt: exp,
      }
    : undefined;

/**
 * Access tokens as signed JWTs (RFC 9068). Only the keys of the ring verify them: no key, algorithm or URL is taken
 * from the header of a token.
 * @example
 * const tokens = await joseAccessTokens({
 *   keys: [await generateRingKey()],
 *   issuer: 'https://api.platform.example',
 *   audience: 'https://api.platform.example/api/v1/partner',
 * });
 * @throws TypeError that names the wrong option or key and its remedy.
 * @public
 */
export const joseAccessTokens = async (options: JoseAccessTokensOptions): Promise<AccessTokens> => {
  assertOptionNames('joseAccessTokens', options, optionNames);
  const { keys, issuer, audience } = options;
  for (const [name, value] of Object.entries({ issuer, audience })) {
    if (!text(value) || value === '')
      throw new TypeError(
        `joseAccessTokens: the option ${name} must be a text that is not empty, such as your API's URL.`,
      );
  }
  const ring = await loadRing(keys);
  const { sign } = [...ring.values()][0] as LoadedKey & { readonly sign: Signer };
  const allowed = [...new Set([...ring.values()].map((key) => key.alg))];
  const published = { keys: [...ring.values()].map((key) => key.publicJwk) };

  return {
    issuer,
    issue: ({ clientId, accountId, environment, secretId, scope, jti, issuedAt, expiresAt }) =>
      sign({
        client_id: clientId,
        account: accountId,
        environment,
        secret_id: secretId,
        scope,
        iss: issuer,
        aud: audience,
        sub: clientId,
        jti,
        iat: issuedAt,
        exp: expiresAt,
      }),
    verify: async (token) => {
      if (!canonical.test(token)) return undefined;
      try {
        const { payload } = await jwtVerify(
          token,
          ({ kid, alg }) => {
            const key = ring.get(kid ?? '');
            if (!key || key.alg !== alg) throw new errors.JWKSNoMatchingKey();
            return key.verifyKey;
          },
          { algorithms: allowed, typ: 'at+jwt', issuer, audience, requiredClaims: ['exp', 'iat'] },
        );
        return claimsOf(payload);
      } catch (cause) {
        if (isOfJose(cause)) return undefined;
        throw cause;
      }
    },
    jwks: async () => published,
  };
};
