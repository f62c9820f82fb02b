import { describe, expect, test, vi } from 'vitest';
import { createReceiver, memorySeenKeys, type ProcessingOptions } from '../src/index.ts';
import { verdict } from './support/ask.ts';
import { testClock } from './support/clock.ts';
import { delivery, payed, secret } from './support/platform.ts';

type Options = Partial<ProcessingOptions<Record<never, never>>>;

const setUp = (options: Options) => {
  const clock = testClock();
  const seen = memorySeenKeys({ clock });
  const claim = vi.spyOn(seen, 'claim');
  return { claim, receiver: createReceiver({ secrets: [secret], seen, on: {}, clock, ...options }) };
};
const event = (objectName: string, type: string, id = 'x') => ({ timestamp: 1, data: { id }, objectName, type });

/** What every object has without being told. */
const inherited = [
  'constructor',
  '__proto__',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  'isPrototypeOf',
];

describe('dispatch', () => {
  test('each pair has its own handler, also where two objects share a type', async () => {
    const calls: string[] = [];
    const note = (name: string) => () => void calls.push(name);
    const { receiver } = setUp({
      on: {
        RequestPayment: { cancel: note('payment cancel'), creation: note('payment creation') },
        RequestSecurityDeposit: { cancel: note('deposit cancel') },
        ModelRequestPayment: { deletion: note('model deletion') },
        ModelRequestSecurityDeposit: {},
      },
      otherwise: ({ objectName, type }) => void calls.push(`otherwise ${objectName} ${type}`),
    });
    const sent = [
      event('RequestSecurityDeposit', 'cancel'),
      event('RequestPayment', 'cancel'),
      event('RequestPayment', 'creation'),
      event('ModelRequestPayment', 'deletion'),
      event('ModelRequestSecurityDeposit', 'deletion'),
      event('RequestPayment', 'update'),
    ];
    for (const each of sent) expect(await verdict(receiver, delivery(each))).toBe('204');
    expect(calls).toEqual([
      'deposit cancel',
      'payment cancel',
      'payment creation',
      'model deletion',
      'otherwise ModelRequestSecurityDeposit deletion',
      'otherwise RequestPayment update',
    ]);
  });

  test.each([
    ['a type of the future', event('RequestPayment', 'refunded')],
    ['an object of the future', event('Invoice', 'payed')],
    ['a pair outside the catalogue', event('RequestPayment', 'deletion')],
    ['names in another case', event('requestpayment', 'PAYED')],
    ['empty names', event('', '')],
  ])('%s reaches otherwise, once', async (_name, sent) => {
    const onPayed = vi.fn();
    const otherwise = vi.fn();
    const { receiver } = setUp({ on: { RequestPayment: { payed: onPayed } }, otherwise });
    expect(await verdict(receiver, delivery(sent))).toBe('204');
    expect(await verdict(receiver, delivery(sent))).toBe('204');
    expect(otherwise.mock.calls).toEqual([[sent]]);
    expect(onPayed).not.toHaveBeenCalled();
  });

  test('without otherwise it is confirmed, and not remembered: a handler that comes later gets it, should it be sent again', async () => {
    const { claim, receiver } = setUp({ on: { RequestPayment: { cancel: vi.fn() } } });
    expect(await verdict(receiver, delivery(event('RequestPayment', 'refunded')))).toBe('204');
    expect(await verdict(receiver, delivery(event('Invoice', 'payed')))).toBe('204');
    expect(await verdict(receiver, delivery(payed))).toBe('204');
    expect(claim).not.toHaveBeenCalled();
  });

  test('entries that are undefined are none', async () => {
    const otherwise = vi.fn();
    const on = { RequestPayment: { payed: undefined }, RequestSecurityDeposit: undefined } as unknown as Record<
      never,
      never
    >;
    const { receiver } = setUp({ on, otherwise });
    expect(await verdict(receiver, delivery(payed))).toBe('204');
    expect(await verdict(receiver, delivery(event('RequestSecurityDeposit', 'cancel')))).toBe('204');
    expect(otherwise).toHaveBeenCalledTimes(2);
  });
});

describe('names that every object inherits', () => {
  const pairs = inherited.flatMap((name) => [
    [name, 'payed'],
    ['RequestPayment', name],
    [name, name],
  ]);

  test.each(pairs)('%s, %s: otherwise, and no prototype', async (objectName, type) => {
    const onPayed = vi.fn();
    const otherwise = vi.fn();
    const { receiver } = setUp({ on: { RequestPayment: { payed: onPayed } }, otherwise });
    const sent = event(objectName as string, type as string);
    expect(await verdict(receiver, delivery(sent))).toBe('204');
    expect(otherwise.mock.calls).toEqual([[sent]]);
    expect(onPayed).not.toHaveBeenCalled();
  });

  test.each(pairs)('%s, %s, without otherwise: confirmed', async (objectName, type) => {
    const { claim, receiver } = setUp({ on: { RequestPayment: { payed: vi.fn() } } });
    expect(await verdict(receiver, delivery(event(objectName as string, type as string)))).toBe('204');
    expect(claim).not.toHaveBeenCalled();
  });

  test('are no schemas either', async () => {
    const otherwise = vi.fn();
    const receiver = createReceiver({ secrets: [secret], seen: memorySeenKeys(), schemas: {}, on: {}, otherwise });
    for (const name of inherited) expect(await verdict(receiver, delivery(event(name, 'payed')))).toBe('204');
    expect(otherwise).toHaveBeenCalledTimes(inherited.length);
  });

  test('as ids they are ids like others', async () => {
    const otherwise = vi.fn();
    const { receiver } = setUp({ otherwise });
    for (const id of [...inherited, ...inherited]) {
      expect(await verdict(receiver, delivery(event('RequestPayment', 'payed', id)))).toBe('204');
    }
    expect(otherwise.mock.calls.map(([{ data }]) => data.id)).toEqual(inherited);
  });
});
