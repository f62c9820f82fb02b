import { describe, expect, test } from 'vitest';
import type { SendOutcome } from '../../src/deliveries/sender.ts';
import { settlementOf } from '../../src/deliveries/settlement.ts';
import { day, hour, minute } from '../../src/runtime/time.ts';
import { start } from '../support/clock.ts';

const answered = (status: number, retryAfter?: string): SendOutcome => ({
  kind: 'answered',
  status,
  body: '',
  took: 1,
  ...(retryAfter === undefined ? {} : { retryAfter }),
});
const settled = (outcome: SendOutcome, attempt = 2) => {
  const { next, pauseFor } = settlementOf({ deliveryId: 'd', lease: 'l', attempt }, outcome, () => 0, start);
  return [next, pauseFor];
};

test('it names the delivery, the lease and the outcome', () => {
  const outcome = answered(204);
  const settlement = settlementOf({ deliveryId: 'd', lease: 'l', attempt: 1 }, outcome, () => 0, start);
  expect(settlement).toEqual({ deliveryId: 'd', lease: 'l', outcome, next: 'delivered' });
});

test('a failure is retried by the schedule, and the tenth is the last', () => {
  expect(settled(answered(500))).toEqual([{ retryIn: 5 * minute }, undefined]);
  expect(settled({ kind: 'failed', reason: 'dns', took: 1 }, 10)).toEqual(['exhausted', undefined]);
});

test('410 says that the endpoint is gone, at the last attempt too', () => {
  for (const attempt of [1, 9, 10]) expect(settled(answered(410, '60'), attempt)).toEqual(['gone', undefined]);
});

describe('Retry-After', () => {
  test.each([429, 503])('of a %d is about the whole endpoint', (status) => {
    expect(settled(answered(status, '7200'))).toEqual([{ retryIn: 2 * hour }, 2 * hour]);
    expect(settled(answered(status, '1'))).toEqual([{ retryIn: 5 * minute }, 1_000]);
    expect(settled(answered(status, new Date(start + hour).toUTCString()))).toEqual([{ retryIn: hour }, hour]);
    expect(settled(answered(status, '7200'), 10)).toEqual(['exhausted', 2 * hour]);
  });

  test.each(['200000', '9'.repeat(60), new Date(start + 30 * day).toUTCString()])(
    'of %s seconds or until then is 24 hours at most',
    (retryAfter) => {
      expect(settled(answered(503, retryAfter))).toEqual([{ retryIn: day }, day]);
    },
  );

  test.each([undefined, '0', 'soon', '-5', new Date(start - hour).toUTCString()])(
    'of %s asks for nothing',
    (retryAfter) => {
      expect(settled(answered(429, retryAfter))).toEqual([{ retryIn: 5 * minute }, undefined]);
    },
  );

  test.each([302, 400, 404, 500, 502, 504])('of a %d is about that delivery alone', (status) => {
    expect(settled(answered(status, '7200'))).toEqual([{ retryIn: 2 * hour }, undefined]);
  });

  test('of a success is nothing', () => {
    expect(settled(answered(200, '7200'))).toEqual(['delivered', undefined]);
  });
});
