import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createReceiver, memorySeenKeys, type StandardResult, type StandardSchema } from '../src/index.ts';
import { verdict } from './support/ask.ts';
import { minute, testClock } from './support/clock.ts';
import { confidential, delivery, payed, secret } from './support/platform.ts';

/** A schema of no library. */
const handWritten = <Output>(
  validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>,
): StandardSchema<Output> => ({ '~standard': { version: 1, vendor: 'test', validate } });

const cents = handWritten<{ readonly id: string; readonly cents: number }>((value) => {
  const { id, amount } = value as { id: string; amount: unknown };
  return typeof amount === 'number'
    ? { value: { id, cents: amount * 100 } }
    : { issues: [{ message: `amount: ${confidential}` }, { message: 'and more' }] };
});

const setUp = (schema: StandardSchema) => {
  const clock = testClock();
  const seen = memorySeenKeys({ clock });
  const onPayed = vi.fn();
  const otherwise = vi.fn();
  const onError = vi.fn();
  const receiver = createReceiver({
    secrets: [secret],
    seen,
    schemas: { RequestPayment: schema },
    on: { RequestPayment: { payed: onPayed } },
    otherwise,
    onError,
    clock,
  });
  return { clock, onError, onPayed, otherwise, receiver, seen };
};
const refused = '400 invalid_data';
const bad = { ...payed, data: { ...payed.data, amount: 'many' } };

describe('data is the output of the schema', () => {
  test('zod, with defaults and transforms; the rest of the event stays', async () => {
    const schema = z.object({
      id: z.string(),
      amount: z.number().transform((amount) => BigInt(amount)),
      currency: z.string().default('EUR'),
    });
    const { onPayed, receiver } = setUp(schema);
    expect(await verdict(receiver, delivery({ ...payed, extra: 1 }))).toBe('204');
    expect(onPayed.mock.calls).toEqual([
      [{ ...payed, extra: 1, data: { id: 'pay_9', amount: 120n, currency: 'EUR' } }],
    ]);
  });

  test.each([
    ['of no library', cents],
    ['that answers later', handWritten(async (value) => cents['~standard'].validate(value))],
    ['that is a function', Object.assign(() => undefined, cents)],
    [
      'that says there are no issues',
      handWritten((value) => ({ issues: undefined, ...cents['~standard'].validate(value) })),
    ],
  ])('a schema %s', async (_name, schema) => {
    const { onPayed, receiver } = setUp(schema);
    expect(await verdict(receiver, delivery())).toBe('204');
    expect(onPayed.mock.calls).toEqual([[{ ...payed, data: { id: 'pay_9', cents: 12_000 } }]]);
  });

  test('zod with an asynchronous check', async () => {
    const { receiver } = setUp(z.object({ amount: z.number().refine(async (amount) => amount < 200) }));
    expect(await verdict(receiver, delivery())).toBe('204');
    expect(await verdict(receiver, delivery({ ...payed, timestamp: 2, data: { id: 'x', amount: 201 } }))).toBe(refused);
  });

  test('a schema also applies to otherwise, and only to its object', async () => {
    const { otherwise, receiver } = setUp(cents);
    const refunded = { ...payed, type: 'refunded' };
    const deposit = { ...bad, objectName: 'RequestSecurityDeposit' };
    expect(await verdict(receiver, delivery(refunded))).toBe('204');
    expect(await verdict(receiver, delivery(deposit))).toBe('204');
    expect(await verdict(receiver, delivery({ ...bad, type: 'refunded', timestamp: 2 }))).toBe(refused);
    expect(otherwise.mock.calls).toEqual([[{ ...refunded, data: { id: 'pay_9', cents: 12_000 } }], [deposit]]);
  });

  test('a schema that drops the id does not make duplicates of others', async () => {
    const { onPayed, receiver } = setUp(z.object({ amount: z.number() }));
    for (const id of ['a', 'b', 'a'])
      expect(await verdict(receiver, delivery({ ...payed, data: { id, amount: 1 } }))).toBe('204');
    expect(onPayed).toHaveBeenCalledTimes(2);
  });

  test('the schema runs once for an event, and not for a duplicate', async () => {
    const validate = vi.fn(cents['~standard'].validate);
    const { receiver } = setUp(handWritten(validate));
    await verdict(receiver, delivery());
    await verdict(receiver, delivery());
    expect(validate.mock.calls).toEqual([[payed.data]]);
  });
});

describe('data that the schema refuses', () => {
  test.each([
    ['zod', z.object({ amount: z.number() })],
    ['of no library', cents],
    ['that answers later', handWritten(async (value) => cents['~standard'].validate(value))],
    ['that finds no words', handWritten(() => ({ issues: [] }))],
  ])('a schema %s: 400, onError is told, no handler runs', async (_name, schema) => {
    const { onError, onPayed, receiver } = setUp(schema);
    expect(await verdict(receiver, delivery(bad))).toBe(refused);
    expect(onPayed).not.toHaveBeenCalled();
    expect(onError.mock.calls).toEqual([[expect.any(Error), bad]]);
  });

  test('onError receives every issue as text', async () => {
    const { onError, receiver } = setUp(cents);
    await verdict(receiver, delivery(bad));
    expect(onError.mock.calls[0]?.[0]).toMatchObject({
      name: 'InvalidData',
      message: `data: amount: ${confidential}; data: and more`,
    });
  });

  test('onError receives the path of an issue', async () => {
    const { onError, receiver } = setUp(z.object({ id: z.string(), payer: z.object({ tags: z.array(z.string()) }) }));
    await verdict(receiver, delivery({ ...payed, data: { ...payed.data, payer: { tags: ['a', 1] } } }));
    expect(onError.mock.calls[0]?.[0].message).toMatch(/^data\.payer\.tags\.1: /);
  });

  test('steps of a path may be objects with a key', async () => {
    const issue = { message: 'too small', path: [{ key: 'payer' }, 'tags', { key: 1 }] };
    const { onError, receiver } = setUp(handWritten(() => ({ issues: [issue] })));
    await verdict(receiver, delivery(bad));
    expect(onError.mock.calls[0]?.[0].message).toBe('data.payer.tags.1: too small');
  });

  test('its key is released: after the schema is fixed, the event is processed', async () => {
    const { onPayed, receiver: strict, seen } = setUp(cents);
    expect(await verdict(strict, delivery(bad))).toBe(refused);
    expect(await verdict(strict, delivery(bad))).toBe(refused);
    const mended = createReceiver({ secrets: [secret], seen, on: { RequestPayment: { payed: onPayed } } });
    expect(await verdict(mended, delivery(bad))).toBe('204');
    expect(onPayed.mock.calls).toEqual([[bad]]);
  });

  test('when the release fails: 400, and processed after the lease expires', async () => {
    const { clock, onPayed, receiver, seen } = setUp(cents);
    vi.spyOn(seen, 'release').mockRejectedValueOnce(new Error(confidential));
    expect(await verdict(receiver, delivery(bad))).toBe(refused);
    clock.advance(minute);
    // The same key, with data that fits.
    expect(await verdict(receiver, delivery())).toBe('204');
    expect(onPayed).toHaveBeenCalledTimes(1);
  });

  test('a handler that throws the error of a schema library failed: 503, not 400', async () => {
    const { onPayed, receiver } = setUp(cents);
    onPayed.mockImplementationOnce(() => {
      z.string().parse(1);
    });
    expect(await verdict(receiver, delivery())).toBe('503 handler_failed');
    expect(await verdict(receiver, delivery())).toBe('204');
  });
});

test.each<[string, () => never | Promise<never>]>([
  [
    'throws',
    () => {
      throw new Error(confidential);
    },
  ],
  ['rejects', () => Promise.reject(new Error(confidential))],
])('a schema that %s: 503, since nothing was said of the data, and later it is processed', async (_name, fail) => {
  const validate = vi.fn(cents['~standard'].validate).mockImplementationOnce(fail);
  const { onError, onPayed, receiver } = setUp(handWritten(validate));
  expect(await verdict(receiver, delivery())).toBe('503 handler_failed');
  expect(onError.mock.calls).toEqual([[expect.objectContaining({ message: confidential }), payed]]);
  expect(await verdict(receiver, delivery())).toBe('204');
  expect(onPayed).toHaveBeenCalledTimes(1);
});
