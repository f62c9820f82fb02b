import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verdict } from './support/ask.ts';
import { bytesOf, delivery, legacy, payed, request, signed } from './support/platform.ts';
import { setUp } from './support/receiver.ts';
import { runs } from './support/runs.ts';

describe('what is no envelope', () => {
  const without = (field: string) => JSON.stringify({ ...payed, [field]: undefined });
  const text = JSON.stringify(payed);
  const latin1 = Buffer.from(text, 'latin1');

  test.each<[string, string | Uint8Array]>([
    ['an empty body', ''],
    ['white space', ' \n'],
    ['no JSON', 'timestamp=1&type=payed'],
    ['half a JSON', text.slice(0, -1)],
    ['two of them', text + text],
    ['a comma too many', text.replace(/}$/, ',}')],
    ['null', 'null'],
    ['a text', JSON.stringify(text)],
    ['a number', '1'],
    ['a list', `[${text}]`],
    ['an empty object', '{}'],
    ['no timestamp', without('timestamp')],
    ['no data', without('data')],
    ['no objectName', without('objectName')],
    ['no type', without('type')],
    ['a timestamp with a fraction', JSON.stringify({ ...payed, timestamp: 1.5 })],
    ['a timestamp in text', JSON.stringify({ ...payed, timestamp: '1732147200' })],
    ['a timestamp past what is exact', text.replace('1732147200', '9007199254740993')],
    ['a timestamp past any', text.replace('1732147200', '1e999')],
    ['a timestamp that is null', JSON.stringify({ ...payed, timestamp: null })],
    ['data without id', JSON.stringify({ ...payed, data: { amount: 1 } })],
    ['an id that is a number', JSON.stringify({ ...payed, data: { id: 9 } })],
    ['an id that is null', JSON.stringify({ ...payed, data: { id: null } })],
    ['data that is a list', JSON.stringify({ ...payed, data: ['id'] })],
    ['data that is null', JSON.stringify({ ...payed, data: null })],
    ['data that is a text', JSON.stringify({ ...payed, data: 'id' })],
    ['an objectName that is a list', JSON.stringify({ ...payed, objectName: ['RequestPayment'] })],
    ['a type that is a number', JSON.stringify({ ...payed, type: 1 })],
    ['all of it in the prototype', `{"__proto__":${text}}`],
    ['an id in the prototype', text.replace('"id":"pay_9"', '"__proto__":{"id":"pay_9"}')],
    ['Latin-1', latin1],
    ['UTF-16', Buffer.from(text, 'utf16le')],
    ['a byte that is never in UTF-8', Buffer.concat([Buffer.from(text), Buffer.of(0xff)])],
    ['a character cut in its middle', Buffer.from(text).subarray(0, Buffer.from(text).indexOf(0xc3) + 1)],
    [
      'an over-long encoding',
      Buffer.concat([Buffer.from(text.replace(/}$/, ',"x":"')), Buffer.of(0xc0, 0xaf), Buffer.from('"}')]),
    ],
    [
      'a surrogate in UTF-8',
      Buffer.concat([Buffer.from(text.replace(/}$/, ',"x":"')), Buffer.of(0xed, 0xa0, 0x80), Buffer.from('"}')]),
    ],
    ['brackets without end', '['.repeat(200_000)],
    ['objects without end', '{"data":'.repeat(60_000)],
  ])('%s, well signed: 400, and nothing is processed', async (_name, sent) => {
    const { claim, handler, receiver } = setUp();
    expect(await verdict(receiver, signed(sent))).toBe('400 no_envelope');
    expect(claim).not.toHaveBeenCalled();
    expect(handler).not.toHaveBeenCalled();
  });

  test('without a signature it is 401, before the body is parsed', async () => {
    for (const sent of ['', '{', text]) {
      expect(await verdict(setUp().receiver, request(bytesOf(sent)))).toBe('401 missing_signature');
    }
  });

  test('any signed bytes get 204 or 400, and nothing throws', async () => {
    const { receiver } = setUp();
    const bytes = fc.oneof(fc.uint8Array(), fc.json().map(bytesOf), fc.string().map(bytesOf));
    await fc.assert(
      fc.asyncProperty(bytes, async (sent) => {
        expect(await verdict(receiver, signed(sent))).toMatch(/^(204|400 no_envelope)$/);
      }),
      runs,
    );
  });
});

describe('compressed bodies', () => {
  const text = JSON.stringify(payed);
  const declared = { 'content-encoding': 'gzip' };

  test.each<[string, Uint8Array, Uint8Array, string]>([
    [
      'signed as it was before: the signature is over other bytes',
      gzipSync(text),
      bytesOf(text),
      '401 wrong_signature',
    ],
    ['signed as it is sent: nothing is decompressed', gzipSync(text), gzipSync(text), '400 no_envelope'],
    ['declared, and plain all the same: the bytes are what is signed', bytesOf(text), bytesOf(text), '204'],
  ])('%s', async (_name, sent, over, expected) => {
    const { handler, receiver } = setUp();
    expect(await verdict(receiver, request(sent, { ...legacy(over), ...declared }))).toBe(expected);
    expect(handler).toHaveBeenCalledTimes(expected === '204' ? 1 : 0);
  });
});

describe('variants of JSON', () => {
  const text = JSON.stringify(payed);

  test('a byte order mark and white space around change nothing', async () => {
    const { handler, receiver } = setUp();
    expect(await verdict(receiver, signed(`\ufeff\n ${text}\r\n`))).toBe('204');
    expect(handler.mock.calls).toEqual([[payed]]);
  });

  test('of a duplicate key the last counts, for the handler and for deduplication', async () => {
    const { handler, receiver } = setUp();
    const twice = text.replace('"type":"payed"', '"type":"cancel","type":"payed"');
    expect(await verdict(receiver, signed(twice))).toBe('204');
    expect(await verdict(receiver, signed(text))).toBe('204');
    expect(handler.mock.calls).toEqual([[payed]]);
  });

  test('keys named like prototypes are data and pollute no prototype', async () => {
    const { handler, receiver } = setUp();
    const evil = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}';
    const sent = `{${evil},"data":{${evil},"id":"x"},"timestamp":1,"objectName":"RequestPayment","type":"payed"}`;
    expect(await verdict(receiver, signed(sent))).toBe('204');
    const [[event]] = handler.mock.calls as [[Record<string, unknown>]];
    expect(JSON.stringify(event)).toBe(sent);
    expect([event, event['data']].map(Object.getPrototypeOf)).toEqual([Object.prototype, Object.prototype]);
    expect('polluted' in {}).toBe(false);
    expect('polluted' in event).toBe(false);
  });

  test.each([
    ['half a surrogate pair', '"\\ud800"', '\ud800'],
    ['both halves, swapped', '"\\udc00\\ud800"', '\udc00\ud800'],
    ['a NUL', '"\\u0000"', '\0'],
    ['nothing', '""', ''],
    ['100,000 characters', `"${'x'.repeat(100_000)}"`, 'x'.repeat(100_000)],
  ])('an id of %s is an id like others: processed once', async (_name, written, id) => {
    const { handler, receiver } = setUp();
    const sent = text.replace('"pay_9"', written);
    expect(await verdict(receiver, signed(sent))).toBe('204');
    expect(await verdict(receiver, signed(sent))).toBe('204');
    expect(handler.mock.calls).toEqual([[{ ...payed, data: { ...payed.data, id } }]]);
  });

  test('different lone surrogates are different keys', async () => {
    const { handler, receiver } = setUp();
    for (const half of ['\\ud800', '\\ud801', '\\udfff', '\\ufffd']) {
      expect(await verdict(receiver, signed(text.replace('pay_9', half)))).toBe('204');
    }
    expect(handler).toHaveBeenCalledTimes(4);
  });

  test.each([
    ['0', 0],
    ['-1', -1],
    ['1e9', 1_000_000_000],
    ['1732147200.0', 1_732_147_200],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['-9007199254740991', Number.MIN_SAFE_INTEGER],
  ])('the timestamp %s is a whole number, whatever time that is', async (written, timestamp) => {
    const { handler, receiver } = setUp();
    expect(await verdict(receiver, signed(text.replace('1732147200', written)))).toBe('204');
    expect(handler.mock.calls).toEqual([[{ ...payed, timestamp }]]);
  });

  test.each([
    ['past every number', '1e999', Number.POSITIVE_INFINITY],
    ['of 10,000 digits', '9'.repeat(10_000), Number.POSITIVE_INFINITY],
    ['past what is exact', '9007199254740993', 9_007_199_254_740_992],
    ['too small to be told from 0', '1e-999', 0],
  ])('a number %s in data is what JSON.parse makes of it', async (_name, written, amount) => {
    const { handler, receiver } = setUp();
    expect(await verdict(receiver, signed(text.replace('"amount":120', `"amount":${written}`)))).toBe('204');
    expect(handler.mock.calls).toEqual([[{ ...payed, data: { ...payed.data, amount } }]]);
  });

  test.each([
    ['lists', '['.repeat(200_000), ']'.repeat(200_000)],
    ['objects', `${'{"a":'.repeat(80_000)}1`, '}'.repeat(80_000)],
  ])('deep nesting of %s is only data', async (_name, open, close) => {
    const { handler, receiver } = setUp();
    const sent = text.replace('"amount":120', `"amount":${open}${close}`);
    expect(await verdict(receiver, signed(sent))).toBe('204');
    expect(handler).toHaveBeenCalledTimes(1);
  });

  test('any id and any unknown names: 204, processed once', async () => {
    const names = fc.string({ unit: 'binary' });
    const property = fc.asyncProperty(
      names,
      names,
      names,
      fc.maxSafeInteger(),
      async (id, objectName, type, timestamp) => {
        const { handler, receiver } = setUp();
        const event = { timestamp, data: { id }, objectName, type };
        expect(await verdict(receiver, delivery(event))).toBe('204');
        expect(await verdict(receiver, delivery(event))).toBe('204');
        expect(JSON.stringify(handler.mock.calls)).toBe(JSON.stringify([[event]]));
      },
    );
    await fc.assert(property, runs);
  });
});
