import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { signBody, signingKey, standardHeaders, standardKey } from '@partnerkit/core/receiver';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diagnose } from '../src/diagnosis.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const text =
  '{"timestamp":1798761600,"data":{"id":"pay_1","label":"Café & crème","amount":100},"objectName":"RequestPayment","type":"payed"}';
const now = 1_798_761_600_000;
const sign = (body: string | Uint8Array, key = secret) => ({ 'x-webhook-signature': signBody(signingKey(key), body) });
const check = (
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = sign(text),
  secrets: readonly string[] = [secret],
) => diagnose({ headers, body: Buffer.from(body) }, secrets, now);

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
