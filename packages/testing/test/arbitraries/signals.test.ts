import { mostAttempts, type Signal } from '@partnerkit/core';
import { expect, test } from 'vitest';
import { signalArbitrary } from '../../src/arbitraries/signals.ts';
import { many } from './support.ts';

const kinds: Readonly<Record<Signal['kind'], 1>> = {
  login: 1,
  login_pressure: 1,
  request_failed: 1,
  client: 1,
  endpoint: 1,
  attempt: 1,
  stamped_ahead: 1,
  worker_trouble: 1,
};

test('every kind is made, and one alone where one is asked for', () => {
  expect(new Set(many(signalArbitrary()).map(({ kind }) => kind))).toEqual(new Set(Object.keys(kinds)));
  for (const kind of Object.keys(kinds) as Signal['kind'][])
    expect(new Set(many(signalArbitrary(kind)).map((signal) => signal.kind))).toEqual(new Set([kind]));
});

test('what comes after an attempt fits its outcome and its number', () => {
  const seen = many(signalArbitrary('attempt')).map(({ outcome, attempt, next }) => {
    const delivered = typeof outcome === 'number' && outcome >= 200 && outcome <= 299;
    expect(next).toBe(delivered ? 'delivered' : attempt === mostAttempts ? 'exhausted' : 'retry');
    return next;
  });
  expect(new Set(seen).size).toBe(3);
});
