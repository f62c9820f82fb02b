import { z } from 'zod';
import { documentation } from '#documentation';
import type { Operation } from './operation.ts';

const tokenRequest = z.object({
  grant_type: z.literal('client_credentials'),
  client_id: z
    .string()
    .optional()
    .register(documentation, { description: 'The id of the API key, unless it is in the header `Authorization`.' }),
  client_secret: z
    .string()
    .optional()
    .register(documentation, { description: 'The secret of the API key, unless it is in the header `Authorization`.' }),
  scope: z.literal('USER').optional(),
});

/** @internal */
export const loginOperation: Operation = {
  method: 'POST',
  operationId: 'login',
  summary: 'Get an access token',
  description:
    'OAuth 2.0 client credentials (RFC 6749 §4.4). Send the id and the secret of the API key as HTTP Basic or in the ' +
    'body. Use the token until it expires.',
  tag: 'Login',
  body: tokenRequest,
  bodyTypes: ['application/x-www-form-urlencoded', 'application/json'],
  responses: {
    200: {
      description: 'The access token (RFC 6749 §5.1).',
      schema: z
        .object({
          access_token: z.string(),
          token_type: z.literal('Bearer'),
          expires_in: z.int().min(1).register(documentation, { description: 'Seconds until it expires.' }),
        })
        .register(documentation, { id: 'AccessToken' }),
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
  security: 'none',
};

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
