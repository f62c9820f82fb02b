import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minute, second } from '../../../src/base/runtime/time.ts';
import {
  type StandardKey,
  standardHeaders,
  standardKey,
  verifyStandard,
} from '../../../src/webhooks/signature/standard-webhooks.ts';
import { signBody, signingKey } from '../../../src/webhooks/signature/webhook-signature.ts';
import { runs } from '../../support/runs.ts';
import vectors from '../../vectors/whsec-vectors.json' with { type: 'json' };

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const timestamp = 1_614_265_330;
const body = '{"test": 2432232314}';
const now = timestamp * second;
const key = standardKey(secret);

const secrets = fc
  .uint8Array({ minLength: 1, maxLength: 64 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`);
const ids = fc.string({ minLength: 1, maxLength: 40 }).filter((text) => !/\.\d+(\.|$)/.test(text));
const seconds = fc.integer({ min: 0, max: 99_999_999_999 });

const requestOf = (headers: ReturnType<typeof standardHeaders>) => ({
  id: headers['webhook-id'],
  timestamp: headers['webhook-timestamp'],
  signature: headers['webhook-signature'],
});
const verdict = (request: Parameters<typeof verifyStandard>[1], keys: readonly StandardKey[], at = now, text = body) =>
  verifyStandard(text, request, keys, at);

test('golden: the published example of Standard Webhooks', () => {
  expect(standardHeaders([key], id, timestamp, body)).toEqual({
    'webhook-id': id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

describe('whsec-vectors.json', () => {
  test.each(vectors.cases)('$name', ({ secret, body, id, timestamp, standard }) => {
    const headers = standardHeaders([standardKey(secret)], id, timestamp, body);
    expect(headers['webhook-signature']).toBe(standard);
    expect(verdict(requestOf(headers), [standardKey(secret)], timestamp * second, body)).toBe('valid');
  });
});

test('signs id, timestamp and body with the decoded bytes of the secret', () => {
  fc.assert(
    fc.property(secrets, ids, seconds, fc.string({ unit: 'grapheme' }), (text, webhookId, at, content) => {
      const bytes = Buffer.from(text.slice('whsec_'.length), 'base64');
      const expected = createHmac('sha256', bytes).update(`${webhookId}.${at}.${content}`).digest('base64');
      const headers = standardHeaders([standardKey(text)], webhookId, at, content);
      expect(headers['webhook-signature']).toBe(`v1,${expected}`);
      expect(verdict(requestOf(headers), [standardKey(text)], at * second, content)).toBe('valid');
    }),
    runs,
  );
});

describe('verifyStandard', () => {
  const right = requestOf(standardHeaders([key], id, timestamp, body));

  test('accepts a text and its bytes', () => {
    expect(verifyStandard(Buffer.from(body), right, [key], now)).toBe('valid');
    expect(verifyStandard(body, right, [key], now)).toBe('valid');
  });

  test.each([
    ['exactly five minutes after', 5 * minute, 'valid'],
    ['exactly five minutes before', -5 * minute, 'valid'],
    ['a millisecond later than that', 5 * minute + 1, 'wrong_signature'],
    ['a millisecond earlier than that', -5 * minute - 1, 'wrong_signature'],
  ])('the time may differ by five minutes: %s', (_name, by, expected) => {
    expect(verdict(right, [key], now + by)).toBe(expected);
  });

  test.each([
    ['no id', { ...right, id: undefined }, 'missing_signature'],
    ['an empty id', { ...right, id: '' }, 'missing_signature'],
    ['no time', { ...right, timestamp: undefined }, 'missing_signature'],
    ['an empty time', { ...right, timestamp: '' }, 'missing_signature'],
    ['no signature', { ...right, signature: undefined }, 'missing_signature'],
    ['an empty signature', { ...right, signature: '' }, 'missing_signature'],
    ['another id', { ...right, id: `${id}x` }, 'wrong_signature'],
    ['another time, still near', { ...right, timestamp: String(timestamp + 1) }, 'wrong_signature'],
    ['a time with a leading zero', { ...right, timestamp: `0${timestamp}` }, 'wrong_signature'],
    ['a time in blanks', { ...right, timestamp: ` ${timestamp}` }, 'wrong_signature'],
    ['a time with a fraction', { ...right, timestamp: `${timestamp}.0` }, 'wrong_signature'],
    ['a negative time', { ...right, timestamp: `-${timestamp}` }, 'wrong_signature'],
    ['a time that is no number', { ...right, timestamp: 'NaN' }, 'wrong_signature'],
    ['a time in hexadecimal', { ...right, timestamp: '0x6037bb32' }, 'wrong_signature'],
    ['a time too long for a date', { ...right, timestamp: '1'.repeat(400) }, 'wrong_signature'],
    ['another version', { ...right, signature: right.signature.replace('v1,', 'v2,') }, 'wrong_signature'],
    ['no version', { ...right, signature: right.signature.slice(3) }, 'wrong_signature'],
    ['commas between signatures', { ...right, signature: `v1,x,${right.signature}` }, 'wrong_signature'],
    ['a shorter signature', { ...right, signature: right.signature.slice(0, -1) }, 'wrong_signature'],
  ])('%s: refused', (_name, request, expected) => {
    expect(verdict(request, [key])).toBe(expected);
  });

  test('one of several signatures is enough, among the first sixteen', () => {
    const other = 'v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';
    const behind = (count: number) => ({
      ...right,
      signature: [...Array(count).fill(other), right.signature].join(' '),
    });
    expect(verdict(behind(1), [key])).toBe('valid');
    expect(verdict(behind(15), [key])).toBe('valid');
    expect(verdict(behind(16), [key])).toBe('wrong_signature');
    expect(verdict({ ...right, signature: `v1a,whatever ${right.signature} v2,x` }, [key])).toBe('valid');
  });

  test('during a rotation, headers signed with both secrets verify with either, and with no third', () => {
    fc.assert(
      fc.property(fc.uniqueArray(secrets, { minLength: 3, maxLength: 3 }), ids, (texts, webhookId) => {
        const [old, next, third] = texts.map(standardKey) as [StandardKey, StandardKey, StandardKey];
        const request = requestOf(standardHeaders([old, next], webhookId, timestamp, body));
        expect(request.signature.split(' ')).toHaveLength(2);
        expect([[old], [next], [third, next], [third], []].map((keys) => verdict(request, keys))).toEqual([
          'valid',
          'valid',
          'valid',
          'wrong_signature',
          'wrong_signature',
        ]);
      }),
      runs,
    );
  });

  test('any changed byte of the body fails', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), fc.nat(), fc.integer({ min: 1, max: 255 }), (bytes, place, flip) => {
        const request = requestOf(standardHeaders([key], id, timestamp, bytes));
        const changed = Uint8Array.from(bytes);
        const at = place % bytes.length;
        changed[at] = (changed[at] as number) ^ flip;
        expect(verifyStandard(bytes, request, [key], now)).toBe('valid');
        expect(verifyStandard(changed, request, [key], now)).toBe('wrong_signature');
      }),
      runs,
    );
  });
});

test('one secret serves both kinds of signature, and neither is accepted as the other', () => {
  const sha1 = signBody(signingKey(secret), body);
  expect(sha1).toBe(createHmac('sha1', secret).update(body).digest('hex'));
  expect(verdict({ id, timestamp: String(timestamp), signature: sha1 }, [key])).toBe('wrong_signature');
  expect(verdict({ id, timestamp: String(timestamp), signature: `v1,${sha1}` }, [key])).toBe('wrong_signature');
});

test.each(['', 'whsec_', 'whsec_!!!', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'WHSEC_MfKQ', 'whsec_clé'])(
  '%j is not a Standard Webhooks secret: a TypeError',
  (text) => {
    expect(() => standardKey(text)).toThrow(TypeError);
  },
);

describe('a request that is signed as it came, and means two things', () => {
  /** Signed over these very texts, so only their form is wrong. */
  const signed = (webhookId: string, at: string) => {
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', bytes).update(`${webhookId}.${at}.${body}`).digest('base64');
    return { id: webhookId, timestamp: at, signature: `v1,${signature}` };
  };

  test('is right as it is', () => {
    expect(verdict(signed(id, '1614265330'), [key])).toBe('valid');
  });

  // Each of these is the same number to JavaScript, or would be after a letter was dropped.
  test.each([' 1614265330', '1614265330 ', '01614265330', '+1614265330', '1614265330.0', '1614265330e0', '0x60379c32'])(
    'the timestamp "%s" is wrong',
    (at) => {
      expect(verdict(signed(id, at), [key])).toBe('wrong_signature');
    },
  );

  test.each([
    ['evt.5', 'wrong_signature'],
    ['evt.12', 'wrong_signature'],
    ['evt.a.12', 'wrong_signature'],
    ['evt.12.a', 'wrong_signature'],
    ['evt.5a', 'valid'],
    ['evt.a5', 'valid'],
    ['5', 'valid'],
    ['5.evt', 'valid'],
  ])('the id %s: %s', (webhookId, expected) => {
    expect(verdict(signed(webhookId, '1614265330'), [key])).toBe(expected);
  });

  test('headers that a server joined are wrong, whichever of them is right', () => {
    const { signature, ...rest } = signed(id, '1614265330');
    for (const joined of [`v1,AAAA, ${signature}`, `${signature}, v1,AAAA`])
      expect(verdict({ ...rest, signature: joined }, [key])).toBe('wrong_signature');
  });
});
