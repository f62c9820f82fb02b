import type { HttpHeaders, HttpRequest } from '@partnerkit/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verdict } from './support/ask.ts';
import { delivery, deliveryHeader, request, standard } from './support/platform.ts';
import { setUp } from './support/receiver.ts';
import { runs } from './support/runs.ts';

describe('the API key (specification §5.2)', () => {
  const name = deliveryHeader.name.toLowerCase();
  const withKey = (headers: HttpHeaders): HttpRequest => {
    const { body, headers: own } = delivery();
    return request(body, { ...own, ...headers });
  };

  test.each<[string, HttpHeaders]>([
    ['missing', {}],
    ['empty', { [name]: '' }],
    ['wrong', { [name]: 'another' }],
    ['wrong, of the same length', { [name]: deliveryHeader.value.replace(/.$/, '!') }],
    ['in another case', { [name]: deliveryHeader.value.toUpperCase() }],
    ['longer', { [name]: `${deliveryHeader.value} ` }],
    ['shorter', { [name]: deliveryHeader.value.slice(0, -1) }],
    ['twice, both right', { [name]: [deliveryHeader.value, deliveryHeader.value] }],
    ['twice, one right', { [name]: ['another', deliveryHeader.value] }],
    ['twice and joined', { [name]: `${deliveryHeader.value}, ${deliveryHeader.value}` }],
    ['a list of none', { [name]: [] }],
    ['in another header', { authorization: `Bearer ${deliveryHeader.value}`, 'x-api-token': deliveryHeader.value }],
  ])('%s: 401, and nothing is processed', async (_name, headers) => {
    const { claim, handler, receiver } = setUp({ deliveryHeader });
    expect(await verdict(receiver, withKey(headers))).toBe('401 wrong_delivery_header');
    expect(claim).not.toHaveBeenCalled();
    expect(handler).not.toHaveBeenCalled();
  });

  test('a right key gets 204, also as a list of one, in any case of the header name', async () => {
    for (const header of ['X-API-Key', 'x-api-key', 'X-API-KEY']) {
      for (const value of [deliveryHeader.value, [deliveryHeader.value]]) {
        const { receiver } = setUp({ deliveryHeader: { ...deliveryHeader, name: header } });
        expect(await verdict(receiver, withKey({ [name]: value }))).toBe('204');
      }
    }
  });

  test('can be in Authorization and be long', async () => {
    const value = `Bearer ${'k'.repeat(2_000)}`;
    const { receiver } = setUp({ deliveryHeader: { name: 'Authorization', value } });
    expect(await verdict(receiver, withKey({ authorization: `${value}k` }))).toBe('401 wrong_delivery_header');
    expect(await verdict(receiver, withKey({ authorization: value }))).toBe('204');
  });

  test('with a comma is not two headers', async () => {
    const { receiver } = setUp({ deliveryHeader: { name: name, value: 'one,two' } });
    expect(await verdict(receiver, withKey({ [name]: ['one', 'two'] }))).toBe('401 wrong_delivery_header');
    expect(await verdict(receiver, withKey({ [name]: 'one,two' }))).toBe('204');
  });

  test('does not replace the signature, and the signature does not replace the key', async () => {
    const { handler, receiver } = setUp({ deliveryHeader });
    const { body } = delivery();
    expect(await verdict(receiver, request(body, { [name]: deliveryHeader.value }))).toBe('401 missing_signature');
    expect(await verdict(receiver, request(body, { ...standard(body as Uint8Array) }))).toBe(
      '401 wrong_delivery_header',
    );
    expect(await verdict(receiver, request(body, {}))).toBe('401 wrong_delivery_header');
    expect(handler).not.toHaveBeenCalled();
  });

  test('any other key fails', async () => {
    const { handler, receiver } = setUp({ deliveryHeader });
    const property = fc.asyncProperty(fc.string({ unit: 'binary' }), async (value) => {
      fc.pre(value !== deliveryHeader.value);
      expect(await verdict(receiver, withKey({ [name]: value }))).toBe('401 wrong_delivery_header');
    });
    await fc.assert(property, runs);
    expect(handler).not.toHaveBeenCalled();
  });

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'a header named %s is looked for among the headers alone',
    async (header) => {
      const { receiver } = setUp({ deliveryHeader: { name: header, value: 'x' } });
      expect(await verdict(receiver, delivery())).toBe('401 wrong_delivery_header');
    },
  );

  test.each([
    ['an empty header name', { name: '', value: 'x' }],
    ['an empty value', { name: 'x-api-key', value: '' }],
    ['no value, as of an unset variable', { name: 'x-api-key', value: undefined }],
    ['no header name', { name: undefined, value: 'x' }],
  ])('%s: a TypeError, before anything is received', (_name, wrong) => {
    expect(() => setUp({ deliveryHeader: wrong as typeof deliveryHeader })).toThrow(TypeError);
  });
});
