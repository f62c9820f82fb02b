import { z } from 'zod';
import { documentation } from '#documentation';
import { ok, type Result } from '#result';
import type { createRevocation, RevocationRequest } from '../../access/tokens/revoke.ts';
import type { HttpRequest } from '../../base/http/route.ts';
import { once } from '../../base/runtime/once.ts';
import type { CodedFailure } from '../operations/failure.ts';
import type { Operation } from '../operations/operation.ts';
import {
  bad,
  besideBasic,
  byAssertion,
  differsFromBasic,
  inBody,
  readClientRequest,
  tokenRequestTypes,
} from './client-request.ts';
import { authenticationFailure, loginBytes } from './login.ts';

const token = once(() =>
  z.string('token is missing.').register(documentation, {
    description: 'The access token.',
    example: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.…',
    keywords: { minLength: 1 },
  }),
);

const schemas = once(() => {
  const withToken = <C extends z.core.$ZodLooseShape>(name: string, description: string, credentials: C) =>
    z.object({ token: token(), ...credentials }).register(documentation, { name, description });
  return {
    withBody: withToken('RevocationRequest', 'A revocation with the credentials in the body.', inBody()),
    withBasic: withToken('BasicRevocationRequest', 'A revocation with HTTP Basic.', besideBasic()),
    withAssertion: withToken('AssertionRevocationRequest', 'A revocation by `private_key_jwt`.', byAssertion()),
  };
});

const read = (request: HttpRequest): Result<RevocationRequest, CodedFailure> =>
  readClientRequest(request).andThen<RevocationRequest, CodedFailure>((sent) => {
    const wrong = schemas()[sent.way].safeParse(sent.fields).error?.issues[0];
    if (wrong) return bad(wrong.message);
    if (differsFromBasic(sent)) return bad('client_id differs from the one sent by HTTP Basic.');
    return ok({ ...sent.credentials, token: sent.fields.token ?? '' });
  });

/** The revocation endpoint (RFC 7009). */
export const revokeOperation = (
  revoke: ReturnType<typeof createRevocation>,
  verifiesAssertions: boolean,
): Operation<undefined, undefined, z.ZodType<RevocationRequest>> => ({
  method: 'POST',
  path: '/revoke',
  operationId: 'revokeToken',
  summary: 'Revokes an access token',
  description:
    'Token revocation (RFC 7009). Authenticate as at the login. A token that is unknown, expired or of another API ' +
    'key is answered with 200, too, and stays as it is.',
  tag: 'Login',
  maxBodyBytes: loginBytes,
  get body() {
    const { withBody, withBasic, withAssertion } = schemas();
    const all = z.union([withBody, withBasic, ...(verifiesAssertions ? [withAssertion] : [])]);
    return all as z.ZodType as z.ZodType<RevocationRequest>;
  },
  bodyTypes: tokenRequestTypes,
  read,
  answers: { 200: { description: 'The token is not valid any more.' } },
  refuses: ['invalid_request', { code: 'invalid_request', status: 413 }, { code: 'invalid_request', status: 415 }],
  handle: async ({ body, request }) =>
    (await revoke(body, request.remoteAddress)).map(() => ({})).mapErr(authenticationFailure),
});
