import { z } from 'zod';
import { documentation } from '#documentation';
import { ok } from '#result';
import type { AccessTokens } from '../../access/tokens/access-tokens.ts';
import { requiredScope } from '../../base/accounts/rights.ts';
import { assertionAlgorithms } from '../../base/crypto/public-jwk.ts';
import { isLoopbackHttp } from '../../base/http/loopback.ts';
import { once } from '../../base/runtime/once.ts';
import type { Operation } from '../operations/operation.ts';

/**
 * Authorization server metadata (RFC 8414 §2).
 * @public
 */
export interface MetadataOptions {
  /**
   * The `iss` of access tokens, character by character: an https URL without query and fragment. Loopback hosts can use
   * http.
   */
  readonly issuer: string;
  /** Scheme and host that serve `basePath`. @defaultValue those of `issuer` */
  readonly origin?: string;
}

/** How clients authenticate at both endpoints. `verifiesAssertions`: also by `private_key_jwt`. */
const authenticationAt = (endpoint: 'token' | 'revocation', verifiesAssertions: boolean): object => ({
  [`${endpoint}_endpoint_auth_methods_supported`]: [
    'client_secret_basic',
    'client_secret_post',
    ...(verifiesAssertions ? ['private_key_jwt'] : []),
  ],
  ...(verifiesAssertions ? { [`${endpoint}_endpoint_auth_signing_alg_values_supported`]: assertionAlgorithms } : {}),
});

const supported = (verifiesAssertions: boolean) => ({
  scopes_supported: [requiredScope],
  // Required by RFC 8414; empty, because there is no authorization endpoint.
  response_types_supported: [],
  grant_types_supported: ['client_credentials'],
  ...authenticationAt('token', verifiesAssertions),
  ...authenticationAt('revocation', verifiesAssertions),
});
const metadataView = once(() =>
  z.looseObject({ issuer: z.string(), token_endpoint: z.string() }).register(documentation, {
    example: {
      issuer: 'https://api.platform.example',
      token_endpoint: 'https://api.platform.example/api/v1/partner/login',
      jwks_uri: 'https://api.platform.example/api/v1/partner/jwks.json',
      revocation_endpoint: 'https://api.platform.example/api/v1/partner/revoke',
      ...supported(true),
    },
  }),
);

const urlOf = (name: string, text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url && isLoopbackHttp(url));
  if (!url || !isSafe || /[?#]/.test(text) || url.username !== '' || url.password !== '')
    throw new TypeError(`oauth.metadata.${name}: an https URL without credentials, query and fragment.`);
  return url;
};

/**
 * The metadata of a platform. The path ends with the path of the issuer (RFC 8414 §3.1).
 * @throws TypeError that names the wrong option.
 */
export const metadataOperation = (
  { issuer, origin = issuer }: MetadataOptions,
  basePath: string,
  tokens: Pick<AccessTokens, 'issuer' | 'jwks'>,
  verifiesAssertions: boolean,
): Operation<undefined, undefined, undefined> => {
  const { pathname } = urlOf('issuer', issuer);
  // Validators compare the issuer of the document with the claim (RFC 9068 §4).
  if (tokens.issuer !== undefined && tokens.issuer !== issuer)
    throw new TypeError(
      `oauth.metadata.issuer: the tokens have the issuer "${tokens.issuer}"; use the same text for both.`,
    );
  const base = `${urlOf('origin', origin).origin}${basePath}`;
  const body = {
    issuer,
    token_endpoint: `${base}/login`,
    ...(tokens.jwks ? { jwks_uri: `${base}/jwks.json` } : {}),
    revocation_endpoint: `${base}/revoke`,
    ...supported(verifiesAssertions),
  };
  return {
    method: 'GET',
    path: `/.well-known/oauth-authorization-server${pathname.replace(/\/$/, '')}`,
    operationId: 'getMetadata',
    summary: 'Reads the metadata of the authorization server (RFC 8414)',
    tag: 'Login',
    answers: {
      200: {
        description: 'The metadata.',
        get schema() {
          return metadataView();
        },
      },
    },
    conditional: true,
    headers: { 'cache-control': 'public, max-age=300' },
    handle: () => ok({ body }),
  };
};
