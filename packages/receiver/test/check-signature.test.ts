import { createHmac } from 'node:crypto';
import type { HttpHeaders } from '@partnerkit/core';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createReceiver, memorySeenKeys, type ReceiverOptions } from '../src/index.ts';
import { verdict } from './support/ask.ts';
import { minute, start, testClock } from './support/clock.ts';
import {
  bytesOf,
  deliveryHeader,
  legacy,
  nextSecret,
  payed,
  plainSecret,
  request,
  secret,
  sha1,
  sha256,
  standard,
} from './support/platform.ts';
import { runs } from './support/runs.ts';

type Options = Partial<Pick<ReceiverOptions<Record<never, never>>, 'secrets' | 'deliveryHeader'>>;

/** A receiver, the times its handler ran, and its clock. */
const setUp = (options: Options = {}) => {
  const clock = testClock();
  const handler = vi.fn();
  const receiver = createReceiver({
    secrets: [secret],
    seen: memorySeenKeys({ clock }),
    on: {},
    otherwise: handler,
    clock,
    ...options,
  });
  return { clock, handler, receiver };
};

const body = bytesOf(JSON.stringify(payed));

/** The verdict of a new receiver; what is refused must not reach its handler. */
const answered = async (headers: HttpHeaders, options?: Options, sent = body): Promise<string> => {
  const { handler, receiver } = setUp(options);
  const said = await verdict(receiver, request(sent, headers));
  expect(handler).toHaveBeenCalledTimes(said === '204' ? 1 : 0);
  return said;
};

const wrong = '401 wrong_signature';
const missing = '401 missing_signature';
const right = sha1(body);

describe('X-WEBHOOK-SIGNATURE (specification §5.3)', () => {
  test('a right signature is accepted, also as a list of one', async () => {
    expect(await answered({ 'x-webhook-signature': right })).toBe('204');
    expect(await answered({ 'x-webhook-signature': [right] })).toBe('204');
  });

  test.each<[string, HttpHeaders, string]>([
    ['missing', {}, missing],
    ['empty', { 'x-webhook-signature': '' }, missing],
    ['a list of none', { 'x-webhook-signature': [] }, missing],
    ['sent twice, both right', { 'x-webhook-signature': [right, right] }, wrong],
    ['sent twice, the first right', { 'x-webhook-signature': [right, 'x'] }, wrong],
    ['sent twice and joined', { 'x-webhook-signature': `${right}, ${right}` }, wrong],
    ['written twice', { 'x-webhook-signature': right + right }, wrong],
    ['too long', { 'x-webhook-signature': `${right}0` }, wrong],
    ['with a NUL', { 'x-webhook-signature': `${right}\0` }, wrong],
    ['much too long', { 'x-webhook-signature': 'a'.repeat(100_000) }, wrong],
    ['too short', { 'x-webhook-signature': right.slice(1) }, wrong],
    ['upper case', { 'x-webhook-signature': right.toUpperCase() }, wrong],
    ['Base64', { 'x-webhook-signature': Buffer.from(right, 'hex').toString('base64') }, wrong],
    ['Base64 for URLs', { 'x-webhook-signature': Buffer.from(right, 'hex').toString('base64url') }, wrong],
    ['raw bytes', { 'x-webhook-signature': Buffer.from(right, 'hex').toString('latin1') }, wrong],
    ['named as elsewhere', { 'x-webhook-signature': `sha1=${right}` }, wrong],
    ['with a space', { 'x-webhook-signature': ` ${right}` }, wrong],
    ['of another secret', { 'x-webhook-signature': sha1(body, nextSecret) }, wrong],
    ['of the secret without its prefix', { 'x-webhook-signature': sha1(body, secret.slice(6)) }, wrong],
    ['of another body', { 'x-webhook-signature': sha1(bytesOf(`${JSON.stringify(payed)} `)) }, wrong],
    ['characters of several bytes', { 'x-webhook-signature': 'é'.repeat(20) }, wrong],
    ['as many characters, more bytes', { 'x-webhook-signature': 'é'.repeat(40) }, wrong],
    ['under another name', { 'webhook-sig': right, 'x-hub-signature': right, signature: right }, missing],
  ])('%s: 401', async (_name, headers, expected) => {
    expect(await answered(headers)).toBe(expected);
  });

  test('a secret of any form signs by its UTF-8 bytes', async () => {
    expect(await answered(legacy(body, plainSecret), { secrets: [plainSecret] })).toBe('204');
    expect(await answered(legacy(body, plainSecret.normalize('NFD')), { secrets: [plainSecret] })).toBe(wrong);
  });

  test('during a rotation both secrets verify, and no third', async () => {
    const secrets = [secret, nextSecret] as const;
    expect(await answered(legacy(body, secret), { secrets })).toBe('204');
    expect(await answered(legacy(body, nextSecret), { secrets })).toBe('204');
    expect(await answered(legacy(body, plainSecret), { secrets })).toBe(wrong);
    expect(await answered(legacy(body, secret), { secrets: [nextSecret] })).toBe(wrong);
  });

  test('the raw bytes are signed', async () => {
    const spaced = bytesOf(JSON.stringify(payed, null, 2));
    expect(await answered(legacy(spaced), {}, spaced)).toBe('204');
    expect(await answered(legacy(body), {}, spaced)).toBe(wrong);
  });
});

describe('Standard Webhooks', () => {
  const strong = standard(body);
  const at = strong['webhook-timestamp'];
  const one = strong['webhook-signature'];
  const useless = `v1,${Buffer.alloc(32).toString('base64')}`;

  test('alone is accepted', async () => {
    expect(await answered(strong)).toBe('204');
  });

  test.each<[string, HttpHeaders, string]>([
    ['both good', { ...strong, ...legacy(body) }, '204'],
    ['strong good, weak bad', { ...strong, 'x-webhook-signature': right.replace(/./g, '0') }, wrong],
    ['strong good, weak of another secret', { ...strong, ...legacy(body, nextSecret) }, wrong],
    ['strong good, weak empty', { ...strong, 'x-webhook-signature': '' }, missing],
    ['strong good, weak twice', { ...strong, 'x-webhook-signature': [right, right] }, wrong],
    ['weak good, strong bad', { ...strong, ...legacy(body), 'webhook-signature': useless }, wrong],
    ['weak good, strong of another secret', { ...standard(body, { keys: [nextSecret] }), ...legacy(body) }, wrong],
    ['weak good, strong of another id', { ...strong, ...legacy(body), 'webhook-id': 'msg_2' }, wrong],
    ['weak good, strong without id', { ...strong, ...legacy(body), 'webhook-id': undefined }, missing],
    ['weak good, strong without time', { ...strong, ...legacy(body), 'webhook-timestamp': undefined }, missing],
    ['weak good, strong without signature', { ...strong, ...legacy(body), 'webhook-signature': undefined }, missing],
    ['weak good, a strong id alone', { ...legacy(body), 'webhook-id': 'msg_1' }, missing],
    ['weak good, strong signature empty', { ...strong, ...legacy(body), 'webhook-signature': '' }, missing],
  ])('every signature there must be good: %s', async (_name, headers, expected) => {
    expect(await answered(headers)).toBe(expected);
  });

  test.each<[string, number, string]>([
    ['exactly 5 minutes old', 5 * minute, '204'],
    ['a millisecond older', 5 * minute + 1, wrong],
    ['exactly 5 minutes ahead', -5 * minute, '204'],
    ['a millisecond further ahead', -5 * minute - 1, wrong],
    ['a year old', 365 * 24 * 60 * minute, wrong],
    ['a year ahead', -365 * 24 * 60 * minute, wrong],
  ])('its time: %s', async (_name, later, expected) => {
    for (const headers of [strong, { ...strong, ...legacy(body) }]) {
      const { clock, handler, receiver } = setUp();
      clock.set(start + later);
      expect(await verdict(receiver, request(body, headers))).toBe(expected);
      expect(handler).toHaveBeenCalledTimes(expected === '204' ? 1 : 0);
    }
  });

  test('X-WEBHOOK-SIGNATURE alone has no timestamp: a replay days later verifies', async () => {
    const { clock, receiver } = setUp();
    clock.set(start + 4 * 24 * 60 * minute);
    expect(await verdict(receiver, request(body, legacy(body)))).toBe('204');
  });

  test.each([
    ['a leading zero', `0${at}`],
    ['a sign', `+${at}`],
    ['a fraction', `${at}.0`],
    ['an exponent', '17321472e2'],
    ['hexadecimal', `0x${Number(at).toString(16)}`],
    ['a space', ` ${at}`],
    ['milliseconds', `${at}000`],
    ['other digits', at.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))],
    ['nothing that is a number', 'now'],
  ])('its time may be written in one way only: not with %s', async (_name, timestamp) => {
    expect(await answered({ ...strong, 'webhook-timestamp': timestamp })).toBe(wrong);
  });

  test('repeated headers are refused', async () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const) {
      expect(await answered({ ...strong, [name]: [strong[name], strong[name]] })).toBe(wrong);
      expect(await answered({ ...strong, [name]: [strong[name]] })).toBe('204');
    }
  });

  test.each<[string, string, string]>([
    ['the good one first', `${one} ${useless}`, '204'],
    ['the good one last', `${useless} ${useless} ${one}`, '204'],
    ['among other versions', `v1a,abc ${one} v2,def`, '204'],
    ['none good', `${useless} ${useless}`, wrong],
    ['with commas between', `${useless},${one}`, wrong],
    ['sent twice and joined, both good', `${one}, ${one}`, wrong],
    ['sent twice and joined, the last good', `${useless}, ${one}`, wrong],
    ['the sixteenth good', `${`${useless} `.repeat(15)}${one}`, '204'],
    ['the seventeenth good', `${`${useless} `.repeat(16)}${one}`, wrong],
    ['of another version', one.replace('v1,', 'v1a,'), wrong],
    ['without version', one.slice(3), wrong],
    ['in hexadecimal', `v1,${Buffer.from(one.slice(3), 'base64').toString('hex')}`, wrong],
    ['in the alphabet for URLs', `v1,${Buffer.from(one.slice(3), 'base64').toString('base64url')}`, wrong],
    ['shorter', one.slice(0, -1), wrong],
    ['the SHA-1 one', `v1,${right}`, wrong],
    ['thousands of wrong ones', Array(5_000).fill(useless).join(' '), wrong],
  ])('several signatures: %s', async (_name, signature, expected) => {
    expect(await answered({ ...strong, 'webhook-signature': signature })).toBe(expected);
  });

  test('during a rotation one valid signature of either secret suffices', async () => {
    const both = standard(body, { keys: [secret, nextSecret] });
    for (const secrets of [[secret], [nextSecret], [nextSecret, secret], [plainSecret, nextSecret]] as const) {
      expect(await answered(both, { secrets })).toBe('204');
    }
    expect(await answered(standard(body, { keys: [nextSecret] }), { secrets: [secret, nextSecret] })).toBe('204');
    expect(await answered(strong, { secrets: [nextSecret] })).toBe(wrong);
  });

  test.each([plainSecret, 'whsec_', 'whsec_!!!', secret.slice(6), secret.toUpperCase()])(
    'the secret %j can check none: 401, also beside a good X-WEBHOOK-SIGNATURE',
    async (text) => {
      expect(await answered(legacy(body, text), { secrets: [text] })).toBe('204');
      expect(await answered(strong, { secrets: [text] })).toBe(wrong);
      expect(await answered({ ...strong, ...legacy(body, text) }, { secrets: [text] })).toBe(wrong);
      const guessed = standard(body, { keys: [`whsec_${Buffer.from(text).toString('base64')}`] });
      expect(await answered({ ...guessed, ...legacy(body, text) }, { secrets: [text] })).toBe(wrong);
      expect(await answered(standard(body, { keys: ['whsec_'] }), { secrets: [text] })).toBe(wrong);
    },
  );

  test('a signature covers id, timestamp and body', async () => {
    const other = bytesOf(JSON.stringify({ ...payed, type: 'cancel' }));
    expect(await answered(strong, {}, other)).toBe(wrong);
    expect(await answered({ ...strong, 'webhook-timestamp': String(Number(at) + 1) })).toBe(wrong);
    const dotted = standard(body, { id: 'a.b' });
    expect(await answered(dotted)).toBe('204');
    expect(await answered({ ...dotted, 'webhook-signature': sha256(body, 'a', at) })).toBe(wrong);
  });
});

describe('assertAnyChangeFails', () => {
  const good: Readonly<Record<string, string>> = {
    ...standard(body),
    'x-webhook-signature': right,
    [deliveryHeader.name.toLowerCase()]: deliveryHeader.value,
  };
  const { handler, receiver } = setUp({ deliveryHeader });
  /** Another byte in the place of one. */
  const changed = (bytes: Uint8Array, place: number, flip: number): Uint8Array => {
    const at = place % bytes.length;
    return bytes.with(at, (bytes[at] as number) ^ flip);
  };
  const flips = fc.integer({ min: 1, max: 255 });

  test('any changed byte of the body or of a signed header fails', async () => {
    const parts = fc.constantFrom('body', ...Object.keys(good));
    const property = fc.asyncProperty(parts, fc.nat(), flips, async (part, place, flip) => {
      const value = good[part];
      const asked =
        value === undefined
          ? request(changed(body, place, flip), good)
          : request(body, {
              ...good,
              [part]: Buffer.from(changed(Buffer.from(value, 'latin1'), place, flip)).toString('latin1'),
            });
      expect(await verdict(receiver, asked)).toMatch(/^401 /);
    });
    await fc.assert(property, runs);
    expect(handler).not.toHaveBeenCalled();
  });

  test('any inserted or removed byte fails', async () => {
    const parts = fc.constantFrom('body', 'x-webhook-signature', 'webhook-id', deliveryHeader.name.toLowerCase());
    const spliced = (bytes: Uint8Array, place: number, byte: number, out: number): Uint8Array => {
      const at = place % (bytes.length + 1 - out);
      return Uint8Array.from([...bytes.subarray(0, at), ...(out ? [] : [byte]), ...bytes.subarray(at + out)]);
    };
    const property = fc.asyncProperty(parts, fc.nat(), fc.nat(255), fc.nat(1), async (part, place, byte, out) => {
      const value = good[part];
      const asked =
        value === undefined
          ? request(spliced(body, place, byte, out), good)
          : request(body, {
              ...good,
              [part]: Buffer.from(spliced(Buffer.from(value, 'latin1'), place, byte, out)).toString('latin1'),
            });
      expect(await verdict(receiver, asked)).toMatch(/^401 /);
    });
    await fc.assert(property, runs);
    expect(handler).not.toHaveBeenCalled();
  });

  test('one wrong scheme fails beside a right one', async () => {
    const schemes = fc.constantFrom<HttpHeaders>(legacy(body), standard(body));
    const alone = setUp();
    const property = fc.asyncProperty(schemes, fc.nat(), flips, async (headers, place, flip) => {
      expect(await verdict(alone.receiver, request(changed(body, place, flip), headers))).toBe(wrong);
    });
    await fc.assert(property, runs);
    expect(alone.handler).not.toHaveBeenCalled();
  });

  test('an unchanged request is accepted', async () => {
    expect(await verdict(receiver, request(body, good))).toBe('204');
    expect(handler).toHaveBeenCalledTimes(1);
  });
});

describe('missing or empty secrets', () => {
  const make = (...secrets: readonly unknown[]) =>
    createReceiver({
      secrets: secrets as readonly string[],
      seen: memorySeenKeys(),
      on: {},
    });

  test('no secret: a TypeError, before anything is received', () => {
    expect(() => make()).toThrow(new TypeError('secrets: at least one webhook secret is needed.'));
  });

  test.each([
    ['an empty one', [''], 'secrets[0] is empty'],
    ['an empty one beside a good one', [secret, ''], 'secrets[1] is empty'],
    ['undefined, as of an unset variable', [undefined], 'secrets[0] is undefined'],
    ['undefined beside a good one', [secret, undefined], 'secrets[1] is undefined'],
    ['null', [null], 'secrets[0] is null'],
  ])('%s: a TypeError that names its place, before anything is received', (_name, secrets, problem) => {
    expect(() => make(...secrets)).toThrow(new TypeError(`${problem}: secrets must be a list of webhook secrets.`));
  });

  test.each([undefined, secret])('%s in place of a list: a TypeError', (secrets) => {
    const options = { secrets: secrets as never, seen: memorySeenKeys(), on: {} };
    expect(() => createReceiver(options)).toThrow('secrets must be a list of webhook secrets.');
  });

  test('the error does not quote the secrets', () => {
    expect(() => make(secret, '')).toThrow(expect.not.objectContaining({ message: expect.stringContaining(secret) }));
  });
});

test('requireStandardWebhooks: a valid HMAC-SHA-1 alone is refused, and accepted beside one of Standard Webhooks', async () => {
  const body = '{"timestamp":1732147200,"data":{"id":"p"},"objectName":"RequestPayment","type":"payed"}';
  const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
  const headers = { 'x-webhook-signature': createHmac('sha1', secret).update(body).digest('hex') };
  const request = { method: 'POST', target: '/', headers, body: new TextEncoder().encode(body) };
  const options = { secrets: [secret], seen: memorySeenKeys(), on: {} } as const;
  expect((await createReceiver(options).handle(request)).status).toBe(204);
  const strict = createReceiver({ ...options, requireStandardWebhooks: true });
  expect((await strict.handle(request)).status).toBe(401);
  const time = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from('C2FVsBQIhrscChlQIMV+b5sSYspob7oD', 'base64');
  const signature = `v1,${createHmac('sha256', key).update(`evt_1.${time}.${body}`).digest('base64')}`;
  const signed = { 'webhook-id': 'evt_1', 'webhook-timestamp': time, 'webhook-signature': signature };
  expect((await strict.handle({ ...request, headers: { ...headers, ...signed } })).status).toBe(204);
});
