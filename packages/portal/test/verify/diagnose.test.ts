import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { diagnose, readRequest } from '../../src/element/verify/diagnose.ts';
import { vectors } from './programs.ts';

const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const body =
  '{"timestamp":1732147200,"data":{"id":"pay_9","name":"Été","amount":12.5},"objectName":"RequestPayment","type":"payed"}';
const signed = (key: string | Buffer, text = body): string => createHmac('sha1', key).update(text).digest('hex');
const signature = signed(secret);

test('each vector is valid', async () => {
  for (const each of vectors) expect(await diagnose(each.secret, each), each.name).toEqual(['valid']);
});

describe('a mistake is named', () => {
  const value = JSON.parse(body);
  const { timestamp, ...rest } = value;
  const decoded = Buffer.from(secret.slice(6), 'base64');
  test.each([
    ['a blank after the secret', ['secret-blanks'], `${secret} `, { signature, body }],
    ['quotes around the secret', ['secret-blanks'], `"${secret}"`, { signature, body }],
    ['a secret without its beginning', ['secret-part'], secret.slice(6), { signature, body }],
    ['a key without its beginning', ['secret-part'], secret, { signature: signed(secret.slice(6)), body }],
    ['a key from Base64', ['secret-decoded'], secret, { signature: signed(decoded), body }],
    ['a signature in capitals', ['signature-form'], secret, { signature: signature.toUpperCase(), body }],
    ['a signature with a prefix', ['signature-form'], secret, { signature: `sha1=${signature}`, body }],
    [
      'a signature in Base64',
      ['signature-form'],
      secret,
      { signature: Buffer.from(signature, 'hex').toString('base64'), body },
    ],
    ['a line end after the body', ['body-space'], secret, { signature, body: `${body}\n` }],
    [
      'line ends of another system',
      ['body-lines'],
      secret,
      { signature: signed(secret, '{\r\n"a":1}'), body: '{\n"a":1}' },
    ],
    ['JSON that was written again', ['body-parsed'], secret, { signature, body: JSON.stringify(value, null, 2) }],
    ['fields in another order', ['body-parsed'], secret, { signature, body: JSON.stringify({ ...rest, timestamp }) }],
    [
      'two mistakes at once',
      ['body-parsed', 'secret-blanks'],
      ` ${secret}`,
      { signature, body: JSON.stringify(value, null, 2) },
    ],
    ['another secret', ['wrong'], 'whsec_other', { signature, body }],
    ['another value', ['wrong'], secret, { signature, body: body.replace('12.5', '12.6') }],
    ['no secret', ['wrong'], '', { signature: signed(''), body }],
    ['no signature', ['no-signature'], secret, { signature: ' ', body }],
    ['a body that is no JSON', ['wrong'], secret, { signature, body: 'null' }],
  ] as const)('%s', async (_what, findings, key, request) => {
    expect(await diagnose(key, request)).toEqual(findings);
  });
});

test('a request as text has its signature and its body', () => {
  const headers = 'POST /hooks HTTP/1.1\nHost: partner.example\nx-webhook-signature:  abc \n';
  expect(readRequest(`${headers}\n${body}`)).toEqual({ signature: 'abc', body });
  expect(readRequest(`\n${headers.replaceAll('\n', '\r\n')}\r\n${body}\n\n`)).toEqual({
    signature: 'abc',
    body: `${body}\n\n`,
  });
  expect(readRequest(body)).toBeUndefined();
  expect(readRequest(`Host: partner.example\n\n${body}`)).toBeUndefined();
});
