import type { HttpHeaders, HttpRequest } from '@partnerkit/core/http';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verdict } from './support/ask.ts';
import { apiKey, delivery, request, standard } from './support/platform.ts';
import { setUp } from './support/receiver.ts';
import { runs } from './support/runs.ts';

describe('the API key (specification §5.2)', () => {
  const name = apiKey.header.toLowerCase();
  const withKey = (headers: HttpHeaders): HttpRequest => {
    const { body, headers: own } = delivery();
    return request(body, { ...own, ...headers });
  };

  test.each<[string, HttpHeaders]>([
    ['missing', {}],
    ['empty', { [name]: '' }],
    ['wrong', { [name]: 'another' }],
    ['wrong, of the same length', { [name]: apiKey.value.replace(/.$/, '!') }],
    ['in another case', { [name]: apiKey.value.toUpperCase() }],
    ['longer', { [name]: `${apiKey.value} ` }],
    ['shorter', { [name]: apiKey.value.slice(0, -1) }],
    ['twice, both right', { [name]: [apiKey.value, apiKey.value] }],
    ['twice, one right', { [name]: ['another', apiKey.value] }],
    ['twice and joined', { [name]: `${apiKey.value}, ${apiKey.value}` }],
    ['a list of none', { [name]: [] }],
    ['in another header', { authorization: `Bearer ${apiKey.value}`, 'x-api-token': apiKey.value }],
  ])('%s: 401, and nothing is processed', async (_name, headers) => {
    const { claim, handler, receiver } = setUp({ apiKey });
    expect(await verdict(receiver, withKey(headers))).toBe('401 wrong_api_key');
    expect(claim).not.toHaveBeenCalled();
    expect(handler).not.toHaveBeenCalled();
  });

  test('a right key gets 204, also as a list of one, in any case of the header name', async () => {
    for (const header of ['X-API-Key', 'x-api-key', 'X-API-KEY']) {
      for (const value of [apiKey.value, [apiKey.value]]) {
        const { receiver } = setUp({ apiKey: { ...apiKey, header } });
        expect(await verdict(receiver, withKey({ [name]: value }))).toBe('204');
      }
    }
  });

  test('can be in Authorization and be long', async () => {
    const value = `Bearer ${'k'.repeat(2_000)}`;
    const { receiver } = setUp({ apiKey: { header: 'Authorization', value } });
    expect(await verdict(receiver, withKey({ authorization: `${value}k` }))).toBe('401 wrong_api_key');
    expect(await verdict(receiver, withKey({ authorization: value }))).toBe('204');
  });

  test('with a comma is not two headers', async () => {
    const { receiver } = setUp({ apiKey: { header: name, value: 'one,two' } });
    expect(await verdict(receiver, withKey({ [name]: ['one', 'two'] }))).toBe('401 wrong_api_key');
    expect(await verdict(receiver, withKey({ [name]: 'one,two' }))).toBe('204');
  });

  test('does not replace the signature, and the signature does not replace the key', async () => {
    const { handler, receiver } = setUp({ apiKey });
    const { body } = delivery();
    expect(await verdict(receiver, request(body, { [name]: apiKey.value }))).toBe('401 missing_signature');
    expect(await verdict(receiver, request(body, { ...standard(body as Uint8Array) }))).toBe('401 wrong_api_key');
    expect(await verdict(receiver, request(body, {}))).toBe('401 wrong_api_key');
    expect(handler).not.toHaveBeenCalled();
  });

  test('any other key fails', async () => {
    const { handler, receiver } = setUp({ apiKey });
    const property = fc.asyncProperty(fc.string({ unit: 'binary' }), async (value) => {
      fc.pre(value !== apiKey.value);
      expect(await verdict(receiver, withKey({ [name]: value }))).toBe('401 wrong_api_key');
    });
    await fc.assert(property, runs);
    expect(handler).not.toHaveBeenCalled();
  });

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'a header named %s is looked for among the headers alone',
    async (header) => {
      const { receiver } = setUp({ apiKey: { header, value: 'x' } });
      expect(await verdict(receiver, delivery())).toBe('401 wrong_api_key');
    },
  );

  test.each([
    ['an empty header name', { header: '', value: 'x' }],
    ['an empty value', { header: 'x-api-key', value: '' }],
    ['no value, as of an unset variable', { header: 'x-api-key', value: undefined }],
    ['no header name', { header: undefined, value: 'x' }],
  ])('%s: a TypeError, before anything is received', (_name, wrong) => {
    expect(() => setUp({ apiKey: wrong as typeof apiKey })).toThrow(TypeError);
  });
});
