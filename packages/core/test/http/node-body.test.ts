import { expect, test } from 'vitest';
import { nodeBody } from '../../src/http/node-body.ts';

test.each([
  ['headers in ASCII: a text', { 'x-own': '\t~ e', 'content-length': '8' }, 'thé ☕'],
  ['no headers: a text', {}, ''],
  ['a header beyond ASCII: bytes', { a: 'b', 'x-own': '\u0080' }, new TextEncoder().encode('thé ☕')],
])('%s', (_name, headers, body) => {
  expect(nodeBody({ status: 200, headers, body: typeof body === 'string' ? body : 'thé ☕' })).toEqual(body);
});
