import { expect, test } from 'vitest';
import { second } from '../../../../src/base/runtime/time.ts';
import type { Signal } from '../../../../src/base/signals/signal.ts';
import { createErrorReports } from '../../../../src/webhooks/worker/context/error-reports.ts';
import { testClock } from '../../../support/clock.ts';

const failure = (code: string, message = ''): Error => Object.assign(new Error(message), { code });

const world = () => {
  const clock = testClock();
  const signals: Signal[] = [];
  const errors: (readonly [message: string, context: object])[] = [];
  const report = createErrorReports({
    clock,
    observe: (signal) => signals.push(signal),
    onError: (cause, context) => errors.push([(cause as Error).message, context]),
  });
  const counts = () => signals.map((signal) => signal.kind === 'worker_error' && signal.count);
  return { clock, signals, errors, report, counts };
};

test('an error is reported at once, with its name and code, and its activity', () => {
  const { report, signals, errors } = world();
  report('attempt', failure('ECONNREFUSED', 'refused'), { deliveryId: 'e.f' });
  const error = { name: 'Error', code: 'ECONNREFUSED' };
  expect(signals).toEqual([{ kind: 'worker_error', during: 'attempt', error, count: 1 }]);
  expect(errors).toEqual([['refused', { deliveryId: 'e.f', during: 'attempt', count: 1 }]]);
});

test('100,000 equal errors within a second are two reports, the second one with their number and the last of them', async () => {
  const { clock, report, errors, counts } = world();
  for (let number = 1; number <= 100_000; number++) report('settle', failure('57P01', `failure ${number}`));
  expect(counts()).toEqual([1]);
  await clock.advance(second);
  expect(counts()).toEqual([1, 99_999]);
  expect(errors.at(-1)).toEqual(['failure 100000', { during: 'settle', count: 99_999 }]);
});

test('errors that go on are one report a second; after a quiet second, the next one is reported at once', async () => {
  const { clock, report, counts } = world();
  for (let tenth = 0; tenth < 25; tenth++) {
    report('read', failure('ECONNRESET'));
    await clock.advance(second / 10);
  }
  expect(counts()).toEqual([1, 9, 10]);
  await clock.advance(2 * second);
  expect(counts()).toEqual([1, 9, 10, 5]);
  report('read', failure('ECONNRESET'));
  expect(counts()).toEqual([1, 9, 10, 5, 1]);
  await clock.advance(2 * second);
  expect(clock.sleepers()).toBe(0);
});

test('errors of another name, code or activity are reported on their own', () => {
  const { report, counts } = world();
  report('read', failure('A'));
  report('read', failure('B'));
  report('settle', failure('A'));
  report('read', new TypeError());
  expect(counts()).toEqual([1, 1, 1, 1]);
});

test('of more than 100 kinds at a time, the others are reported each', () => {
  const { report, counts } = world();
  for (let number = 0; number < 100; number++) report('read', failure(`E${number}`));
  report('read', failure('OTHER'));
  report('read', failure('OTHER'));
  report('read', failure('E7'));
  expect(counts()).toHaveLength(102);
});
