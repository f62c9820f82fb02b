import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { defineEnvelope, standardWebhooksEnvelope } from '../../../src/webhooks/envelope/webhook-envelope.ts';
import { readPrefix } from '../../../src/webhooks/signature/content.ts';
import { ed25519 } from '../../../src/webhooks/signature/ed25519-signature.ts';
import { hmac } from '../../../src/webhooks/signature/hmac-signature.ts';
import { specificationSignature } from '../../../src/webhooks/signature/specification-signature.ts';
import { standardWebhooks } from '../../../src/webhooks/signature/standard-signature.ts';
import {
  checkProfile,
  createProfiles,
  profileOf,
  secretProblem,
} from '../../../src/webhooks/signature/wire-profile.ts';
import { writeRequest } from '../../../src/webhooks/signature/write-request.ts';

const asymmetric = () => ed25519({ keys: [{ id: 'w1', privateKey: new Uint8Array(32).fill(7) }] });
const inHeader = (header: string) => hmac({ header, algorithm: 'sha256', encoding: 'hex' });
const own = () => defineEnvelope({ name: 'own', write: ({ id }) => JSON.stringify({ id }) });

const envelope = 'x.envelope must be one such as specificationEnvelope().';
const list = 'x.signatures must be a list such as [specificationSignature()].';
const value =
  "x.headers needs visible ASCII, or a list of 'id', 'timestamp', 'objectName', 'type', { text: '…' } and { names: {…} }.";
const twice = (text: string) => `x.headers has ${JSON.stringify(text)} twice: receivers see - for _, and no capitals.`;
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
  [{ headers: { 'X-A': 'b', 'x-a': 'c' } }, twice('x-a')],
  [{ headers: { 'X-A': 'b', X_A: 'c' } }, twice('X_A')],
  [{ headers: { x_webhook_signature: 'b' } }, name('x_webhook_signature')],
  [{ signatures: [inHeader('X-Sign')], headers: { X_SIGN: 'b' } }, name('X_SIGN')],
  [{ headers: { 'Webhook-Id': ['id'] } }, name('Webhook-Id')],
  [{ signatures: [inHeader('X-A'), inHeader('X_A')] }, 'x.signatures has two signatures in the header x_a.'],
  [{ headers: { 'x-a ': 'b' } }, name('x-a ')],
  [{ headers: { 'x-a': [] } }, value],
  [{ headers: { 'x-a': 7 } }, value],
  [{ headers: { 'x-a': ['id', 'body'] } }, value],
  [{ headers: { 'x-a': [null] } }, value],
  [{ headers: { 'x-a': [{ text: 7 }] } }, value],
  [{ headers: { 'x-a': [{ text: 'é.' }] } }, value],
  [{ headers: { 'x-a': [{ text: '.é' }] } }, value],
  [{ headers: { 'x-a': [{ names: 7 }] } }, value],
  [{ headers: { 'x-a': [{ names: { 'A.b': 'c\n' } }] } }, value],
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
  const to = { secrets: [secret], at: 9_000, url: 'https://partner.example', messageId: 'evt_1_7c1d' } as const;
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

test('a header writes names of the platform, one for each pair of the catalogue', () => {
  const pairs = ['Order.paid', 'Order.lost'];
  const of = (names: object) => () =>
    checkProfile('x', { headers: { 'X-Event': [{ text: 'v1:' }, { names }] } }, pairs);
  const all = { 'Order.paid': 'order/settled', 'Order.lost': 'order/gone' };
  const source = { id: 'evt', timestamp: 7, objectName: 'Order' };
  expect(of(all)().headersOf?.({ ...source, type: 'paid' })).toEqual({ 'x-event': 'v1:order/settled' });
  expect(of(all)().headersOf?.({ ...source, type: 'left' })).toEqual({ 'x-event': 'v1:Order.left' });
  expect(of({ 'Order.paid': 'a' })).toThrow('x.headers.x-event needs a name for Order.lost.');
  expect(of({ ...all, 'Order.piad': 'a' })).toThrow(
    "x-event: there is no pair of that name; did you mean 'Order.paid'?",
  );
  expect(() => checkProfile('x', { headers: { 'X-Event': [{ names: {} }] } })).not.toThrow();
});

test('a delivery header is no twin of a header of a profile', () => {
  const profiles = createProfiles('x', { profiles: { a: { headers: { X_Tenant: 'b' } } } });
  expect(['X-Tenant', 'x_tenant', 'X_TENANT'].map(profiles.sends)).toEqual([true, true, true]);
  expect(profiles.sends('x-tenants')).toBe(false);
});

test('Standard Webhooks is not added to a profile with one of its headers', () => {
  const problem = (addsStandard: boolean) =>
    secretProblem(checkProfile('x', { signatures: [inHeader('Webhook-Signature')] }), addsStandard, 'whsec_AAAA');
  expect(problem(false)).toBeUndefined();
  expect(problem(true)).toBe('the profile has a header of Standard Webhooks, which cannot be added to it.');
});
