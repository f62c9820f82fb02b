import { STATUS_CODES } from 'node:http';
import { describe, expect, test } from 'vitest';
import { codes } from '../../../src/api/operations/codes.ts';
import { failureResponse, type HttpFailure } from '../../../src/api/operations/failure.ts';

const cause = Object.assign(new Error('SECRET'), { code: 'SECRET' });
const detail = 'What to do.';

const golden: readonly (readonly [HttpFailure, number, string, Readonly<Record<string, string>>])[] = [
  [{ code: 'missing_token' }, 401, 'missing_token', { 'www-authenticate': 'Bearer realm="partner"' }],
  [
    { code: 'invalid_token' },
    401,
    'invalid_token',
    { 'www-authenticate': 'Bearer realm="partner", error="invalid_token"' },
  ],
  [
    { code: 'insufficient_scope' },
    403,
    'insufficient_scope',
    { 'www-authenticate': 'Bearer realm="partner", error="insufficient_scope", scope="USER"' },
  ],
  [
    { code: 'too_many_requests', policy: 'calls', rule: { points: 5, window: 61_500 }, wait: 1_001 },
    429,
    'too_many_requests',
    { 'retry-after': '2', 'ratelimit-policy': '"calls";q=5;w=62', ratelimit: '"calls";r=0;t=2' },
  ],
  [{ code: 'account_not_active' }, 403, 'account_not_active', {}],
  [{ code: 'not_found' }, 404, 'not_found', {}],
  [{ code: 'too_large' }, 413, 'too_large', {}],
  [{ code: 'bad_request', detail }, 400, 'bad_request', {}],
  [{ code: 'wrong_state', message: detail }, 409, 'wrong_state', {}],
  [{ code: 'method_not_allowed', headers: { allow: 'GET, POST' } }, 405, 'method_not_allowed', { allow: 'GET, POST' }],
  [{ code: 'unavailable', cause }, 503, 'unavailable', { 'retry-after': '5' }],
  [{ code: 'internal', cause }, 500, 'internal', {}],
];
/** Of the token endpoint (RFC 6749 §5.2). */
const oauth: typeof golden = [
  [{ code: 'invalid_request', detail }, 400, 'invalid_request', {}],
  [{ code: 'invalid_request', detail, status: 413 }, 413, 'invalid_request', {}],
  [{ code: 'invalid_request', detail, status: 415 }, 415, 'invalid_request', {}],
  [{ code: 'unsupported_grant_type', detail }, 400, 'unsupported_grant_type', {}],
  [{ code: 'invalid_scope', detail }, 400, 'invalid_scope', {}],
  [{ code: 'invalid_client' }, 401, 'invalid_client', { 'www-authenticate': 'Basic realm="partner"' }],
  [{ code: 'too_many_attempts', headers: { 'retry-after': '7' } }, 429, 'too_many_attempts', { 'retry-after': '7' }],
  [{ code: 'temporarily_unavailable', cause }, 503, 'temporarily_unavailable', { 'retry-after': '5' }],
];

describe('each failure has its problem document', () => {
  test.each(golden)('%j', (failure, status, code, headers) => {
    const response = failureResponse(failure);
    const body = JSON.parse(response.body);
    expect(response.status).toBe(status);
    expect(response.headers).toEqual({
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...headers,
    });
    expect(body).toEqual({ title: expect.any(String), status, code, detail: expect.stringMatching(/\.$/) });
    expect(body.title).toBe(status === 413 ? 'Content Too Large' : STATUS_CODES[status]);
    if ('detail' in failure || 'message' in failure) expect(response.body).toContain(detail);
    expect(response.body).not.toContain('SECRET');
  });
});

describe('each failure of the token endpoint has the bytes of RFC 6749', () => {
  test.each(oauth)('%j', (failure, status, code, headers) => {
    const response = failureResponse(failure, 'oauth2');
    const body = JSON.parse(response.body);
    expect(response.status).toBe(status);
    expect(response.headers).toEqual({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      pragma: 'no-cache',
      ...headers,
    });
    expect(body).toEqual({ error: code, error_description: expect.stringMatching(/\.$/) });
    if ('detail' in failure) expect(response.body).toContain(detail);
    expect(response.body).not.toContain('SECRET');
  });

  test('but a failure inside the platform is a problem document', () => {
    expect(failureResponse({ code: 'internal', cause }, 'oauth2')).toEqual(
      failureResponse({ code: 'internal', cause }),
    );
  });
});

/** RFC 9110 names them anew. */
const renamed: Readonly<Record<number, string>> = { 413: 'Content Too Large', 422: 'Unprocessable Content' };

test('each code has the title of its status, and its detail ends a sentence', () => {
  for (const [code, { status, detail: says }] of Object.entries(codes)) {
    const { title } = JSON.parse(failureResponse({ code: code as keyof typeof codes }).body);
    expect([code, title]).toEqual([code, renamed[status] ?? STATUS_CODES[status]]);
    if (says !== undefined) expect(says, code).toMatch(/[.]$/);
  }
});
