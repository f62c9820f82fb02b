import { describe, expect, test, vi } from 'vitest';
import {
  createReceiver,
  memorySeenKeys,
  type ProcessOptions,
  type ReceiverOptions,
  type Schemas,
} from '../src/index.ts';
import { verdict } from './support/ask.ts';
import { testClock } from './support/clock.ts';
import { delivery, payed, secret } from './support/platform.ts';

type Options = Partial<ProcessOptions<Record<never, never>>>;

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

  test('without a handler an event is confirmed and not remembered', async () => {
    const { claim, receiver } = setUp({ on: { RequestPayment: { cancel: vi.fn() } } });
    expect(await verdict(receiver, delivery(event('RequestPayment', 'refunded')))).toBe('204');
    expect(await verdict(receiver, delivery(event('Invoice', 'payed')))).toBe('204');
    expect(await verdict(receiver, delivery(payed))).toBe('204');
    expect(claim).not.toHaveBeenCalled();
  });

  test('undefined entries are no handlers', async () => {
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

describe('handlers of a class', () => {
  class Objects {
    readonly seen: string[] = [];
    note(event: string): void {
      this.seen.push(event);
    }
    cancel({ objectName }: { readonly objectName: string }): void {
      this.note(`${objectName} cancel`);
    }
  }
  class Payments extends Objects {
    payed({ data }: { readonly data: { readonly id: string } }): void {
      this.note(`payed ${data.id}`);
    }
  }
  const schema = { '~standard': { version: 1, vendor: 'test', validate: vi.fn(() => ({ value: { id: 'checked' } })) } };
  class Everything {
    readonly payments = new Payments();
    get RequestPayment() {
      return this.payments;
    }
  }

  test('are called as methods, inherited ones too', async () => {
    const payments = new Payments();
    const deposits = new Objects();
    const otherwise = vi.fn();
    const { receiver } = setUp({ on: { RequestPayment: payments, RequestSecurityDeposit: deposits }, otherwise });
    for (const [objectName, type] of [
      ['RequestPayment', 'payed'],
      ['RequestPayment', 'cancel'],
      ['RequestSecurityDeposit', 'cancel'],
      ['RequestSecurityDeposit', 'finish'],
      ['RequestSecurityDeposit', 'seen'],
    ] as const)
      expect(await verdict(receiver, delivery(event(objectName, type)))).toBe('204');
    expect(payments.seen).toEqual(['payed x', 'RequestPayment cancel']);
    expect(deposits.seen).toEqual(['RequestSecurityDeposit cancel']);
    expect(otherwise.mock.calls).toEqual([
      [event('RequestSecurityDeposit', 'finish')],
      [event('RequestSecurityDeposit', 'seen')],
    ]);
  });

  test('can be getters, as can schemas', async () => {
    const on = new Everything();
    const schemas = Object.create({ RequestPayment: schema }) as { readonly RequestPayment: typeof schema };
    const receiver = createReceiver({
      secrets: [secret],
      seen: memorySeenKeys(),
      on,
      schemas,
    } as ReceiverOptions<Schemas>);
    expect(await verdict(receiver, delivery(event('RequestPayment', 'payed')))).toBe('204');
    expect(on.payments.seen).toEqual(['payed checked']);
  });

  test.each(inherited)('%s is no method of theirs', async (name) => {
    const otherwise = vi.fn();
    const { receiver } = setUp({ on: { RequestPayment: new Payments() }, otherwise });
    expect(await verdict(receiver, delivery(event('RequestPayment', name)))).toBe('204');
    expect(otherwise.mock.calls).toEqual([[event('RequestPayment', name)]]);
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
