import { z } from 'zod';
import { documentation } from '#documentation';
import { ok, type Result } from '#result';
import type { AuthenticationFailure } from '../../access/tokens/authenticate.ts';
import type { createGrant, TokenRequest } from '../../access/tokens/grant.ts';
import type { HttpRequest } from '../../base/http/route.ts';
import { once } from '../../base/runtime/once.ts';
import type { Observer } from '../../base/signals/listener.ts';
import type { HttpFailure } from '../operations/failure.ts';
import type { Authentication, Operation } from '../operations/operation.ts';
import { tokenRequestTypes } from './client-request.ts';
import { type LoginScopes, tokenRequestReader } from './token-request.ts';

export interface LoginDeps {
  readonly observe: Observer;
  readonly grant: ReturnType<typeof createGrant>;
  readonly scopes: LoginScopes;
  /** Whether clients can log in by `private_key_jwt`. */
  readonly verifiesAssertions: boolean;
  /** Whether the logins of a client have a limit. */
  readonly limitsLogins: boolean;
}

/** Maximum size of a login. */
export const loginBytes = 8 * 1_024;

const scopeSent = 'The scope of the token, if the login named another one or none (RFC 6749 §5.1).';

const accessToken = () =>
  z
    .object({
      access_token: z.string(),
      token_type: z.literal('Bearer'),
      expires_in: z.int().min(1).register(documentation, { description: 'Seconds until it expires.' }),
      scope: z.string().optional().register(documentation, { description: scopeSent }),
    })
    .register(documentation, {
      name: 'AccessToken',
      example: {
        token_type: 'Bearer',
        expires_in: 2_592_000,
        access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.…',
      },
    });

/** The credentials are checked together with the login. */
export const clientCredentials = (limitsLogins: boolean): Authentication<undefined> => {
  const admitted = ok(undefined);
  return {
    by: 'client',
    refuses: [
      'invalid_client',
      'too_many_attempts',
      ...(limitsLogins ? (['too_many_requests'] as const) : []),
      'temporarily_unavailable',
      'internal',
    ],
    admit: () => admitted,
  };
};

export const authenticationFailure = (failure: AuthenticationFailure): HttpFailure => {
  switch (failure.code) {
    case 'too_many_attempts':
      return { code: failure.code, headers: { 'retry-after': String(failure.retryAfterSeconds) } };
    case 'login_unavailable':
      return { code: 'temporarily_unavailable', cause: failure.cause };
    default:
      return failure;
  }
};

const byKeys = ' Or send a JWT that a public key of the API key verifies, by `private_key_jwt` (RFC 7523 §2.2).';

/** The token endpoint (specification §2.2, §4.1). */
export const loginOperation = ({
  observe,
  grant,
  scopes,
  verifiesAssertions,
}: LoginDeps): Operation<undefined, undefined, z.ZodType<TokenRequest>> => {
  const reader = tokenRequestReader(scopes, verifiesAssertions);
  const answered = once(accessToken);
  let hasSignalled = false;
  /** Signals a parser that runs first: it shows a malformed login, secret included, to the host's error handler. */
  const warnOfParser = ({ body }: HttpRequest): void => {
    if (hasSignalled || !('parsed' in body)) return;
    hasSignalled = true;
    observe({ kind: 'login_body_parsed' });
  };
  return {
    method: 'POST',
    path: '/login',
    operationId: 'login',
    summary: 'Returns an access token',
    description:
      'OAuth 2.0 client credentials (RFC 6749 §4.4). Send the id and the secret of the API key as HTTP Basic or in ' +
      `the body.${verifiesAssertions ? byKeys : ''} Use the token until it expires.`,
    tag: 'Login',
    maxBodyBytes: loginBytes,
    get body() {
      return reader.schema() as z.ZodType<TokenRequest>;
    },
    bodyTypes: tokenRequestTypes,
    read: (request): Result<TokenRequest, HttpFailure> => {
      warnOfParser(request);
      return reader.read(request);
    },
    answers: {
      200: {
        description: 'The access token (RFC 6749 §5.1).',
        get schema() {
          return answered();
        },
      },
    },
    headers: { pragma: 'no-cache' },
    refuses: [
      'invalid_request',
      { code: 'invalid_request', status: 413 },
      { code: 'invalid_request', status: 415 },
      'unsupported_grant_type',
      'invalid_scope',
    ],
    handle: async ({ body, request }) =>
      (await grant(body, request.remoteAddress))
        .map((token) => ({ body: token }))
        .mapErr((failure): HttpFailure => {
          const { code } = failure;
          return code === 'invalid_scope' || code === 'too_many_requests' ? failure : authenticationFailure(failure);
        }),
  };
};
