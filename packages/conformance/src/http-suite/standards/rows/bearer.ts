import { account, call, request, type StandardsGroup } from '../row.ts';

const own = `GET ${account}/me`;
const withAuthorization = (...values: readonly string[]) =>
  request(
    own,
    values.map((value) => `Authorization:${value}`),
  );
const served = { status: 200, headers: { 'www-authenticate': null }, body: { id: '<account>' } };
const challenged = (status: number, error: string, more = '') => ({
  status,
  headers: { 'www-authenticate': `Bearer realm="partner", error="${error}"${more}` },
  body: { status, code: error },
});
const unauthenticated = { status: 401, headers: { 'www-authenticate': 'Bearer realm="partner"' } };

export const bearerRows: StandardsGroup = {
  standard: 'RFC 6750',
  title: 'Bearer tokens',
  url: 'https://www.rfc-editor.org/rfc/rfc6750',
  rows: [
    {
      at: '§2.1',
      must: 'The token is accepted in the Authorization header.',
      request: withAuthorization(' Bearer <token>'),
      answer: served,
    },
    {
      at: '§2.1',
      must: 'The name of the scheme is case-insensitive (RFC 9110 §11.1).',
      request: withAuthorization(' bEARER <token>'),
      answer: served,
    },
    {
      at: '§2.1',
      must: 'One or more spaces separate scheme and token.',
      request: withAuthorization(' Bearer    <token>'),
      answer: served,
    },
    {
      at: '§2.1',
      must: 'White space around the value of the header does not count (RFC 9110 §5.5).',
      request: withAuthorization(' \t Bearer <token> \t'),
      answer: served,
    },
    {
      at: '§2.1',
      must: 'A tab does not separate scheme and token.',
      request: withAuthorization(' Bearer\t<token>'),
      answer: unauthenticated,
    },
    {
      at: '§2.1',
      must: 'A token contains no space.',
      request: withAuthorization(' Bearer <token> x'),
      answer: challenged(401, 'invalid_token'),
    },
    {
      at: '§2',
      must: 'A request has one token: not two lines.',
      request: withAuthorization(' Bearer <token>', ' Bearer <token>'),
      answer: challenged(400, 'invalid_request'),
    },
    {
      at: '§2',
      must: 'A request has one token: not two in one line.',
      request: withAuthorization(' Bearer <token>, Bearer <token>'),
      answer: challenged(400, 'invalid_request'),
    },
    {
      at: '§2.3',
      should: 'A token in the query is not accepted.',
      request: request(`${own}?access_token=<token>`),
      answer: unauthenticated,
    },
    {
      at: '§2.2',
      should: 'A token in a form is not accepted.',
      request: request(
        `POST ${account}/payment-requests`,
        ['Content-Type: application/x-www-form-urlencoded'],
        'access_token=<token>',
      ),
      answer: unauthenticated,
    },
    {
      at: '§3',
      must: 'A request without a token gets 401 with a challenge.',
      request: request(own),
      answer: unauthenticated,
    },
    {
      at: '§3.1',
      should: 'Without credentials, the challenge has no error.',
      request: withAuthorization(' Basic <basic>'),
      answer: unauthenticated,
    },
    {
      at: '§3.1',
      should: 'An expired token is invalid_token, with 401.',
      request: withAuthorization(' Bearer <expired>'),
      answer: challenged(401, 'invalid_token'),
    },
    {
      at: '§3.1',
      should: 'A malformed token is invalid_token, with 401.',
      request: withAuthorization(' Bearer x'),
      answer: challenged(401, 'invalid_token'),
    },
    {
      at: '§3.1',
      should: 'A token without the scope is insufficient_scope, with 403 and the scope.',
      request: withAuthorization(' Bearer <otherScope>'),
      answer: challenged(403, 'insufficient_scope', ', scope="USER"'),
    },
    {
      at: '§5.3',
      should: 'Answers to requests with a token are not stored by shared caches.',
      request: call(own),
      answer: { status: 200, headers: { 'cache-control': 'no-store' } },
    },
  ],
};
