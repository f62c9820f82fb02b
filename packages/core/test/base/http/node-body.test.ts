import { expect, test } from 'vitest';
import { nodeBody } from '../../../src/base/http/node-body.ts';

test('an inherited name is no header', () => {
  Object.defineProperty(Object.prototype, 'extend', { value: () => 1, enumerable: true, configurable: true });
  let body: unknown;
  try {
    body = nodeBody({ status: 200, headers: { 'x-own': 'a' }, body: 'thé' });
  } finally {
    Reflect.deleteProperty(Object.prototype, 'extend');
  }
  expect(body).toBe('thé');
});

test.each([
  ['headers in ASCII: a text', { 'x-own': '\t~ e', 'content-length': '8' }, 'thé ☕'],
  ['no headers: a text', {}, ''],
  ['a header beyond ASCII: bytes', { a: 'b', 'x-own': '\u0080' }, new TextEncoder().encode('thé ☕')],
])('%s', (_name, headers, body) => {
  expect(nodeBody({ status: 200, headers, body: typeof body === 'string' ? body : 'thé ☕' })).toEqual(body);
});
