import { createHmac, generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { signBody, signingKey, standardHeaders, standardKey } from '@partnerkit/core/wire';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CheckedReceiver, diagnose } from '../src/diagnosis.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const text =
  '{"timestamp":1798761600,"data":{"id":"pay_1","label":"Café & crème","amount":100},"objectName":"RequestPayment","type":"payed"}';
const now = 1_798_761_600_000;
const sign = (body: string | Uint8Array, key = secret) => ({ 'x-webhook-signature': signBody(signingKey(key), body) });
const check = (
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = sign(text),
  secrets: CheckedReceiver['secrets'] = [secret],
  receiver: Partial<CheckedReceiver> = {},
) => diagnose({ headers, body: Buffer.from(body) }, { secrets, publicKeys: [], endpoints: [], ...receiver }, now);

test('what a platform signs is valid, also with the next secret of a rotation', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ minLength: 1 }), (body, key) => {
      expect(check(body, sign(Buffer.from(body), key), [other, key])).toEqual({
        isValid: true,
        findings: ['X-WEBHOOK-SIGNATURE is valid.'],
      });
    }),
  );
});

test('any other signature is not valid', () => {
  fc.assert(
    fc.property(fc.string(), (header) => {
      expect(check(text, { 'x-webhook-signature': header || '-' }).isValid).toBe(false);
    }),
  );
});

const python = text.replaceAll('":', '": ').replaceAll(',"', ', "').replace('é', '\\u00e9').replace('è', '\\u00e8');
const { timestamp, data, objectName, type } = JSON.parse(text);

describe('the cause is named when', () => {
  test.each([
    ['the JSON was indented', JSON.stringify(JSON.parse(text), null, 2), 'parsed and written again'],
    ['another language wrote it', python, 'parsed and written again'],
    ['slashes were escaped', text.replace('&', '\\u0026'), 'parsed and written again'],
    ['the order changed', JSON.stringify({ type, objectName, data, timestamp }), 'parsed and written again'],
    ['a line end was added', `${text}\r\n`, 'A line end was added'],
    ['a byte order mark was added', `\uFEFF${text}`, 'byte order mark'],
    ['UTF-8 was read as Latin-1', Buffer.from(Buffer.from(text).toString('latin1')), 'read as Latin-1'],
    ['it was converted to Latin-1', Buffer.from(text, 'latin1'), 'from UTF-8 to Latin-1'],
    ['it was converted to UTF-16', Buffer.from(text, 'utf16le'), 'UTF-16'],
    ['it was compressed', gzipSync(text), 'compressed'],
    [
      'it was indented and read as Latin-1',
      Buffer.from(Buffer.from(JSON.stringify(JSON.parse(text), null, 1)).toString('latin1')),
      'read as Latin-1 and written as UTF-8: keep the bytes as they arrive. The JSON was parsed',
    ],
  ])('%s', (_name, body, cause) => {
    const { isValid, findings } = check(body);
    expect([isValid, findings.length]).toEqual([false, 1]);
    expect(findings[0]).toContain(cause);
  });

  test.each([
    ['the secret has quotes', `"${secret}"`, 'has quotes or blanks'],
    ['the secret has a line end', `${secret}\n`, 'has quotes or blanks'],
    ['the secret lacks whsec_', secret.slice(6), 'lacks its beginning'],
    ['the secret is another', other, 'of another secret, or of other content'],
  ])('%s', (_name, given, cause) => {
    const { isValid, findings } = check(text, sign(text), [given]);
    expect([isValid, findings[0]]).toEqual([false, expect.stringContaining(cause)]);
  });

  test.each([
    ['the signer used the secret without whsec_', secret.slice(6), 'without whsec_'],
    ['the signer decoded the secret', Buffer.from(secret.slice(6), 'base64'), 'the decoded secret'],
  ])('%s', (_name, key, cause) => {
    const signature = createHmac('sha1', key).update(text).digest('hex');
    const { isValid, findings } = check(text, { 'x-webhook-signature': signature });
    expect([isValid, findings[0]]).toEqual([false, expect.stringContaining(cause)]);
  });

  test.each([
    ['the header is in capitals', (hex: string) => hex.toUpperCase(), '40 lower-case hex digits.'],
    ['the header has a prefix', (hex: string) => `sha1=${hex}`, 'given a prefix'],
    ['the header is Base64', (hex: string) => Buffer.from(hex, 'hex').toString('base64'), 'written as Base64'],
  ])('%s', (_name, change, cause) => {
    const { isValid, findings } = check(text, { 'x-webhook-signature': change(signBody(signingKey(secret), text)) });
    expect([isValid, findings[0]]).toEqual([false, expect.stringContaining(cause)]);
  });

  test('the body is cut', () => {
    const headers = { ...sign(text), 'content-length': String(Buffer.byteLength(text)) };
    expect(check(text.slice(0, 40), headers)).toEqual({
      isValid: false,
      findings: [`The body is cut: it has 40 of ${Buffer.byteLength(text)} bytes. Record the whole body.`],
    });
  });

  test('there is no signature', () => {
    expect(check(text, {}).findings[0]).toContain('There is no signature');
  });
});

describe('Standard Webhooks', () => {
  const signed = (at = now) => standardHeaders([standardKey(secret)], 'msg_1', Math.floor(at / 1_000), text);

  test('a signature is checked beside the other, and both must be valid', () => {
    expect(check(text, { ...sign(text), ...signed() })).toEqual({
      isValid: true,
      findings: ['X-WEBHOOK-SIGNATURE is valid.', 'webhook-signature is valid.'],
    });
    expect(check(text, { ...sign(text, other), ...signed() }).isValid).toBe(false);
    expect(check(text, { ...sign(text), ...signed(), 'webhook-id': 'msg_2' }).isValid).toBe(false);
  });

  test('a missing header, and a time that a receiver refuses, are named', () => {
    const { 'webhook-id': _id, ...rest } = signed();
    expect(check(text, rest).findings).toEqual(['webhook-id is missing: keep all three headers.']);
    expect(check(text, signed(now - 600_000))).toEqual({
      isValid: true,
      findings: [
        'webhook-signature is valid.',
        'webhook-timestamp is 10 minutes ago: a receiver refuses more than 5 minutes.',
      ],
    });
    expect(check(text, signed(now + 600_000)).findings[1]).toContain('10 minutes ahead of this clock');
  });
});

describe('for whom a request is', () => {
  const [mine, theirs] = ['019ab7c4-8f00-7000-8000-00000000000a', '019ab7c4-8f00-7000-8000-00000000000b'];
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const bytes = Uint8Array.from(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'));
  const at = now / 1_000;
  const asymmetric = (endpoint: string, signed = text) => {
    const id = `evt_1_${endpoint}`;
    const signature = signBytes(null, Buffer.from(`${id}.${at}.${signed}`), privateKey).toString('base64');
    return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1a,${signature}` };
  };
  const hmac = (endpoint: string) => standardHeaders([standardKey(secret)], `evt_1_${endpoint}`, at, text);
  const both = (endpoint: string) => ({
    ...hmac(endpoint),
    'webhook-signature': `${hmac(endpoint)['webhook-signature']} ${asymmetric(endpoint)['webhook-signature']}`,
  });
  const keyed = { publicKeys: [bytes], endpoints: [mine] };
  const valid = 'webhook-signature is valid.';
  const other = `It is for another endpoint: webhook-id names "${theirs}".`;

  test.each<[string, Readonly<Record<string, string>>, Partial<CheckedReceiver>, boolean, string]>([
    ['Ed25519', asymmetric(mine), keyed, true, valid],
    ['Ed25519, of two endpoints', asymmetric(mine), { ...keyed, endpoints: [theirs, mine] }, true, valid],
    ['Ed25519, for another', asymmetric(theirs), keyed, false, other],
    ['Ed25519, of another body', asymmetric(mine, '{}'), keyed, false, 'webhook-signature is wrong'],
    ['Ed25519, without its key', asymmetric(mine), { endpoints: [mine] }, false, 'with --public-key'],
    ['Ed25519, without an endpoint', asymmetric(mine), { publicKeys: [bytes] }, false, 'with --endpoint'],
    ['Ed25519 beside HMAC', both(mine), keyed, true, valid],
    ['Ed25519 beside HMAC, for another', both(theirs), keyed, false, other],
    ['Ed25519 beside HMAC, with the secret alone', both(mine), {}, true, valid],
    ['HMAC', hmac(mine), { endpoints: [mine] }, true, valid],
    ['HMAC, for another', hmac(theirs), { endpoints: [mine] }, false, other],
    ['HMAC, without an endpoint', hmac(theirs), {}, true, valid],
  ])('%s', (_name, headers, receiver, isValid, finding) => {
    const found = check(text, headers, [secret], receiver);
    expect(found.isValid).toBe(isValid);
    expect(found.findings.join(' ')).toContain(finding);
  });

  test('the usual mistakes are named for Ed25519, too', () => {
    const found = check(JSON.stringify(JSON.parse(text), null, 2), asymmetric(mine), [secret], keyed);
    expect(found.findings[0]).toContain('parsed and written again');
  });
});
