import { expect, test } from 'vitest';
import { sendFailures } from '../../../src/base/signals/send-failure.ts';
import type { SendOutcome } from '../../../src/webhooks/deliveries/sender.ts';
import { checkOutcome } from '../../../src/webhooks/delivery-rules/check-outcome.ts';
import { isGone, isRetryAfter, retryAfterPause } from '../../../src/webhooks/delivery-rules/retry-policy.ts';

const answered = (change: object): SendOutcome =>
  ({ kind: 'answered', status: 200, body: '', durationMs: 1, ...change }) as SendOutcome;
const failed = (change: object): SendOutcome =>
  ({ kind: 'failed', reason: 'timeout', durationMs: 1, ...change }) as SendOutcome;

test.each([
  answered({}),
  answered({ status: 100 }),
  answered({ status: 999 }),
  answered({ durationMs: 0, retryAfter: '1' }),
  ...sendFailures.map((reason) => failed({ reason })),
])('a sound outcome stays as it is: %j', (outcome) => {
  expect(checkOutcome(outcome)).toEqual(outcome);
});

test('a duration is rounded to milliseconds', () => {
  expect(checkOutcome(answered({ durationMs: 1.5 })).durationMs).toBe(2);
});

test.each([
  ...[99, 1_000, 200.5, Number.NaN, '200', undefined].map((status) => answered({ status })),
  ...[undefined, null, 1, new Uint8Array()].map((body) => answered({ body })),
  ...[-1, -0.1, Number.NaN, Number.POSITIVE_INFINITY, '1', undefined].map((durationMs) => answered({ durationMs })),
  ...['', 'nonsense', 'toString', '__proto__', undefined].map((reason) => failed({ reason })),
  failed({ durationMs: -1 }),
  failed({ kind: 'else' }),
  failed({ kind: undefined }),
])('an outcome that no store could keep is the fault of the sender: %j', (outcome) => {
  expect(() => checkOutcome(outcome)).toThrow('Sender.send: a status from 100 to 999 and a body');
});

test.each([
  [answered({ status: 410 }), true],
  [answered({ status: 404 }), false],
  [failed({ status: 410 }), false],
])('%j is gone: %s', (outcome, expected) => {
  expect(isGone(outcome)).toBe(expected);
});

test.each([
  [answered({ status: 429, retryAfter: '60' }), 60_000],
  [answered({ status: 503, retryAfter: '60' }), 60_000],
  [answered({ status: 503 }), 0],
  [answered({ status: 500, retryAfter: '60' }), 0],
  [answered({ status: 200, retryAfter: '60' }), 0],
  [failed({ status: 503, retryAfter: '60' }), 0],
])('after %j an endpoint pauses for %i ms', (outcome, pause) => {
  expect(retryAfterPause(outcome, 0)).toBe(pause);
});

test.each([
  ['0', true],
  ['120', true],
  [' 120 ', true],
  ['Sun, 06 Nov 1994 08:49:37 GMT', true],
  ['', false],
  ['soon', false],
  ['-1', false],
  ['1.5', false],
  ['1994-11-06', false],
  [`${'0'.repeat(63)}1`, true],
  [`${'0'.repeat(64)}1`, false],
])('Retry-After "%s" is valid: %s', (text, expected) => {
  expect(isRetryAfter(text)).toBe(expected);
});
