import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { diagnose as check } from '../../src/element/verify/diagnose.ts';
import type { Finding } from '../../src/element/verify/finding.ts';
import { type CheckedRequest, readRequest } from '../../src/element/verify/read-request.ts';

const vectorsFile = new URL('../../../core/test/vectors/signature-vectors.json', import.meta.url);
/** Bodies with the signatures that Python's hmac computed. */
const vectors: readonly {
  readonly name: string;
  readonly secret: string;
  readonly body: string;
  readonly signature: string;
}[] = JSON.parse(readFileSync(vectorsFile, 'utf8')).cases;

/** What is found about the only signature of a request. */
const diagnoseRequest = async (
  secret: string,
  request: CheckedRequest,
  webhooks?: readonly string[],
): Promise<readonly Finding[]> => {
  const [checked, ...more] = await check(secret, request, webhooks);
  expect(more).toEqual([]);
  return checked?.findings ?? [];
};
const diagnose = (secret: string, { signature, body }: { readonly signature: string; readonly body: string }) =>
  diagnoseRequest(secret, { headers: { 'x-webhook-signature': signature }, body });

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

interface ProfileVector extends CheckedRequest {
  readonly form: string;
  readonly name: string;
  readonly genuine: boolean;
  readonly keys: readonly string[];
  readonly endpoints: readonly string[];
}
const profiles = new URL('../../../../examples/receivers/profiles/vectors.json', import.meta.url);
/** Requests that programs in seven languages judge. The page knows no time of arrival, and no name of a profile. */
const profileVectors: readonly ProfileVector[] = JSON.parse(readFileSync(profiles, 'utf8')).filter(
  ({ name }: ProfileVector) => !/of 301 seconds|without its name/.test(name),
);

test('signatures as GitHub and Stripe write them, Standard Webhooks and Ed25519 are valid as programs find them', async () => {
  expect(profileVectors.length).toBeGreaterThan(100);
  for (const { form, name, genuine, keys, endpoints, ...request } of profileVectors) {
    const found = await Promise.all(keys.map((key) => diagnoseRequest(key, request, endpoints)));
    expect(
      found.some(([finding]) => finding === 'valid'),
      `${form}: ${name}`,
    ).toBe(genuine);
  }
});

test('what the platform signed for another partner is named, where the webhooks of the account are known', async () => {
  const found = profileVectors.find(({ form, name }) => form === 'ed25519' && name.includes('to another partner'));
  const { keys, endpoints, ...request } = found ?? expect.unreachable();
  expect(await diagnoseRequest(keys[0] ?? '', request, endpoints)).toEqual(['endpoint']);
  expect(await diagnoseRequest(keys[0] ?? '', request, [])).toEqual(['endpoint']);
  expect(await diagnoseRequest(keys[0] ?? '', request)).toEqual(['valid']);
});

describe('a mistake with another signature is named', () => {
  const [id, at] = ['msg_1', '1732147200'];
  const decoded = Buffer.from(secret.slice(6), 'base64');
  const hmac = (key: string | Buffer, text: string, encoding: 'hex' | 'base64'): string =>
    createHmac('sha256', key).update(text).digest(encoding);
  const right = hmac(decoded, `${id}.${at}.${body}`, 'base64');
  const standard = (value: string, others = { 'webhook-id': id, 'webhook-timestamp': at }): CheckedRequest => ({
    headers: { ...others, 'webhook-signature': value },
    body,
  });
  const own = (name: string, value: string): CheckedRequest => ({ headers: { [name]: value }, body });
  test.each([
    ['Standard Webhooks', ['valid'], secret, standard(`v1,${right}`)],
    ['the second of a rotation', ['valid'], secret, standard(`v1,AAAA v1,${right}`)],
    ['a blank after the secret', ['secret-blanks'], `${secret} `, standard(`v1,${right}`)],
    ['a secret without its beginning', ['secret-part'], secret.slice(6), standard(`v1,${right}`)],
    [
      'a key that is the text',
      ['secret-text'],
      secret,
      standard(`v1,${hmac(secret, `${id}.${at}.${body}`, 'base64')}`),
    ],
    ['only the body', ['content-body'], secret, standard(`v1,${hmac(decoded, body, 'base64')}`)],
    ['no version', ['signature-form'], secret, standard(right)],
    ['hex', ['signature-form'], secret, standard(`v1,${Buffer.from(right, 'base64').toString('hex')}`)],
    ['no id', ['headers-missing'], secret, standard(`v1,${right}`, { 'webhook-id': '', 'webhook-timestamp': at })],
    [
      'JSON that was written again',
      ['body-parsed'],
      secret,
      { ...standard(`v1,${right}`), body: `${body.slice(0, -1)} }` },
    ],
    ['a public key that is none', ['public-key'], secret, standard('v1a,AAAA')],
    ['another secret', ['wrong'], 'whsec_AAAA', standard(`v1,${right}`)],
    ['SHA-256 with a prefix', ['valid'], secret, own('x-acme-signature', `sha256=${hmac(secret, body, 'hex')}`)],
    ['SHA-384', ['valid'], secret, own('x-acme-signature', createHmac('sha384', secret).update(body).digest('hex'))],
    ['SHA-256 in Base64', ['valid'], secret, own('x-acme-signature', hmac(secret, body, 'base64'))],
    ['the decoded secret', ['secret-decoded'], secret, own('x-acme-signature', hmac(decoded, body, 'hex'))],
    ['time and body', ['valid'], secret, own('x-acme-signature', `t=${at},v1=${hmac(secret, `${at}.${body}`, 'hex')}`)],
    ['no time', ['content-body'], secret, own('x-acme-signature', `t=${at},v1=${hmac(secret, body, 'hex')}`)],
    ['what is no digest', ['signature-form'], secret, own('x-acme-signature', 'sha256=?')],
  ] as const)('%s', async (_what, findings, key, request) => {
    expect(await diagnoseRequest(key, request)).toEqual(findings);
  });
});

test('each signature of a request is checked', async () => {
  const headers = { 'x-webhook-signature': signature, 'webhook-signature': 'v1,AAAA', 'x-other': 'x' };
  expect(await check(secret, { headers, body })).toEqual([
    { header: 'X-WEBHOOK-SIGNATURE', findings: ['valid'] },
    { header: 'webhook-signature', findings: ['headers-missing'] },
  ]);
});

test('a request as text has its signature and its body', () => {
  const headers = 'POST /hooks HTTP/1.1\nHost: partner.example\nx-webhook-signature:  abc \n';
  expect(readRequest(`${headers}\n${body}`)).toEqual({
    headers: { host: 'partner.example', 'x-webhook-signature': 'abc' },
    body,
  });
  expect(readRequest(`\n${headers.replaceAll('\n', '\r\n')}\r\n${body}\n\n`)).toEqual({
    headers: { host: 'partner.example', 'x-webhook-signature': 'abc' },
    body: `${body}\n\n`,
  });
  expect(readRequest(body)).toBeUndefined();
  expect(readRequest(`Host: partner.example\n\n${body}`)).toBeUndefined();
});
