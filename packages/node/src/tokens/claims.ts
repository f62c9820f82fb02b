import type { TokenClaims, TokenIssuer } from '@partnerkit/core/adapter';

const isText = (value: unknown): value is string => typeof value === 'string';
/** JSON can contain a number that parses to infinity: 1e999. */
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

/** The claims of an access token as they are sent (RFC 9068 §2.2). */
export const payloadOf = (claims: TokenClaims, { issuer, audience }: TokenIssuer): object => ({
  client_id: claims.clientId,
  account: claims.accountId,
  environment: claims.environment,
  secret_id: claims.secretId,
  scope: claims.scope,
  iss: issuer,
  aud: audience,
  sub: claims.clientId,
  jti: claims.jti,
  iat: claims.issuedAt,
  exp: claims.expiresAt,
});

/** The claims of a payload; `undefined` when one is missing or has another type. */
export const claimsOf = ({
  client_id,
  account,
  environment,
  secret_id,
  scope,
  jti,
  iat,
  exp,
}: Readonly<Record<string, unknown>>): TokenClaims | undefined =>
  isText(client_id) &&
  isText(account) &&
  isText(environment) &&
  isText(secret_id) &&
  isText(scope) &&
  isText(jti) &&
  isWhole(iat) &&
  isWhole(exp)
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
 * The test whether a payload is of one of these issuers, for its audience.
 * @throws TypeError that names the option that is no text.
 */
export const acceptsIssuers = (
  caller: string,
  { issuer, audience, earlier = [] }: TokenIssuer & { readonly earlier?: readonly TokenIssuer[] },
): ((payload: { readonly iss?: unknown; readonly aud?: unknown }) => boolean) => {
  const accepted = [{ issuer, audience }, ...earlier];
  for (const [at, names] of accepted.entries())
    for (const name of ['issuer', 'audience'] as const) {
      if (isText(names[name]) && names[name] !== '') continue;
      const place = at === 0 ? name : `earlier[${at - 1}].${name}`;
      throw new TypeError(`${caller}: the option ${place} must be a text that is not empty, such as your API's URL.`);
    }
  return ({ iss, aud }) => accepted.some((each) => each.issuer === iss && [aud].flat().includes(each.audience));
};
