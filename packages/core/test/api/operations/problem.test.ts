import { expect, test } from 'vitest';
import { jsonResponse, problemResponse } from '../../../src/api/operations/problem.ts';

test('golden: JSON is not stored', () => {
  expect(jsonResponse(200, { é: 1 }, { pragma: 'no-cache' })).toEqual({
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', pragma: 'no-cache' },
    body: '{"é":1}',
  });
});

test('golden: a problem document (RFC 9457)', () => {
  expect(
    problemResponse(409, 'busy', 'Wait.', { headers: { 'retry-after': '5', 'content-type': 'text/html' } }),
  ).toEqual({
    status: 409,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', 'retry-after': '5' },
    body: '{"title":"Conflict","status":409,"code":"busy","detail":"Wait."}',
  });
  expect(JSON.parse(problemResponse(418, 'teapot', '').body).title).toBe('Error');
});
