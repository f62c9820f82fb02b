import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { defineEnvelope, standardWebhooksEnvelope } from '../../src/envelope/webhook-envelope.ts';
import { readPrefix } from '../../src/signature/content.ts';
import { ed25519 } from '../../src/signature/ed25519-signature.ts';
import { hmac } from '../../src/signature/hmac-signature.ts';
import { specificationSignature } from '../../src/signature/specification-signature.ts';
import { standardWebhooks } from '../../src/signature/standard-signature.ts';
import { checkProfile, createProfiles, profileOf, secretProblem } from '../../src/signature/wire-profile.ts';
import { writeRequest } from '../../src/signature/write-request.ts';

const asymmetric = () => ed25519({ keys: [{ id: 'w1', privateKey: new Uint8Array(32).fill(7) }] });
const inHeader = (header: string) => hmac({ header, algorithm: 'sha256', encoding: 'hex' });
const own = () => defineEnvelope({ name: 'own', write: ({ id }) => JSON.stringify({ id }) });

const envelope = 'x.envelope must be one such as specificationEnvelope().';
const list = 'x.signatures must be a list such as [specificationSignature()].';
const value = `x.headers needs visible ASCII, or a list of 'id', 'timestamp', 'objectName', 'type' and { text: '…' }.`;
const name = (text: string) => `x.headers has the name ${JSON.stringify(text)}, which no header of it can have.`;

test.each<[unknown, string]>([
  [null, 'x must be an object.'],
  [{ envelope: null }, envelope],
  [{ envelope: {} }, envelope],
  [{ envelope: { name: 'own' } }, envelope],
  [{ envelope: { name: 7, write: () => '' } }, envelope],
  [{ signatures: 'specification' }, list],
  [{ signatures: [null] }, list],
  [{ signatures: [specificationSignature(), {}] }, list],
  [{ signatures: [{ signer: () => undefined }] }, list],
  [{ signatures: [{ headers: ['x-a'] }] }, list],
  [{ signatures: [standardWebhooks(), standardWebhooks()] }, 'x.signatures must not repeat a signature.'],
  [
    { signatures: [standardWebhooks(), inHeader('Webhook-Id')] },
    'x.signatures has two signatures in the header webhook-id.',
  ],
  [{ headers: 7 }, 'x.headers must be an object.'],
  [{ headers: { ' x-a': 'b' } }, name(' x-a')],
  [{ headers: { 'x-a ': 'b' } }, name('x-a ')],
  [{ headers: { 'x-a': [] } }, value],
  [{ headers: { 'x-a': 7 } }, value],
  [{ headers: { 'x-a': ['id', 'body'] } }, value],
  [{ headers: { 'x-a': [null] } }, value],
  [{ headers: { 'x-a': [{ text: 7 }] } }, value],
  [{ headers: { 'x-a': [{ text: 'é.' }] } }, value],
  [{ headers: { 'x-a': [{ text: '.é' }] } }, value],
])('%j is no profile: %s', (profile, message) => {
  expect(() => checkProfile('x', profile)).toThrow(new TypeError(message));
});

test('three signatures are a profile; its headers are those of all, and its own', () => {
  const signatures = [standardWebhooks(), asymmetric(), inHeader('X-Sign')];
  const standard = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const checked = checkProfile('x', { signatures, headers: { 'X-A': ['type'] } });
  expect(checked.headerNames).toEqual([...standard, ...standard, 'x-sign', 'x-a']);
  expect(checkProfile('x', {})).toMatchObject({ headersOf: undefined, headerNames: ['x-webhook-signature'] });
});

test('a secret meets the rules of every signature, and of Standard Webhooks where it is added', () => {
  const problem = (signatures: Parameters<typeof secretProblem>[0]['signatures'], addsStandard: boolean) =>
    secretProblem(checkProfile('x', { signatures }), addsStandard, 'no Base64');
  expect(problem([specificationSignature()], false)).toBeUndefined();
  expect(problem([specificationSignature()], true)).toBe('Standard Webhooks needs whsec_ and Base64.');
  expect(problem([specificationSignature(), standardWebhooks()], false)).toBe(
    'Standard Webhooks needs whsec_ and Base64.',
  );
  expect(problem([standardWebhooks({ key: 'utf8' })], false)).toBeUndefined();
});

test('a kit has its profile without a name, and those that it names', () => {
  const profiles = createProfiles('x', { headers: { 'X-A': 'b' }, profiles: { plain: {} } });
  expect(profileOf('openApi', profiles, undefined).headerNames).toEqual(['x-webhook-signature', 'x-a']);
  expect(profileOf('openApi', profiles, 'plain').headerNames).toEqual(['x-webhook-signature']);
  expect(() => profileOf('openApi', profiles, 'gone')).toThrow('openApi: webhooks.profiles has no "gone".');
  expect(() => createProfiles('x', { profiles: 7 as never })).toThrow('x.profiles must be an object.');
});

test('one name is one envelope; that of Standard Webhooks is always the same', () => {
  const [one, other, standard, again] = [own(), own(), standardWebhooksEnvelope(), standardWebhooksEnvelope()];
  const make = (a: object, b: object) =>
    createProfiles('x', { profiles: { a: { envelope: a }, b: { envelope: b } } as never }).envelopes;
  expect(() => make(one, other)).toThrow('x: two envelopes have the name own.');
  expect(make(one, one).map((each) => each.name)).toEqual(['own']);
  expect(make(one, standard).map((each) => each.name)).toEqual(['own', 'standard-webhooks']);
  expect(make(standard, again)).toHaveLength(1);
});

test('golden: one request of a profile', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const event = { id: 'evt_1', accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed', timestamp: 7 } as const;
  const to = { secrets: [secret], at: 9, url: 'https://partner.example', messageId: 'evt_1_7c1d' } as const;
  const body = '{"timestamp":7,"data":{"id":"p"},"objectName":"RequestPayment","type":"payed"}';
  const usual = {
    'content-type': 'application/json',
    'x-webhook-signature': createHmac('sha1', secret).update(body).digest('hex'),
  };
  expect(writeRequest({}, { ...event, data: { id: 'p' } }, to)).toEqual({ headers: usual, body });
  const headers = {
    'X-A': ['id', { text: '/' }, 'timestamp', { text: '/' }, 'objectName', { text: '.' }, 'type'],
  } as const;
  expect(writeRequest({ headers }, { ...event, data: { id: 'p' } }, to)).toEqual({
    headers: { ...usual, 'x-a': 'evt_1/9/RequestPayment.payed' },
    body,
  });
});

test.each([
  [[{ text: 'sha256=' }], 'sha256=ab', { rest: 'ab' }],
  [[{ text: 'sha256=' }], 'ab', undefined],
  [['timestamp', { text: ',' }], '12,ab', { timestamp: '12', rest: 'ab' }],
  [['timestamp', { text: ',' }], ',ab', undefined],
  [['timestamp', { text: ',' }], 'a12,ab', undefined],
] as const)('golden: the prefix %j of %j', (prefix, text, expected) => {
  expect(readPrefix(prefix, text)).toStrictEqual(expected);
});
