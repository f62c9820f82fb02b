import { account, basic, request, type StandardsGroup } from '../row.ts';

const form = 'Content-Type: application/x-www-form-urlencoded';
/** A revocation of a token that the platform names. */
const revoke = (body: string, ...headers: readonly string[]) => request('POST /revoke', [form, ...headers], body);
const readWith = (name: string) => request(`GET ${account}/me`, [`Authorization: Bearer <${name}>`]);

const revoked = { status: 200, headers: { 'cache-control': 'no-store' }, body: '' };
const refused = (error: string, status = 400) => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: { error },
});
const isValid = { status: 200 };
const isInvalid = { status: 401, headers: { 'www-authenticate': 'Bearer realm="partner", error="invalid_token"' } };

export const revocationRows: StandardsGroup = {
  standard: 'RFC 7009',
  title: 'Token revocation',
  url: 'https://www.rfc-editor.org/rfc/rfc7009',
  rows: [
    {
      at: '§2',
      must: 'A token is revoked with POST.',
      request: request('GET /revoke?token=<newToken>', [basic]),
      answer: { status: 405, headers: { allow: 'POST' } },
      next: { request: readWith('newToken'), answer: isValid },
    },
    {
      at: '§2',
      should: 'Access tokens can be revoked.',
      request: revoke('token=<newToken>', basic),
      answer: revoked,
      next: { request: readWith('newToken'), answer: isInvalid },
    },
    {
      at: '§2.1',
      must: 'token is required.',
      request: revoke('token_type_hint=access_token', basic),
      answer: refused('invalid_request'),
    },
    {
      at: '§2.1',
      may: 'token_type_hint names the type of the token.',
      request: revoke('token=<newToken>&token_type_hint=access_token', basic),
      answer: revoked,
      next: { request: readWith('newToken'), answer: isInvalid },
    },
    {
      at: '§2.1',
      must: 'A token is found whatever token_type_hint says.',
      request: revoke('token=<newToken>&token_type_hint=refresh_token', basic),
      answer: revoked,
      next: { request: readWith('newToken'), answer: isInvalid },
    },
    {
      at: '§2.1',
      may: 'token_type_hint is ignored, also if its value is unknown.',
      request: revoke('token=<newToken>&token_type_hint=other', basic),
      answer: revoked,
      next: { request: readWith('newToken'), answer: isInvalid },
    },
    {
      at: '§2.1',
      must: 'The credentials of the client are validated first.',
      request: revoke('token=<newToken>', 'Authorization: Basic <basicWrong>'),
      answer: refused('invalid_client', 401),
      next: { request: readWith('newToken'), answer: isValid },
    },
    {
      at: '§2.1',
      must: 'The client authenticates in the body as well (RFC 6749 §2.3).',
      request: revoke('token=<newToken>&client_id=<client>&client_secret=<secret>'),
      answer: revoked,
      next: { request: readWith('newToken'), answer: isInvalid },
    },
    {
      at: '§2.1',
      must: 'A token that was issued to another client is refused, and the client is informed.',
      request: revoke('token=<tokenOfOther>', basic),
      answer: revoked,
      next: { request: readWith('tokenOfOther'), answer: isValid },
      departs: 'The answer is 200, and the token stays valid: a refusal would tell that the token exists.',
    },
    {
      at: '§2.1',
      must: 'The token is invalid at once, and stays so.',
      request: revoke('token=<newToken>', basic),
      answer: revoked,
      next: {
        request: readWith('newToken'),
        answer: isInvalid,
        next: { request: readWith('newToken'), answer: isInvalid },
      },
    },
    {
      at: '§2.2',
      must: 'The answer to a token that is not valid is 200.',
      request: revoke('token=unknown', basic),
      answer: revoked,
    },
    {
      at: '§2.2',
      must: 'The answer to a token that is revoked already is 200.',
      request: revoke('token=<newToken>', basic),
      answer: revoked,
      next: { request: revoke('token=<newToken>', basic), answer: revoked },
    },
    {
      at: '§2.2.1',
      must: 'Errors have the form of RFC 6749 §5.2.',
      request: revoke('', basic),
      answer: { ...refused('invalid_request'), body: { error: 'invalid_request', error_description: /./ } },
    },
    {
      at: '§5',
      must: 'Countermeasures of the token endpoint apply here as well: failures of both share their limits.',
      request: revoke('token=unknown&client_id=<limited>&client_secret=<secret>'),
      answer: { status: 429, headers: { 'retry-after': '7' } },
    },
  ],
};
