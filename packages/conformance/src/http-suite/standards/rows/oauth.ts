import { match, ok, strictEqual } from 'node:assert';
import { basic, formLogin, grant, jsonLogin, request, type StandardsGroup, type StandardsLaw } from '../row.ts';

const own = 'client_id=<client>&client_secret=<secret>';
const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' };
const granted = { status: 200, headers: { 'content-type': 'application/json', ...noStore } };
const refused = (error: string, status = 400) => ({
  status,
  headers: { 'content-type': 'application/json', ...noStore },
  body: { error, access_token: undefined },
});
const challenged = (error: string) => {
  const { headers, ...rest } = refused(error, 401);
  return { ...rest, headers: { ...headers, 'www-authenticate': /^Basic realm="[^"]+"/ } };
};

/** Logins whose refusal could repeat what was sent. */
const hostile: readonly string[] = [
  'grant_type="%5C&scope=USER',
  `${grant}"\\é&${own}`,
  'grant_type=client_credentials&scope=%22%5C%C3%A9',
  `${grant}&client_id=%22%0D%0A&client_secret=%5C`,
  '{"grant_type":"\\"',
  `${grant}&"=1&"=2`,
  '',
];

const descriptions: StandardsLaw = {
  at: '§5.2',
  must: 'error and error_description contain printable ASCII only, without double quotes and backslashes.',
  requests: `\`POST /login\` with ${hostile.length} bodies that contain quotes, backslashes, accents and line ends`,
  answers: '400 or 401; both texts match `[\\x20-\\x21\\x23-\\x5B\\x5D-\\x7E]+`',
  check: async ({ send }) => {
    for (const body of hostile) {
      const response = await send(formLogin(body));
      ok([400, 401].includes(response.status), `${body}: ${response.status}`);
      const { error, error_description: description } = JSON.parse(response.body);
      for (const text of [error, description]) match(text, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    }
    strictEqual((await send(formLogin(`${grant}&${own}`))).status, 200);
  },
};

export const oauthRows: readonly StandardsGroup[] = [
  {
    standard: 'RFC 6749',
    title: 'OAuth 2.0',
    url: 'https://www.rfc-editor.org/rfc/rfc6749',
    rows: [
      {
        at: '§1.9',
        must: 'Names and values of parameters are case-sensitive.',
        request: formLogin(`Grant_Type=client_credentials&scope=USER&${own}`),
        answer: refused('invalid_request'),
      },
      {
        at: '§2.3',
        must: 'A client uses one authentication method in a request.',
        request: formLogin(`${grant}&${own}`, basic),
        answer: refused('invalid_request'),
      },
      {
        at: '§2.3.1',
        must: 'Clients with a secret can authenticate with HTTP Basic.',
        request: formLogin(grant, basic),
        answer: granted,
      },
      {
        at: '§2.3.1',
        must: 'The id and the secret in HTTP Basic are form-encoded first.',
        request: formLogin(grant, 'Authorization: Basic <basicEncoded>'),
        answer: granted,
      },
      {
        at: '§2.3.1',
        may: 'The id and the secret are parameters of the body.',
        request: formLogin(`${grant}&${own}`),
        answer: granted,
      },
      {
        at: '§2.3.1',
        must: 'Credentials in the request URI are not read.',
        request: request(`POST /login?${grant}&${own}`, ['Content-Type: application/x-www-form-urlencoded'], ''),
        answer: refused('invalid_request'),
      },
      {
        at: '§3.2',
        must: 'The token endpoint is called with POST.',
        request: request(`GET /login?${grant}&${own}`),
        answer: { status: 405, headers: { allow: 'POST' } },
      },
      {
        at: '§3.2',
        must: 'Unknown parameters are ignored.',
        request: formLogin(`${grant}&${own}&audience=x&%3C=%3E`),
        answer: granted,
      },
      {
        at: '§3.2',
        must: 'A parameter without a value counts as absent.',
        request: formLogin(`${grant}&client_id=&client_secret=&audience=`, basic),
        answer: granted,
      },
      {
        at: '§3.2',
        must: 'A required parameter without a value counts as absent.',
        request: formLogin(`grant_type=&scope=USER&${own}`),
        answer: refused('invalid_request'),
      },
      {
        at: '§3.2',
        must: 'A parameter is sent once.',
        request: formLogin(`${grant}&${own}&scope=USER`),
        answer: refused('invalid_request'),
      },
      {
        at: '§3.2',
        must: 'A parameter is sent once: an unknown one, too.',
        request: formLogin(`${grant}&${own}&audience=x&audience=y`),
        answer: refused('invalid_request'),
      },
      {
        at: '§3.3',
        must: 'A scope that is not accepted is invalid_scope.',
        request: formLogin(`grant_type=client_credentials&scope=ADMIN&${own}`),
        answer: refused('invalid_scope'),
      },
      {
        at: '§3.3',
        must: 'Scopes are case-sensitive.',
        request: formLogin(`grant_type=client_credentials&scope=user&${own}`),
        answer: refused('invalid_scope'),
      },
      {
        at: '§3.3',
        must: 'Scopes have printable ASCII only, without double quotes and backslashes.',
        request: formLogin(`grant_type=client_credentials&scope=USER%22&${own}`),
        answer: refused('invalid_scope'),
      },
      {
        at: '§4.4.3',
        should: 'The answer to client credentials has no refresh token.',
        request: formLogin(grant, basic),
        answer: { ...granted, body: { refresh_token: undefined, access_token: /^[\w.~+/-]+=*$/ } },
      },
      {
        at: '§5.1',
        must: 'The answer has access_token and token_type, and is not stored.',
        request: formLogin(grant, basic),
        answer: { ...granted, body: { access_token: /./, token_type: 'Bearer' } },
      },
      {
        at: '§5.1',
        should: 'The answer has expires_in, in seconds.',
        request: jsonLogin(
          '{"grant_type":"client_credentials","scope":"USER","client_id":"<client>","client_secret":"<secret>"}',
        ),
        answer: { ...granted, body: { expires_in: 2_592_000 } },
      },
      {
        at: '§5.1',
        may: 'The answer has no scope if it is the one that was asked for.',
        request: formLogin(grant, basic),
        answer: { ...granted, body: { scope: undefined } },
      },
      {
        at: '§5.2',
        must: 'A missing parameter is invalid_request, with 400.',
        request: formLogin('scope=USER', basic),
        answer: refused('invalid_request'),
      },
      {
        at: '§5.2',
        must: 'Another grant type is unsupported_grant_type.',
        request: formLogin('grant_type=password&scope=USER', basic),
        answer: refused('unsupported_grant_type'),
      },
      {
        at: '§5.2',
        must: 'Wrong credentials of HTTP Basic get 401 with a challenge of that scheme.',
        request: formLogin(grant, 'Authorization: Basic <basicWrong>'),
        answer: challenged('invalid_client'),
      },
      {
        at: '§5.2',
        may: 'Wrong credentials in the body get 401, which names a supported scheme.',
        request: formLogin(`${grant}&client_id=<client>&client_secret=wrong`),
        answer: challenged('invalid_client'),
      },
      {
        at: '§5.2',
        must: 'A client without credentials is not authenticated.',
        request: formLogin(grant),
        answer: refused('invalid_request'),
      },
      descriptions,
    ],
  },
  {
    standard: 'RFC 7617',
    title: 'HTTP Basic',
    url: 'https://www.rfc-editor.org/rfc/rfc7617',
    rows: [
      {
        at: '§2',
        must: 'The name of the scheme is case-insensitive.',
        request: formLogin(grant, 'Authorization: bASIC <basic>'),
        answer: granted,
      },
      {
        at: '§2',
        must: 'The challenge has a realm.',
        request: formLogin(grant, 'Authorization: Basic <basicWrong>'),
        answer: { status: 401, headers: { 'www-authenticate': 'Basic realm="partner"' } },
      },
      {
        at: '§2',
        must: 'The first colon ends the id: a colon after it belongs to the secret.',
        request: formLogin(grant, 'Authorization: Basic <basicColon>'),
        answer: challenged('invalid_client'),
      },
      {
        at: '§2',
        must: 'Id and secret have no control characters.',
        request: formLogin(grant, 'Authorization: Basic <basicControl>'),
        answer: challenged('invalid_client'),
      },
      {
        at: '§2',
        must: 'Credentials without a colon are invalid.',
        request: formLogin(grant, 'Authorization: Basic YWJj'),
        answer: challenged('invalid_client'),
      },
      {
        at: '§2.1',
        may: 'The charset is UTF-8; bytes of another one are invalid.',
        request: formLogin(grant, 'Authorization: Basic <basicLatin1>'),
        answer: challenged('invalid_client'),
      },
    ],
  },
];
