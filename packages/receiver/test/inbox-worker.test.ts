import { type ManualClock, manualClock } from '@partnerkit/testing';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import {
  createInboxWorker,
  dedupKey,
  type Inbox,
  type InboxError,
  type InboxWorkerOptions,
  memoryInbox,
} from '../src/index.ts';
import { confidential, payed, type Sent } from './support/platform.ts';
import { gated, settled } from './support/receiver.ts';

const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;

const of = (id: string): Sent => ({ ...payed, data: { id } });
const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `pay_${index}`);

const setUp = (options: Partial<InboxWorkerOptions<Record<never, never>>> = {}) => {
  const clock: ManualClock = manualClock();
  const inbox = memoryInbox({ clock });
  const handler = vi.fn<(event: unknown) => void | Promise<void>>();
  const onError = vi.fn<(cause: unknown, trouble: InboxError) => void>();
  const worker = createInboxWorker({ inbox, on: {}, otherwise: handler, onError, clock, ...options });
  const keep = async (...events: readonly string[]): Promise<void> => {
    for (const id of events) await inbox.enqueue(dedupKey(of(id)), JSON.stringify(of(id)));
  };
  const handled = (): readonly unknown[] => handler.mock.calls.map(([event]) => (event as Sent).data.id);
  const told = (): readonly string[] => onError.mock.calls.map(([, { kind }]) => kind);
  return { clock, handled, handler, inbox, keep, onError, told, worker };
};

test('an inbox that answers at once lets timers run', async () => {
  const { clock, inbox, keep, worker } = setUp();
  await keep(...ids(500));
  let [inTurn, most] = [0, 0];
  // Each claim takes a millisecond.
  const busy: Inbox = {
    ...inbox,
    claim: (...given) => {
      slow.ahead++;
      most = Math.max(most, ++inTurn);
      if (inTurn === 1)
        setImmediate(() => {
          inTurn = 0;
        });
      return inbox.claim(...given);
    },
  };
  const slow = { ...clock, ahead: 0, now: () => clock.now() + slow.ahead };
  await worker.stop();
  const other = createInboxWorker({ inbox: busy, on: {}, otherwise: () => undefined, clock: slow, concurrency: 1 });
  expect(await other.drain()).toBe(500);
  expect(most).toBeLessThan(15);
});

describe('a queued event', () => {
  test('is processed once by its handler, and remembered', async () => {
    const onPayed = vi.fn();
    const { clock, inbox, keep, handler, worker } = setUp({ on: { RequestPayment: { payed: onPayed } } });
    await keep('pay_1');
    expect(await worker.drain()).toBe(1);
    expect(onPayed.mock.calls).toEqual([[of('pay_1')]]);
    expect(handler).not.toHaveBeenCalled();
    await clock.pass(34 * day);
    await keep('pay_1');
    expect(await worker.drain()).toBe(0);
    expect(await inbox.stats(1)).toEqual({ waiting: 0, oldestDueMs: 0, deadLettered: 0, deadLetters: [] });
    await clock.pass(day);
    await keep('pay_1');
    expect(await worker.drain()).toBe(1);
  });

  test('is processed by the methods of a class', async () => {
    class Payments {
      readonly payments: string[] = [];
      payed({ data }: { readonly data: { readonly id: string } }): void {
        this.payments.push(data.id);
      }
    }
    const on = { RequestPayment: new Payments() };
    const { keep, handler, worker } = setUp({ on });
    await keep('pay_1');
    expect(await worker.drain()).toBe(1);
    expect(on.RequestPayment.payments).toEqual(['pay_1']);
    expect(handler).not.toHaveBeenCalled();
  });

  test('without a handler is completed', async () => {
    const { keep, inbox, onError } = setUp();
    const worker = createInboxWorker({ inbox, on: {}, onError });
    await keep('pay_1');
    expect(await worker.drain()).toBe(1);
    expect(await inbox.stats(0)).toMatchObject({ waiting: 0, deadLettered: 0 });
    expect(onError).not.toHaveBeenCalled();
  });

  test('reaches handlers as the output of the schema', async () => {
    const { inbox, keep } = setUp();
    const onPayed = vi.fn();
    const schema = z.object({ id: z.string().transform((id) => id.toUpperCase()) });
    await keep('pay_1');
    await createInboxWorker({
      inbox,
      schemas: { RequestPayment: schema },
      on: { RequestPayment: { payed: onPayed } },
    }).drain();
    expect(onPayed.mock.calls).toEqual([[of('PAY_1')]]);
  });

  test('is processed oldest first', async () => {
    const { clock, handled, keep, worker } = setUp({ concurrency: 2 });
    for (const id of ['c', 'a', 'b', 'd', 'e']) {
      await keep(id);
      await clock.pass(1);
    }
    expect(await worker.drain()).toBe(5);
    expect(handled()).toEqual(['c', 'a', 'b', 'd', 'e']);
  });
});

describe('a handler that fails', () => {
  const failing = () => {
    throw new Error(confidential);
  };

  test('is retried after each delay, not before; then the event is dead-lettered and reported', async () => {
    const { clock, handler, inbox, keep, onError, worker } = setUp({ retryDelays: [5 * second, 3 * minute] });
    handler.mockImplementation(failing);
    await keep('pay_1');
    const tried: number[] = [];
    worker.start();
    for (let passed = 0; passed <= 10 * minute; passed += second) {
      if (handler.mock.calls.length > tried.length) tried.push(passed / second);
      await clock.pass(second);
    }
    // Kept before it began to look, tried when it did; later ones are found by the next look.
    expect(tried).toEqual([0, 5, 185].map((at) => expect.toSatisfy((time) => time >= at && time <= at + 3)));
    const cause = expect.objectContaining({ message: confidential });
    const entry = (attempt: number) => expect.objectContaining({ attempt, body: JSON.stringify(of('pay_1')) });
    expect(onError.mock.calls).toEqual([
      [cause, { kind: 'retried', entry: entry(1), event: of('pay_1'), wait: 5 * second }],
      [cause, { kind: 'retried', entry: entry(2), event: of('pay_1'), wait: 3 * minute }],
      [cause, { kind: 'dead_lettered', entry: entry(3), event: of('pay_1') }],
    ]);
    const { deadLettered, deadLetters, waiting } = await inbox.stats(10);
    expect([deadLettered, waiting, deadLetters.map(({ attempts }) => attempts)]).toEqual([1, 0, [3]]);

    handler.mockImplementation(() => undefined);
    await inbox.requeue(deadLetters.map(({ key }) => key));
    await clock.pass(second);
    expect(handler).toHaveBeenCalledTimes(4);
    expect(await inbox.stats(0)).toMatchObject({ waiting: 0, deadLettered: 0 });
    await worker.stop();
  });

  test('by default has eleven attempts in 32 hours', async () => {
    const { clock, handler, inbox, keep, worker } = setUp();
    handler.mockImplementation(failing);
    await keep('pay_1');
    worker.start();
    await clock.pass(31.5 * 60 * minute);
    expect(handler).toHaveBeenCalledTimes(10);
    await clock.pass(60 * minute);
    expect(handler).toHaveBeenCalledTimes(11);
    await clock.pass(3 * day);
    expect(handler).toHaveBeenCalledTimes(11);
    expect(await inbox.stats(0)).toMatchObject({ waiting: 0, deadLettered: 1 });
    await worker.stop();
  });

  test('never blocks the others', async () => {
    const { handled, handler, keep, told, worker } = setUp({ concurrency: 1 });
    handler.mockImplementation((event) => {
      if ((event as Sent).data.id === 'bad') throw new Error(confidential);
    });
    await keep('bad', ...ids(20));
    expect(await worker.drain()).toBe(21);
    expect(handled()).toEqual(['bad', ...ids(20)]);
    expect(told()).toEqual(['retried']);
  });

  test.each<[string, () => never | Promise<never>]>([
    ['throws', failing],
    ['rejects', () => Promise.reject(new Error(confidential))],
  ])('%s, and onError throws or rejects: nothing ends', async (_way, fail) => {
    for (const onError of [failing, () => Promise.reject(new Error('of onError'))]) {
      const { handler, keep, worker } = setUp({ onError });
      handler.mockImplementation(fail);
      await keep('pay_1');
      expect(await worker.drain()).toBe(1);
      await settled();
    }
  });

  test('without delays is dead-lettered at once', async () => {
    const { handler, inbox, keep, told, worker } = setUp({ retryDelays: [] });
    handler.mockImplementation(failing);
    await keep('pay_1');
    expect(await worker.drain()).toBe(1);
    expect(told()).toEqual(['dead_lettered']);
    expect(await inbox.stats(0)).toMatchObject({ deadLettered: 1 });
  });

  test('data that the schema refuses fails like a handler', async () => {
    const { clock, inbox, keep, onError, told } = setUp();
    const schemas = { RequestPayment: z.object({ id: z.string(), amount: z.number() }) };
    await keep('pay_1');
    const worker = createInboxWorker({
      inbox,
      schemas,
      on: {},
      otherwise: vi.fn(),
      onError,
      clock,
      retryDelays: [second],
    });
    expect(await worker.drain()).toBe(1);
    await clock.pass(second);
    expect(await worker.drain()).toBe(1);
    expect(told()).toEqual(['retried', 'dead_lettered']);
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ name: 'InvalidData' });
  });
});

describe('processes that die, and handlers that take too long', () => {
  test('the event is processed again after its lease expires', async () => {
    const { clock, handled, inbox, keep, worker } = setUp();
    await keep('pay_1');
    const [held] = await inbox.claim(1, minute);
    worker.start();
    await clock.pass(minute - second);
    expect(handled()).toEqual([]);
    await clock.pass(2 * second);
    expect(handled()).toEqual(['pay_1']);
    expect(await inbox.complete(held?.key ?? '', held?.lease ?? '', minute)).toBe(false);
    await worker.stop();
  });

  test('an event that killed every process is dead-lettered without a further attempt', async () => {
    const { clock, handler, inbox, keep, onError, worker } = setUp({ retryDelays: [second] });
    await keep('poison');
    for (let deaths = 0; deaths < 2; deaths++) {
      expect(await inbox.claim(1, minute)).toHaveLength(1);
      await clock.pass(minute);
    }
    expect(await worker.drain()).toBe(1);
    expect(handler).not.toHaveBeenCalled();
    expect(onError.mock.calls).toEqual([
      [
        expect.objectContaining({ message: expect.stringContaining('never ended') }),
        expect.objectContaining({ kind: 'dead_lettered' }),
      ],
    ]);
    expect(await inbox.stats(0)).toMatchObject({ deadLettered: 1, waiting: 0 });
  });

  test('a body that is not an envelope is dead-lettered and reported', async () => {
    const { handler, inbox, onError, worker } = setUp({ retryDelays: [] });
    await inbox.enqueue('broken', '{');
    expect(await worker.drain()).toBe(1);
    const entry = expect.objectContaining({ key: 'broken', body: '{' });
    const cause = new TypeError('What was kept is no envelope.');
    expect(onError.mock.calls).toEqual([[cause, { kind: 'dead_lettered', entry }]]);
    expect(handler).not.toHaveBeenCalled();
  });
});

describe('concurrency', () => {
  test('at most concurrency handlers run at once', async () => {
    const { gates, handler } = gated();
    const { clock, keep, worker } = setUp({ concurrency: 3, otherwise: handler });
    await keep(...ids(8));
    worker.start();
    await clock.pass(0);
    expect(gates).toHaveLength(3);
    await clock.pass(10 * second);
    expect(gates).toHaveLength(3);
    gates[1]?.open();
    await clock.pass(0);
    expect(gates).toHaveLength(4);
    for (let opened = 0; opened < gates.length; opened++) {
      gates[opened]?.open();
      await clock.pass(0);
    }
    expect(gates).toHaveLength(8);
    await worker.stop();
  });

  test('two workers process each event once', async () => {
    const { clock, handled, handler, inbox, keep, worker } = setUp({ concurrency: 2 });
    const other = createInboxWorker({ inbox, on: {}, otherwise: handler, clock, concurrency: 2 });
    await keep(...ids(50));
    worker.start();
    other.start();
    await clock.pass(second);
    expect(handled().toSorted()).toEqual(ids(50).toSorted());
    await Promise.all([worker.stop(), other.stop()]);
  });

  test.each([
    ['concurrency', 0],
    ['concurrency', 1.5],
    ['pollEvery', 0],
    ['pollEvery', Number.NaN],
  ])('%s: %d is a TypeError', (name, value) => {
    expect(() => setUp({ [name]: value })).toThrow(new TypeError(`${name} must be a whole number from 1.`));
  });
});

describe('waking', () => {
  test('an event queued through the worker is processed at once', async () => {
    const { clock, handled, worker } = setUp();
    worker.start();
    await clock.pass(10 * minute);
    expect(await worker.inbox.enqueue(dedupKey(payed), JSON.stringify(payed))).toBe(true);
    expect(await worker.inbox.enqueue(dedupKey(payed), JSON.stringify(payed))).toBe(false);
    await settled();
    expect(handled()).toEqual(['pay_9']);
    await worker.stop();
  });

  test('an event queued by another process is found at the next poll', async () => {
    const { clock, handled, keep, worker } = setUp({ pollEvery: 5 * second });
    worker.start();
    await clock.pass(minute);
    await keep('pay_1');
    await clock.pass(5 * second);
    expect(handled()).toEqual(['pay_1']);
    await worker.stop();
  });

  test('an idle worker claims once in each polling interval', async () => {
    const { clock, inbox, worker } = setUp();
    const take = vi.spyOn(inbox, 'claim');
    worker.start();
    await clock.pass(minute);
    expect(take.mock.calls.length).toBeGreaterThanOrEqual(60);
    expect(take.mock.calls.length).toBeLessThanOrEqual(61);
    await worker.stop();
  });
});

test('a worker asks its inbox for events only when it has a free slot and a reason', async () => {
  const { gates, handler } = gated();
  const { clock, inbox, keep, worker } = setUp({ concurrency: 2, otherwise: handler });
  const claim = vi.spyOn(inbox, 'claim');
  const asked = (): readonly number[] => claim.mock.calls.splice(0).map(([limit]) => limit);
  await keep('pay_1', 'pay_2', 'pay_3');
  worker.start();
  await clock.pass(0);
  expect(asked()).toEqual([2]);
  // All slots are taken.
  await clock.pass(minute);
  expect(asked()).toEqual([]);
  gates[0]?.open();
  await clock.pass(0);
  expect(asked()).toEqual([1]);
  gates[1]?.open();
  await clock.pass(0);
  expect(asked()).toEqual([1]);
  // A slot was free before: nothing waits that this one could not have taken.
  gates[2]?.open();
  await clock.pass(0);
  expect(asked()).toEqual([]);
  // A duplicate does not wake the worker.
  expect(await worker.inbox.enqueue(dedupKey(of('pay_1')), JSON.stringify(of('pay_1')))).toBe(false);
  await clock.pass(0);
  expect(asked()).toEqual([]);
  await worker.stop();
});

describe('an inbox that fails', () => {
  const down = () => Promise.reject(new Error(confidential));

  test('claim: reported and retried', async () => {
    const { clock, handled, inbox, keep, told, worker } = setUp();
    await keep('pay_1');
    vi.spyOn(inbox, 'claim').mockImplementationOnce(down);
    worker.start();
    await clock.pass(0);
    expect([told(), handled()]).toEqual([['inbox'], []]);
    await clock.pass(second);
    expect(handled()).toEqual(['pay_1']);
    await worker.stop();
  });

  const entry = { key: 'k', body: '{}', lease: 'l', attempt: 1 };
  test.each([undefined, {}, [null], [{ ...entry, lease: undefined }], [{ ...entry, attempt: '1' }]])(
    'claim answers %j: reported and retried',
    async (answer) => {
      const { clock, handled, inbox, keep, onError, worker } = setUp();
      await keep('pay_1');
      vi.spyOn(inbox, 'claim').mockResolvedValueOnce(answer as never);
      worker.start();
      await clock.pass(0);
      const cause = new TypeError(
        'partnerkit: Inbox.claim must return a list of entries: key, body and lease, all texts, and attempt, a number.',
      );
      expect(onError.mock.calls).toEqual([[cause, { kind: 'inbox' }]]);
      await clock.pass(second);
      expect(handled()).toEqual(['pay_1']);
      await worker.stop();
    },
  );

  test('claim, while draining: rejects', async () => {
    const { inbox, worker } = setUp();
    vi.spyOn(inbox, 'claim').mockImplementationOnce(down);
    await expect(worker.drain()).rejects.toThrow(confidential);
  });

  test.each<[keyof Inbox, number]>([
    ['retry', 2],
    ['deadLetter', 0],
  ])('%s: the failure is told, and the lease lapses by itself', async (method, waits) => {
    const { clock, handler, inbox, keep, onError, worker } = setUp({ retryDelays: Array(waits).fill(second) });
    const cause = new Error('of the handler');
    handler.mockImplementationOnce(() => {
      throw cause;
    });
    vi.spyOn(inbox, method).mockImplementationOnce(down);
    await keep('pay_1');
    expect(await worker.drain()).toBe(1);
    expect(onError.mock.calls.map(([told]) => told)).toEqual([cause]);
    await clock.pass(minute);
    expect(await worker.drain()).toBe(1);
    expect(await inbox.stats(0)).toMatchObject(
      waits > 0 ? { waiting: 0, deadLettered: 0 } : { waiting: 0, deadLettered: 1 },
    );
  });

  test('complete: reported, and processed again after the lease expires', async () => {
    const { clock, handled, inbox, keep, told, worker } = setUp();
    vi.spyOn(inbox, 'complete').mockImplementationOnce(down);
    await keep('pay_1');
    expect(await worker.drain()).toBe(1);
    expect(told()).toEqual(['repeated']);
    await clock.pass(minute);
    expect(await worker.drain()).toBe(1);
    expect(handled()).toEqual(['pay_1', 'pay_1']);
  });

  test('complete answers nothing: reported', async () => {
    const { inbox, keep, told, worker } = setUp();
    vi.spyOn(inbox, 'complete').mockResolvedValueOnce(undefined as never);
    await keep('pay_1');
    expect(await worker.drain()).toBe(1);
    expect(told()).toEqual(['repeated']);
  });

  test('enqueue: rejects for its caller', async () => {
    const { inbox, worker } = setUp();
    vi.spyOn(inbox, 'enqueue').mockImplementationOnce(down);
    await expect(worker.inbox.enqueue('k', 'b')).rejects.toThrow(confidential);
  });
});

describe('starting and stopping', () => {
  test('stop waits for the running handlers and claims nothing more', async () => {
    const { gates, handler } = gated();
    const { clock, inbox, keep, worker } = setUp({ concurrency: 2, otherwise: handler });
    await keep(...ids(5));
    worker.start();
    await clock.pass(0);
    let stopped = false;
    const stopping = worker.stop().then(() => {
      stopped = true;
    });
    gates[0]?.open();
    await clock.pass(10 * second);
    expect([stopped, gates.length]).toEqual([false, 2]);
    gates[1]?.open();
    await stopping;
    expect(await inbox.stats(0)).toMatchObject({ waiting: 3 });
    await clock.pass(minute);
    expect(gates).toHaveLength(2);
  });

  test('events claimed during the stop are processed', async () => {
    const { handled, inbox, keep, worker } = setUp();
    await keep('pay_1');
    const { promise, resolve } = Promise.withResolvers<void>();
    const { claim } = inbox;
    vi.spyOn(inbox, 'claim').mockImplementationOnce(async (...asked) => {
      const entries = await claim(...asked);
      await promise;
      return entries;
    });
    worker.start();
    const stopping = worker.stop();
    resolve();
    await stopping;
    expect(handled()).toEqual(['pay_1']);
    expect(await inbox.stats(0)).toMatchObject({ waiting: 0 });
  });

  test('a start during a stop continues at once, in the free slots', async () => {
    const { gates, handler } = gated();
    const { clock, inbox, keep, worker } = setUp({ concurrency: 2, otherwise: handler });
    await keep('pay_1');
    worker.start();
    await clock.pass(0);
    let stopped = false;
    const stopping = worker.stop().then(() => {
      stopped = true;
    });
    worker.start();
    await keep('pay_2', 'pay_3');
    await clock.pass(10 * second);
    expect([stopped, gates.length]).toEqual([false, 2]);
    gates[0]?.open();
    await stopping;
    await clock.pass(second);
    expect(gates).toHaveLength(3);
    for (const { open } of gates) open();
    await worker.stop();
    expect(await inbox.stats(0)).toMatchObject({ waiting: 0 });
    await keep('pay_4');
    await clock.pass(minute);
    expect(gates).toHaveLength(3);
  });

  test('after any starts and stops the last call counts, and concurrency is not exceeded', async () => {
    for (const last of ['start', 'stop'] as const) {
      const { gates, handler } = gated();
      const { clock, keep, worker } = setUp({ concurrency: 2, otherwise: handler });
      await keep(...ids(6));
      const ends = ['start', 'stop', 'start', 'start', 'stop', 'stop', 'start', last].map((act) =>
        worker[act as 'start' | 'stop'](),
      );
      await clock.pass(0);
      expect(gates).toHaveLength(2);
      for (let opened = 0; opened < gates.length; opened++) {
        gates[opened]?.open();
        await clock.pass(second);
      }
      await Promise.all(ends);
      expect(gates).toHaveLength(last === 'start' ? 6 : 2);
      await worker.stop();
    }
  });

  test('it can start again; a second start or stop does nothing', async () => {
    const { clock, handled, inbox, keep, worker } = setUp();
    await worker.stop();
    const take = vi.spyOn(inbox, 'claim');
    worker.start();
    worker.start();
    await clock.pass(0);
    expect(take.mock.calls.length).toBeLessThanOrEqual(2);
    await worker.stop();
    await keep('pay_1');
    worker.start();
    await clock.pass(second);
    expect(handled()).toEqual(['pay_1']);
    await worker.stop();
  });
});
