import { z } from 'zod';
import { documentation } from '#documentation';
import { requiredScope } from '../tokens/scope.ts';
import type { Operation } from './operation.ts';

const clientId = { description: 'The id of the API key.' };
const clientSecret = { description: 'The secret of the API key.' };
const notEmpty = { keywords: { minLength: 1 } };

const scope = z.literal(requiredScope);

/**
 * The body of a login: with the credentials, or beside those of HTTP Basic. An empty parameter counts as absent. A name
 * can be registered once in a process, whatever the number of kits.
 */
const tokenRequest = (name: string, ofScope: z.ZodType) => {
  const common = { grant_type: z.literal('client_credentials'), scope: ofScope };
  return z.union([
    z
      .object({
        ...common,
        client_id: z.string().register(documentation, { ...clientId, ...notEmpty }),
        client_secret: z.string().register(documentation, { ...clientSecret, ...notEmpty }),
      })
      .register(documentation, { id: name, description: 'A login with the credentials in the body.' }),
    z
      .object({
        ...common,
        client_id: z.string().optional().register(documentation, clientId),
        client_secret: z.literal('').optional(),
      })
      .register(documentation, { id: `Basic${name}`, description: 'A login with HTTP Basic (RFC 6749 §2.3.1).' }),
  ]);
};
const withScope = tokenRequest('TokenRequest', scope);
const withDefaultScope = tokenRequest(
  'TokenRequestOfDefaultScope',
  scope.optional().register(documentation, { description: `Default: \`${requiredScope}\`.` }),
);

const accessToken = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().min(1).register(documentation, { description: 'Seconds until it expires.' }),
  })
  .register(documentation, { id: 'AccessToken' });

/** @internal */
export const loginOperation = (defaultScope: string | undefined): Operation => ({
  method: 'POST',
  operationId: 'login',
  summary: 'Get an access token',
  description:
    'OAuth 2.0 client credentials (RFC 6749 §4.4). Send the id and the secret of the API key as HTTP Basic or in the ' +
    'body. Use the token until it expires.',
  tag: 'Login',
  body: defaultScope === undefined ? withScope : withDefaultScope,
  bodyTypes: ['application/x-www-form-urlencoded', 'application/json'],
  responses: {
    200: {
      description: 'The access token (RFC 6749 §5.1).',
      schema: accessToken,
    },
  },
  problems: {
    400: ['invalid_request', 'unsupported_grant_type', 'invalid_scope'],
    401: ['invalid_client'],
    413: ['invalid_request'],
    415: ['invalid_request'],
    429: ['too_many_attempts', 'too_many_requests'],
    503: ['temporarily_unavailable'],
  },
  problemFormat: 'oauth2',
  security: 'client',
});

/** @internal */
export const meOperation: Operation = {
  method: 'GET',
  operationId: 'getAccount',
  summary: 'Read the account, or a child account',
  tag: 'Account',
  responses: {
    200: {
      description: 'The account (specification §1.2).',
      schema: z
        .object({ id: z.string(), name: z.string(), status: z.string(), environment: z.string() })
        .register(documentation, { id: 'Account' }),
    },
  },
  security: 'oauth2',
};

/** @internal */
export const jwksOperation: Operation = {
  method: 'GET',
  operationId: 'getKeys',
  summary: 'Read the public keys of the access tokens (RFC 7517)',
  tag: 'Login',
  responses: {
    200: {
      description: 'The keys.',
      schema: z.object({ keys: z.array(z.looseObject({ kty: z.string() })) }),
      type: 'application/jwk-set+json',
    },
  },
  security: 'none',
};

/** @internal */
export const metadataOperation: Operation = {
  method: 'GET',
  operationId: 'getMetadata',
  summary: 'Read the metadata of the authorization server (RFC 8414)',
  tag: 'Login',
  responses: {
    200: {
      description: 'The metadata.',
      schema: z.looseObject({ issuer: z.string(), token_endpoint: z.string() }),
    },
  },
  security: 'none',
};
