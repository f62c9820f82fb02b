import { envelopeText } from '@partnerkit/core/adapter';
import { signBody, signingKey } from '@partnerkit/core/wire';
import { expect, test } from 'vitest';
import {
  assertNeverReceived,
  assertReceivedInOrder,
  assertReceivedOnce,
  assertSameBytes,
  assertSigned,
} from '../../src/scripted/assertions.ts';

const post = (type: string, id: string, timestamp = 1, headers = {}) => {
  const rest = `,"data":{"id":"${id}"},"objectName":"RequestPayment","type":"${type}"}`;
  return { method: 'POST', path: '/', headers, body: envelopeText(timestamp, rest) };
};
const created = post('creation', 'p1');
const payed = post('payed', 'p1', 2);
const noEnvelope = { ...created, body: 'é' };
const event = { objectName: 'RequestPayment', type: 'payed', id: 'p1' };
const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const signed = (body: string, by = secret) => ({ 'x-webhook-signature': signBody(signingKey(by), body) });

/** The message of what is thrown. */
const failure = (assert: () => void): string => {
  try {
    assert();
  } catch (cause) {
    expect(cause).toMatchObject({ code: 'ERR_ASSERTION' });
    return (cause as Error).message;
  }
  return 'it holds';
};

test.each([
  ['received once', [created, payed], 'it holds'],
  ['not at all', [], 'RequestPayment payed of p1 was received 0 times, not once. Nothing was received.'],
  [
    'twice',
    [payed, created, payed],
    'RequestPayment payed of p1 was received 2 times, not once. Received: 1. RequestPayment payed of p1 at 2; 2. RequestPayment creation of p1 at 1; 3. RequestPayment payed of p1 at 2.',
  ],
  [
    'only others',
    [post('payed', 'p2'), noEnvelope],
    'RequestPayment payed of p1 was received 0 times, not once. Received: 1. RequestPayment payed of p2 at 1; 2. no envelope, 2 bytes.',
  ],
])('assertReceivedOnce: %s', (_name, posts, message) => {
  expect(failure(() => assertReceivedOnce(posts, event))).toBe(message);
});

test('an event is meant by the fields that are given', () => {
  const posts = [created, payed, post('payed', 'p2')];
  expect(failure(() => assertReceivedOnce(posts, { type: 'creation' }))).toBe('it holds');
  expect(failure(() => assertReceivedOnce(posts, { id: 'p2' }))).toBe('it holds');
  const message = 'any object payed was received 2 times, not once. Received: 1.';
  expect(failure(() => assertReceivedOnce(posts, { type: 'payed' }))).toContain(message);
  const other = failure(() => assertReceivedOnce(posts, { objectName: 'RequestSecurityDeposit' }));
  expect(other).toContain('RequestSecurityDeposit of any type was received 0 times, not once.');
});

test.each([
  ['nothing of it', [created], event, 'it holds'],
  ['nothing at all', [], undefined, 'it holds'],
  [
    'it was',
    [payed],
    event,
    'RequestPayment payed of p1 was received once. Received: 1. RequestPayment payed of p1 at 2.',
  ],
  ['something', [noEnvelope], undefined, 'Something was received. Received: 1. no envelope, 2 bytes.'],
])('assertNeverReceived: %s', (_name, posts, unwanted, message) => {
  expect(failure(() => assertNeverReceived(posts, unwanted))).toBe(message);
});

test.each([
  ['in order', [created, payed], 'it holds'],
  ['in order, with others and repetitions between', [created, noEnvelope, created, payed, created], 'it holds'],
  [
    'the other way round',
    [payed, created],
    'RequestPayment payed of p1 was received before any object creation. Received: 1. RequestPayment payed of p1 at 2; 2. RequestPayment creation of p1 at 1.',
  ],
  [
    'the second is missing',
    [created],
    'RequestPayment payed of p1 was not received. Received: 1. RequestPayment creation of p1 at 1.',
  ],
  ['both are missing', [], 'any object creation was not received. Nothing was received.'],
])('assertReceivedInOrder: %s', (_name, posts, message) => {
  expect(failure(() => assertReceivedInOrder(posts, [{ type: 'creation' }, event]))).toBe(message);
});

test.each([
  ['the same bytes, whatever others have', [payed, created, payed, post('payed', 'p2'), payed], 'it holds'],
  [
    'another second on the third attempt',
    [payed, payed, post('payed', 'p1', 3)],
    `RequestPayment payed of p1: attempt 3 has other bytes than the first.\n${payed.body}\n${post('payed', 'p1', 3).body}`,
  ],
  [
    'one attempt only',
    [payed],
    'RequestPayment payed of p1 was received once; there is nothing to compare. Received: 1. RequestPayment payed of p1 at 2.',
  ],
  ['none', [], 'RequestPayment payed of p1 was received 0 times; there is nothing to compare. Nothing was received.'],
])('assertSameBytes: %s', (_name, posts, message) => {
  expect(failure(() => assertSameBytes(posts, event))).toBe(message);
});

test.each([
  ['with the secret', [{ ...payed, headers: signed(payed.body) }], 'it holds'],
  ['with another secret that is trusted', [{ ...payed, headers: signed(payed.body, 'next') }], 'it holds'],
  [
    'with a foreign one',
    [
      { ...created, headers: signed(created.body) },
      { ...payed, headers: signed(payed.body, 'foreign') },
    ],
    'POST 2 has a wrong signature: RequestPayment payed of p1 at 2.',
  ],
  [
    'over other bytes',
    [{ ...payed, headers: signed(created.body) }],
    'POST 1 has a wrong signature: RequestPayment payed of p1 at 2.',
  ],
  ['not at all', [payed], 'POST 1 has no signature: RequestPayment payed of p1 at 2.'],
  ['nothing came', [], 'Nothing was received.'],
])('assertSigned: %s', (_name, posts, message) => {
  const said = failure(() => assertSigned(posts, secret, 'next'));
  expect(said).toBe(message);
  expect(said).not.toContain(secret);
});
