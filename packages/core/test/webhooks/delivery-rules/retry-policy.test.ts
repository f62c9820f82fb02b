import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { day, hour, minute, second } from '../../../src/base/runtime/time.ts';
import type { SendOutcome } from '../../../src/webhooks/deliveries/sender.ts';
import {
  isDelivered,
  maxAttempts,
  retryDelay,
  retrySchedule,
} from '../../../src/webhooks/delivery-rules/retry-policy.ts';
import { start } from '../../support/clock.ts';
import { runs } from '../../support/runs.ts';

const answered = (status: number, retryAfter?: string): SendOutcome => ({
  kind: 'answered',
  status,
  body: '',
  durationMs: 1,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});
const failed: SendOutcome = { kind: 'failed', reason: 'timeout', durationMs: 1 };

test('golden: 10 attempts over about three days', () => {
  expect(retrySchedule).toEqual([
    5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000,
  ]);
  expect(maxAttempts).toBe(10);
  const whole = retrySchedule.reduce((sum, wait) => sum + wait, 0);
  expect(whole).toBe(75 * hour + 35 * minute + 5 * second);
  expect(Array.from({ length: 11 }, (_, index) => retryDelay(index + 1, failed, { jitter: 0, now: start }))).toEqual([
    ...retrySchedule,
    undefined,
    undefined,
  ]);
});

test('never early, and without Retry-After never more than a tenth later', () => {
  // As fine as `fraction` draws it.
  const fraction = fc.integer({ min: 0, max: 2 ** 32 - 1 }).map((bits) => bits / 2 ** 32);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fraction, (attempt, jitter) => {
      const scheduled = retrySchedule[attempt - 1] as number;
      const delay = retryDelay(attempt, failed, { jitter, now: start }) as number;
      expect(Number.isSafeInteger(delay)).toBe(true);
      expect(delay).toBeGreaterThanOrEqual(scheduled);
      expect(delay).toBeLessThanOrEqual(scheduled * 1.1);
      expect(retryDelay(attempt, answered(500), { jitter, now: start })).toBe(delay);
    }),
    runs,
  );
});

test('jitter spreads over the whole tenth', () => {
  expect(retryDelay(2, failed, { jitter: 0, now: start })).toBe(300_000);
  expect(retryDelay(2, failed, { jitter: 0.5, now: start })).toBe(315_000);
  expect(retryDelay(2, failed, { jitter: 0.999_999, now: start })).toBe(330_000);
});

describe('Retry-After', () => {
  const date = (at: number) => new Date(at).toUTCString();
  const afterwards = (retryAfter: string, attempt = 1, now = start) =>
    retryDelay(attempt, answered(503, retryAfter), { jitter: 0, now });

  test.each([
    ['60', minute],
    [' 60 ', minute],
    ['0060', minute],
    [String(24 * 3_600), day],
    [String(24 * 3_600 + 1), day],
    ['9'.repeat(400), day],
    [date(start + 60_000), minute],
    [date(start + 2 * day), day],
    ['Thu Nov 21 00:01:00 2024', minute],
  ])('%s lengthens the wait', (retryAfter, wait) => {
    expect(afterwards(retryAfter)).toBe(wait);
  });

  test.each(['0', '1', '4', '5', date(start - day), date(start), date(start + 4_000)])(
    '%s cannot shorten it',
    (retryAfter) => {
      expect(afterwards(retryAfter)).toBe(5_000);
    },
  );

  test.each([
    '',
    ' ',
    'soon',
    '-60',
    '+60',
    '60s',
    '60.5',
    '1e9',
    '0x60',
    'NaN',
    'Infinity',
    '60, 120',
    'é',
    'tomorrow',
    'null',
  ])('%j is neither seconds nor a date: it asks for nothing', (retryAfter) => {
    expect(afterwards(retryAfter)).toBe(5_000);
  });

  test.each([
    'try again in 2999',
    'v2 2999',
    '2999-01-01',
    'later (2999)',
    '1/1/2999',
    'Sunday 2999',
    'Sunset, 2999',
    'Mon 1 2999',
    'Thu, 21 Nov 2999',
  ])('%j is no HTTP date either', (retryAfter) => {
    expect(afterwards(retryAfter)).toBe(5_000);
  });

  describe('as a date, in each of the three forms of HTTP (RFC 9110 §5.6.7), in any time zone', () => {
    const zone = process.env['TZ'];
    afterEach(() => {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    });
    test.each(['UTC', 'America/New_York', 'Pacific/Kiritimati'])('%s', (name) => {
      process.env['TZ'] = name;
      const hours = { UTC: 0, 'America/New_York': 19, 'Pacific/Kiritimati': 14 }[name];
      expect(new Date(start).getHours()).toBe(hours);
      expect(afterwards('Thu, 21 Nov 2024 03:00:00 GMT')).toBe(3 * hour);
      expect(afterwards('Thursday, 21-Nov-24 03:00:00 GMT')).toBe(3 * hour);
      expect(afterwards('Thu Nov 21 03:00:00 2024')).toBe(3 * hour);
    });
  });

  test('counts after any status; a failure without a response has none', () => {
    for (const status of [301, 404, 410, 429, 500, 503])
      expect(retryDelay(1, answered(status, '60'), { jitter: 0, now: start })).toBe(minute);
    expect(retryDelay(1, failed, { jitter: 0, now: start })).toBe(5 * second);
  });

  test('gives no attempt beyond the last', () => {
    expect(afterwards('60', 10)).toBeUndefined();
  });

  test('delays at least by the schedule and at most by 24 hours', () => {
    const text = fc.oneof(
      fc.string(),
      fc.nat().map(String),
      fc.bigInt({ min: 0n }).map(String),
      fc.date({ noInvalidDate: true }).map((at) => at.toUTCString()),
      fc.date({ noInvalidDate: true }).map((at) => at.toISOString()),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), text, (attempt, retryAfter) => {
        const delay = afterwards(retryAfter, attempt) as number;
        expect(delay).toBeGreaterThanOrEqual(retrySchedule[attempt - 1] as number);
        expect(delay).toBeLessThanOrEqual(day);
      }),
      runs,
    );
  });

  test('as a date, it is the moment that counts', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 86_400 }), fc.integer({ min: 0, max: 999 }), (seconds, fraction) => {
        const now = start + fraction;
        expect(afterwards(date(start + seconds * second + second), 1, now)).toBe(
          Math.min(seconds * second + second - fraction, day),
        );
      }),
      runs,
    );
  });
});

describe('isDelivered', () => {
  test('any 2xx, and nothing else', () => {
    for (let status = 100; status < 600; status++)
      expect(isDelivered(answered(status))).toBe(status >= 200 && status <= 299);
  });

  test('no failure', () => {
    for (const reason of [
      'timeout',
      'dns',
      'forbidden_address',
      'connect',
      'tls',
      'reset',
      'abandoned',
      'internal',
    ] as const) {
      expect(isDelivered({ kind: 'failed', reason, durationMs: 0 })).toBe(false);
    }
  });
});
