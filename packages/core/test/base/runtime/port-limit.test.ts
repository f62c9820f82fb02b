import { expect, test } from 'vitest';
import { createPortLimit, PortTimeout } from '../../../src/base/runtime/port-limit.ts';
import { second } from '../../../src/base/runtime/time.ts';
import { settled, testClock } from '../../support/clock.ts';

const hang = (): Promise<never> => new Promise(() => undefined);

/** How each call ended, and when. */
const limited = () => {
  const clock = testClock();
  const begun = clock.now();
  const { of, call, callAtOnce } = createPortLimit(clock, 10 * second);
  const ended: (readonly [at: number, outcome: unknown])[] = [];
  const note = (outcome: unknown) => ended.push([clock.now() - begun, outcome]);
  return {
    clock,
    of,
    call,
    callAtOnce,
    ended,
    run: (port: string, answer: () => Promise<unknown>) => void call(port, 'read', answer).then(note, note),
  };
};

test('a call that hangs is given up at its own deadline, and names its port', async () => {
  const { clock, run, ended } = limited();
  run('first', hang);
  await clock.advance(4 * second);
  run('second', hang);
  run('answers', async () => 'a value');
  run('fails', () => Promise.reject('a failure'));
  await clock.advance(6 * second - 1);
  expect(ended).toEqual([
    [4_000, 'a value'],
    [4_000, 'a failure'],
  ]);
  await clock.advance(1);
  expect(ended.slice(2)).toMatchObject([[10_000, { name: 'PortTimeout', code: 'no_answer', port: 'first' }]]);
  await clock.advance(4 * second - 1);
  expect(ended).toHaveLength(3);
  await clock.advance(1);
  expect(ended.slice(3)).toMatchObject([[14_000, { port: 'second' }]]);
  expect(clock.sleepers()).toBe(0);
});

test('what a call answers after it was given up has no effect', async () => {
  const { clock, run, ended } = limited();
  let answer: (value: string) => void = () => undefined;
  let refuse: (cause: Error) => void = () => undefined;
  run('answers late', () => new Promise((resolve) => (answer = resolve)));
  run('fails late', () => new Promise((_resolve, reject) => (refuse = reject)));
  await clock.advance(10 * second);
  answer('too late');
  refuse(new Error('too late'));
  await settled();
  expect(ended).toMatchObject([
    [10_000, { port: 'answers late' }],
    [10_000, { port: 'fails late' }],
  ]);
});

test('no timer runs once every call has ended, and one timer serves all running calls', async () => {
  const { clock, run } = limited();
  const answers: ((value: unknown) => void)[] = [];
  for (const port of ['one', 'two', 'three']) run(port, () => new Promise((resolve) => answers.push(resolve)));
  await settled();
  expect(clock.sleepers()).toBe(1);
  answers[0]?.(1);
  answers[1]?.(2);
  await settled();
  expect(clock.sleepers()).toBe(1);
  answers[2]?.(3);
  await settled();
  expect(clock.sleepers()).toBe(0);
  run('at once', async () => 'a value');
  await settled();
  expect(clock.sleepers()).toBe(0);
});

test('a clock whose sleep ends early gives a call up early, instead of asking it for ever', async () => {
  const { call } = createPortLimit({ now: () => 0, sleep: async () => undefined }, 10 * second);
  const failed = call('hangs', 'read', hang).catch(({ message }: Error) => message);
  expect(await Promise.race([failed, settled()])).toBe('hangs: no answer within 10000 ms. Nothing was changed.');
});

test('a port keeps its methods and its `this`; an optional method that is absent stays absent', async () => {
  const { of } = limited();
  class Directory {
    readonly #name = 'Own';
    async find(id: string): Promise<string> {
      return `${this.#name} ${id}`;
    }
    other?(): Promise<void>;
    async throws(): Promise<never> {
      throw new Error('its own');
    }
  }
  const directory = of('accounts', new Directory(), { find: 'read', other: 'read', throws: 'read' });
  expect(await directory.find('acc_a')).toBe('Own acc_a');
  expect(directory.other).toBe(undefined);
  await expect(directory.throws()).rejects.toThrow('its own');
});

test('an answer at hand is returned in the same turn, a failure is thrown, and a promise is limited', async () => {
  const { clock, callAtOnce } = limited();
  expect(callAtOnce('accounts.find', 'read', () => 'a value')).toBe('a value');
  const throws = (): never => {
    throw new Error('its own');
  };
  expect(() => callAtOnce('accounts.find', 'read', throws)).toThrow('its own');
  expect(await callAtOnce('accounts.find', 'read', async () => 'later')).toBe('later');
  const given = Promise.resolve(callAtOnce('accounts.find', 'read', hang)).catch((cause: unknown) => cause);
  await clock.advance(10 * second);
  expect(await given).toMatchObject({ code: 'no_answer', port: 'accounts.find' });
  expect(clock.sleepers()).toBe(0);
});

test('answers at hand, one after the other, let timers run', async () => {
  let now = 0;
  const { callAtOnce } = createPortLimit({ now: () => now, sleep: hang }, 10 * second);
  const answers = Array.from({ length: 20 }, (_, nth) => {
    now++;
    return callAtOnce('accounts.find', 'read', () => nth);
  });
  expect(answers.some((answer) => answer instanceof Promise)).toBe(true);
  expect(await Promise.all(answers)).toEqual(answers.map((_, nth) => nth));
});

test('only the outcome of a write is unknown; each says what to do', () => {
  expect(new PortTimeout('storage.clients.findClient', 5_000, 'read')).toMatchObject({
    isOutcomeUnknown: false,
    message: 'storage.clients.findClient: no answer within 5000 ms. Nothing was changed.',
  });
  expect(new PortTimeout('storage.clients.insertClient', 5_000, 'write')).toMatchObject({
    isOutcomeUnknown: true,
    message:
      'storage.clients.insertClient: no answer within 5000 ms. Its outcome is unknown: read before you repeat it.',
  });
  expect(new PortTimeout('stores.payments.insert', 5_000, 'inTransaction')).toMatchObject({
    isOutcomeUnknown: false,
    message: 'stores.payments.insert: no answer within 5000 ms. The transaction is rolled back.',
  });
});
