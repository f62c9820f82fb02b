import type { BadRequest } from './bad-request.ts';
import { payment, type RequestOptions } from './client.ts';

const body = (
  wrong: string,
  text: unknown,
  status = 400,
  {
    code = 'bad_request',
    headers = {},
  }: { readonly code?: string; readonly headers?: NonNullable<RequestOptions['headers']> } = {},
): BadRequest => ({
  wrong: `a payment request with a body that is ${wrong}`,
  method: 'POST',
  path: 'payment-requests',
  request: { body: text, headers },
  status,
  code,
});
const sent = JSON.stringify(payment);
const and = (fields: string): string => `${sent.slice(0, -1)},${fields}}`;

export const badBodies: readonly BadRequest[] = [
  body('an array', [], 400, { code: 'invalid_input' }),
  body('not JSON', '{'),
  body('JSON with text after it', `${sent}x`),
  body('JSON with a comment', `${sent}// guest`),
  body('JSON with NaN', sent.replace('120.5', 'NaN')),
  body('JSON that repeats a field', and('"name":"Other"')),
  body('JSON that repeats a field, escaped', and('"n\\u0061me":"Other"')),
  body('JSON that repeats a field of metadata', and('"metadata":{"k":"a","k":"b"}')),
  body('JSON with __proto__', and('"__proto__":{"amount":1}')),
  body('JSON with __proto__, escaped', and('"\\u005f_proto__":{"amount":1}')),
  body('JSON with __proto__ in its recipient', sent.replace('"email"', '"__proto__":{"x":1},"email"')),
  body('JSON with __proto__ in its metadata', and('"metadata":{"__proto__":"x","k":"v"}')),
  body('nested 30,000 times', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, 400, { code: 'invalid_input' }),
  body('larger than 64 KiB', and(`"description":"${'x'.repeat(65_536)}"`), 413, { code: 'too_large' }),
  body('larger than 1 MiB', and(`"description":"${'x'.repeat(1_048_576)}"`), 413, { code: 'too_large' }),
  body('not of a JSON type', sent, 415, { code: 'unsupported_media_type', headers: { 'content-type': 'text/plain' } }),
  body('a patch', sent, 415, {
    code: 'unsupported_media_type',
    headers: { 'content-type': 'application/merge-patch+json' },
  }),
  body('a form', 'name=Stay', 415, {
    code: 'unsupported_media_type',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
    },
  }),
  body('in another charset', sent, 415, {
    code: 'unsupported_media_type',
    headers: {
      'content-type': 'application/json; charset=utf-16',
    },
  }),
  body('compressed', sent, 415, { code: 'unsupported_media_type', headers: { 'content-encoding': 'gzip' } }),
];
