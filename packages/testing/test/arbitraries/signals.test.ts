import type { Signal } from '@partnerkit/core';
import { disableAfter, failuresToOpen, maxAttempts } from '@partnerkit/core/adapter';
import { expect, test } from 'vitest';
import { signalArbitrary } from '../../src/arbitraries/signals.ts';
import { many } from './support.ts';

const kinds: Readonly<Record<Signal['kind'], 1>> = {
  login: 1,
  login_failures_high: 1,
  login_body_parsed: 1,
  request_failed: 1,
  client: 1,
  endpoint: 1,
  delivery_sent_again: 1,
  published: 1,
  command: 1,
  due_command: 1,
  dispatched: 1,
  handler_attempt: 1,
  attempt: 1,
  endpoint_failing: 1,
  endpoint_recovered: 1,
  endpoint_disabled: 1,
  delivery_expired: 1,
  timestamp_ahead: 1,
  unknown_account: 1,
  worker_absent: 1,
  worker_error: 1,
};

test('every kind is made, and one alone where one is asked for', () => {
  expect(new Set(many(signalArbitrary()).map(({ kind }) => kind))).toEqual(new Set(Object.keys(kinds)));
  for (const kind of Object.keys(kinds) as Signal['kind'][])
    expect(new Set(many(signalArbitrary(kind)).map((signal) => signal.kind))).toEqual(new Set([kind]));
});

test('what comes after an attempt fits its outcome and its number', () => {
  const seen = many(signalArbitrary('attempt')).map(({ outcome, attempt, next }) => {
    const delivered = typeof outcome === 'number' && outcome >= 200 && outcome <= 299;
    const failed = outcome === 410 ? 'gone' : attempt === maxAttempts ? 'exhausted' : 'retry';
    expect(next).toBe(delivered ? 'delivered' : failed);
    return next;
  });
  expect(new Set(seen).size).toBe(4);
});

test('the health of an endpoint changes by an outcome that fits', () => {
  for (const { outcome } of many(signalArbitrary('endpoint_recovered')))
    expect(Number(outcome) >= 200 && Number(outcome) <= 299).toBe(true);
  for (const { outcome, failures } of many(signalArbitrary('endpoint_failing'))) {
    expect(typeof outcome === 'string' || outcome >= 300).toBe(true);
    expect(failures).toBeGreaterThanOrEqual(failuresToOpen);
  }
  const reasons = many(signalArbitrary('endpoint_disabled')).map(({ reason, outcome, failures }) => {
    if (reason === 'gone') expect(outcome).toBe(410);
    else expect(failures).toBeGreaterThanOrEqual(disableAfter.failures);
    return reason;
  });
  expect(new Set(reasons)).toEqual(new Set(['gone', 'failing']));
});
