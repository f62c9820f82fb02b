import { requiredScope } from '../tokens/scope.ts';

/**
 * What authorization server metadata says (RFC 8414 §2).
 * @public
 */
export interface MetadataOptions {
  /** `issuer`: the one that access tokens name, an https URL without query and fragment. http serves for loopback alone. */
  readonly issuer: string;
  /** Where `basePath` is served, as scheme and host. @defaultValue those of `issuer` */
  readonly origin?: string;
}

/** A metadata document, and where it is served. @internal */
export interface Metadata {
  readonly path: `/${string}`;
  readonly body: Readonly<Record<string, unknown>>;
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

const urlOf = (name: string, text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.has(url.hostname));
  if (!url || !isSafe || /[?#]/.test(text) || url.username !== '' || url.password !== '')
    throw new TypeError(`metadata.${name}: an https URL without credentials, query and fragment.`);
  return url;
};

/**
 * Makes the metadata of a platform. Its path has the issuer's own path at its end (RFC 8414 §3.1).
 * @throws TypeError that names the wrong option.
 * @internal
 */
export const metadataDocument = (
  { issuer, origin = issuer }: MetadataOptions,
  basePath: string,
  hasKeys: boolean,
): Metadata => {
  const { pathname } = urlOf('issuer', issuer);
  const base = `${urlOf('origin', origin).origin}${basePath}`;
  return {
    path: `/.well-known/oauth-authorization-server${pathname.replace(/\/$/, '')}`,
    body: {
      issuer,
      token_endpoint: `${base}/login`,
      ...(hasKeys ? { jwks_uri: `${base}/jwks.json` } : {}),
      scopes_supported: [requiredScope],
      // There is no authorization endpoint, so there are none.
      response_types_supported: [],
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    },
  };
};
