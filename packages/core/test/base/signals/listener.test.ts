import { expect, test } from 'vitest';
import { safeListener } from '../../../src/base/signals/listener.ts';
import type { Signal } from '../../../src/base/signals/signal.ts';
import { settled } from '../../support/clock.ts';

const signal: Signal = { kind: 'login', outcome: 'granted' };

test('passes each signal on, at once and in order', () => {
  const seen: Signal[] = [];
  const observe = safeListener((each: Signal) => seen.push(each));
  observe(signal);
  observe({ ...signal, outcome: 'refused' });
  expect(seen).toEqual([signal, { ...signal, outcome: 'refused' }]);
});

test('without an observer nothing happens', () => {
  expect(() => safeListener<[Signal]>(undefined)(signal)).not.toThrow();
});

test('an error that the observer throws or rejects with is ignored', async () => {
  const unhandled: unknown[] = [];
  const listen = (cause: unknown) => unhandled.push(cause);
  process.on('unhandledRejection', listen);
  try {
    safeListener((_: Signal) => {
      throw new Error('observer');
    })(signal);
    safeListener((_: Signal) => Promise.reject(new Error('observer')))(signal);
    safeListener(async (_: Signal) => {
      await Promise.resolve();
      throw new Error('observer');
    })(signal);
    await settled();
    await settled();
    expect(unhandled).toEqual([]);
  } finally {
    process.off('unhandledRejection', listen);
  }
});
