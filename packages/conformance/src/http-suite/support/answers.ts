// The responses that every framework must return.

export const json = { 'content-type': 'application/json', 'cache-control': 'no-store' };
export const oauth = { ...json, pragma: 'no-cache' };
export const problemType = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' };
export const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  500: 'Internal Server Error',
};
export const problem = (
  status: number,
  code: string,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
) => ({
  status,
  body: JSON.stringify({ title: titles[status], status, code, detail }),
  headers: { ...problemType, 'x-request-id': 'an id', ...headers },
});
export const notFound = problem(404, 'not_found', 'There is nothing here that this client may access.');
export const invalidToken = problem(
  401,
  'invalid_token',
  'The access token is wrong, expired or revoked; log in again.',
  {
    'www-authenticate': 'Bearer realm="partner", error="invalid_token"',
  },
);
export const missingToken = problem(401, 'missing_token', 'Send the access token as "Authorization: Bearer <token>".', {
  'www-authenticate': 'Bearer realm="partner"',
});
export const notAllowed = (allow: string) =>
  problem(405, 'method_not_allowed', 'This path does not take that method; Allow names those it takes.', { allow });
export const refused = (
  status: number,
  error: string,
  description: string,
  headers: Readonly<Record<string, string>> = {},
) => ({
  status,
  body: JSON.stringify({ error, error_description: description }),
  headers: { ...oauth, ...headers },
});
export const invalidClient = refused(
  401,
  'invalid_client',
  'Unknown client, wrong secret, or a client that may not log in.',
  { 'www-authenticate': 'Basic realm="partner"' },
);
export const repeatedToken = problem(400, 'invalid_request', 'Send one Authorization header.', {
  'www-authenticate': 'Bearer realm="partner", error="invalid_request"',
});
export const insufficientScope = problem(403, 'insufficient_scope', 'The access token needs the scope USER.', {
  'www-authenticate': 'Bearer realm="partner", error="insufficient_scope", scope="USER"',
});
export const accepted = { accept: 'application/json, application/x-www-form-urlencoded' };
export const jsonHint = ' The body looks like JSON: send it with Content-Type: application/json.';
const wrongType = 'Send the parameters as application/json or application/x-www-form-urlencoded.';
export const unreadable = refused(415, 'invalid_request', wrongType, accepted);
export const unreadableJson = refused(415, 'invalid_request', wrongType + jsonHint, accepted);
