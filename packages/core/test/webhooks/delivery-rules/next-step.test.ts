import { describe, expect, test } from 'vitest';
import { day, hour, minute, second } from '../../../src/base/runtime/time.ts';
import type { SendOutcome } from '../../../src/webhooks/deliveries/sender.ts';
import { nextStep } from '../../../src/webhooks/delivery-rules/next-step.ts';
import { developmentSchedule, retrySchedule } from '../../../src/webhooks/delivery-rules/retry-policy.ts';
import { start } from '../../support/clock.ts';

const answered = (status: number, retryAfter?: string): SendOutcome => ({
  kind: 'answered',
  status,
  body: '',
  durationMs: 1,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});
const failed = (reason: 'dns' | 'out_of_reach' | 'internal'): SendOutcome => ({
  kind: 'failed',
  reason,
  durationMs: 1,
});
const next = (outcome: SendOutcome, attempt = 2, jitter = 0) =>
  nextStep(attempt, outcome, { jitter: () => jitter, now: start, schedule: retrySchedule });
const retry = (retryIn: number, pauseFor = 0) => ({ kind: 'retry', retryIn, pauseFor });

test('golden: a success, a failure, the last failure, 410, a child that is none', () => {
  expect(next(answered(204))).toEqual({ kind: 'delivered', retryIn: 0 });
  expect(next(answered(500))).toEqual(retry(5 * minute));
  expect(next(failed('dns'), 10)).toEqual({ kind: 'exhausted', retryIn: 0, pauseFor: 0 });
  expect(next(answered(410))).toEqual({ kind: 'gone', retryIn: 0 });
  expect(next(failed('out_of_reach'))).toEqual({ kind: 'out_of_reach', retryIn: 0 });
});

test('a failure is retried by the schedule, a tenth later at most, and the tenth is the last', () => {
  for (const [index, wait] of retrySchedule.entries()) {
    expect(next(answered(500), index + 1)).toEqual(retry(wait));
    expect(next(failed('internal'), index + 1, 0.5)).toEqual(retry(1.05 * wait));
  }
  expect(next(answered(500), retrySchedule.length + 1).kind).toBe('exhausted');
  expect(nextStep(9, answered(500), { jitter: () => 0, now: start, schedule: developmentSchedule }).retryIn).toBe(
    5 * second,
  );
});

test('410 says that the endpoint is gone, at the last attempt too', () => {
  for (const attempt of [1, 9, 10]) expect(next(answered(410, '60'), attempt)).toEqual({ kind: 'gone', retryIn: 0 });
});

describe('Retry-After', () => {
  test.each([429, 503])('of a %d is about the whole endpoint', (status) => {
    expect(next(answered(status, '7200'))).toEqual(retry(2 * hour, 2 * hour));
    expect(next(answered(status, '1'))).toEqual(retry(5 * minute, second));
    expect(next(answered(status, new Date(start + hour).toUTCString()))).toEqual(retry(hour, hour));
    expect(next(answered(status, '7200'), 10)).toEqual({ kind: 'exhausted', retryIn: 0, pauseFor: 2 * hour });
  });

  test.each(['200000', '9'.repeat(60), new Date(start + 30 * day).toUTCString()])(
    'of %s seconds or until then is 24 hours at most',
    (retryAfter) => {
      expect(next(answered(503, retryAfter))).toEqual(retry(day, day));
    },
  );

  test.each([undefined, '0', 'soon', '-5', new Date(start - hour).toUTCString()])(
    'of %s asks for nothing',
    (retryAfter) => {
      expect(next(answered(429, retryAfter))).toEqual(retry(5 * minute));
    },
  );

  test.each([302, 400, 404, 500, 502, 504])('of a %d is about that delivery alone', (status) => {
    expect(next(answered(status, '7200'))).toEqual(retry(2 * hour));
  });

  test('of a success has no effect', () => {
    expect(next(answered(200, '7200'))).toEqual({ kind: 'delivered', retryIn: 0 });
  });
});
