import { type ManualClock, manualClock } from '@partnerkit/testing';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import {
  createInboxWorker,
  dedupKey,
  type Inbox,
  type InboxTrouble,
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
  const onError = vi.fn<(cause: unknown, trouble: InboxTrouble) => void>();
  const worker = createInboxWorker({ inbox, on: {}, otherwise: handler, onError, clock, ...options });
  const keep = async (...events: readonly string[]): Promise<void> => {
    for (const id of events) await inbox.keep(dedupKey(of(id)), JSON.stringify(of(id)));
  };
  const handled = (): readonly unknown[] => handler.mock.calls.map(([event]) => (event as Sent).data.id);
  const told = (): readonly string[] => onError.mock.calls.map(([, { kind }]) => kind);
  return { clock, handled, handler, inbox, keep, onError, told, worker };
};

describe('what was kept', () => {
  test('is processed once, by its handler, and known afterwards', async () => {
    const onPayed = vi.fn();
    const { clock, inbox, keep, handler, worker } = setUp({ on: { RequestPayment: { payed: onPayed } } });
    await keep('pay_1');
    expect(await worker.drain()).toBe(1);
    expect(onPayed.mock.calls).toEqual([[of('pay_1')]]);
    expect(handler).not.toHaveBeenCalled();
    await clock.pass(34 * day);
    await keep('pay_1');
    expect(await worker.drain()).toBe(0);
    expect(await inbox.look(1)).toEqual({ waiting: 0, late: 0, parked: 0, stuck: [] });
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

  test('and has no handler is done', async () => {
    const { keep, inbox, onError } = setUp();
    const worker = createInboxWorker({ inbox, on: {}, onError });
    await keep('pay_1');
    expect(await worker.drain()).toBe(1);
    expect(await inbox.look(0)).toMatchObject({ waiting: 0, parked: 0 });
    expect(onError).not.toHaveBeenCalled();
  });

  test('is given to handlers as the schema makes it', async () => {
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

  test('is tried again after each wait, not before; then the event is parked and told of', async () => {
    const { clock, handler, inbox, keep, onError, worker } = setUp({ waits: [5 * second, 3 * minute] });
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
      [cause, { kind: 'parked', entry: entry(3), event: of('pay_1') }],
    ]);
    const { parked, stuck, waiting } = await inbox.look(10);
    expect([parked, waiting, stuck.map(({ attempts }) => attempts)]).toEqual([1, 0, [3]]);

    handler.mockImplementation(() => undefined);
    await inbox.resume(stuck.map(({ key }) => key));
    await clock.pass(second);
    expect(handler).toHaveBeenCalledTimes(4);
    expect(await inbox.look(0)).toMatchObject({ waiting: 0, parked: 0 });
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
    expect(await inbox.look(0)).toMatchObject({ waiting: 0, parked: 1 });
    await worker.stop();
  });

  test('never holds up the others', async () => {
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

  test('without waits is parked at once', async () => {
    const { handler, inbox, keep, told, worker } = setUp({ waits: [] });
    handler.mockImplementation(failing);
    await keep('pay_1');
    expect(await worker.drain()).toBe(1);
    expect(told()).toEqual(['parked']);
    expect(await inbox.look(0)).toMatchObject({ parked: 1 });
  });

  test('data that the schema refuses fails like a handler', async () => {
    const { clock, inbox, keep, onError, told } = setUp();
    const schemas = { RequestPayment: z.object({ id: z.string(), amount: z.number() }) };
    await keep('pay_1');
    const worker = createInboxWorker({ inbox, schemas, on: {}, otherwise: vi.fn(), onError, clock, waits: [second] });
    expect(await worker.drain()).toBe(1);
    await clock.pass(second);
    expect(await worker.drain()).toBe(1);
    expect(told()).toEqual(['retried', 'parked']);
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ name: 'InvalidData' });
  });
});

describe('processes that die, and handlers that take too long', () => {
  test('the event is processed again once its lease has lapsed', async () => {
    const { clock, handled, inbox, keep, worker } = setUp();
    await keep('pay_1');
    const [held] = await inbox.take(1, minute);
    worker.start();
    await clock.pass(minute - second);
    expect(handled()).toEqual([]);
    await clock.pass(2 * second);
    expect(handled()).toEqual(['pay_1']);
    expect(await inbox.done(held?.key ?? '', held?.lease ?? '', minute)).toBe(false);
    await worker.stop();
  });

  test('what ended every process that took it is parked, and not tried once more', async () => {
    const { clock, handler, inbox, keep, onError, worker } = setUp({ waits: [second] });
    await keep('poison');
    for (let deaths = 0; deaths < 2; deaths++) {
      expect(await inbox.take(1, minute)).toHaveLength(1);
      await clock.pass(minute);
    }
    expect(await worker.drain()).toBe(1);
    expect(handler).not.toHaveBeenCalled();
    expect(onError.mock.calls).toEqual([
      [
        expect.objectContaining({ message: expect.stringContaining('never ended') }),
        expect.objectContaining({ kind: 'parked' }),
      ],
    ]);
    expect(await inbox.look(0)).toMatchObject({ parked: 1, waiting: 0 });
  });

  test('what is no envelope is parked in the end, and told of', async () => {
    const { handler, inbox, told, worker } = setUp({ waits: [] });
    await inbox.keep('broken', '{');
    expect(await worker.drain()).toBe(1);
    expect(told()).toEqual(['parked']);
    expect(handler).not.toHaveBeenCalled();
  });
});

describe('slots', () => {
  test('so many handlers run at once, and not one more', async () => {
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

  test('of two workers each event is processed by one', async () => {
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
    expect(() => setUp({ [name]: value })).toThrow(new TypeError(`${name}: a whole number from 1.`));
  });
});

describe('waking', () => {
  test('what is kept through the worker is processed at once', async () => {
    const { clock, handled, worker } = setUp();
    worker.start();
    await clock.pass(10 * minute);
    expect(await worker.inbox.keep(dedupKey(payed), JSON.stringify(payed))).toBe(true);
    expect(await worker.inbox.keep(dedupKey(payed), JSON.stringify(payed))).toBe(false);
    await settled();
    expect(handled()).toEqual(['pay_9']);
    await worker.stop();
  });

  test('what another process kept is found by the next look', async () => {
    const { clock, handled, keep, worker } = setUp({ pollEvery: 5 * second });
    worker.start();
    await clock.pass(minute);
    await keep('pay_1');
    await clock.pass(5 * second);
    expect(handled()).toEqual(['pay_1']);
    await worker.stop();
  });

  test('an idle worker asks once in each time of looking', async () => {
    const { clock, inbox, worker } = setUp();
    const take = vi.spyOn(inbox, 'take');
    worker.start();
    await clock.pass(minute);
    expect(take.mock.calls.length).toBeGreaterThanOrEqual(60);
    expect(take.mock.calls.length).toBeLessThanOrEqual(61);
    await worker.stop();
  });
});

describe('an inbox that fails', () => {
  const down = () => Promise.reject(new Error(confidential));

  test('take: told, and asked again', async () => {
    const { clock, handled, inbox, keep, told, worker } = setUp();
    await keep('pay_1');
    vi.spyOn(inbox, 'take').mockImplementationOnce(down);
    worker.start();
    await clock.pass(0);
    expect([told(), handled()]).toEqual([['inbox'], []]);
    await clock.pass(second);
    expect(handled()).toEqual(['pay_1']);
    await worker.stop();
  });

  test('take, while draining: rejects', async () => {
    const { inbox, worker } = setUp();
    vi.spyOn(inbox, 'take').mockImplementationOnce(down);
    await expect(worker.drain()).rejects.toThrow(confidential);
  });

  test.each<[keyof Inbox, number]>([
    ['retry', 2],
    ['park', 0],
  ])('%s: the failure is told, and the lease lapses by itself', async (method, waits) => {
    const { clock, handler, inbox, keep, onError, worker } = setUp({ waits: Array(waits).fill(second) });
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
    expect(await inbox.look(0)).toMatchObject(waits > 0 ? { waiting: 0, parked: 0 } : { waiting: 0, parked: 1 });
  });

  test('done: told, and processed again once the lease has lapsed', async () => {
    const { clock, handled, inbox, keep, told, worker } = setUp();
    vi.spyOn(inbox, 'done').mockImplementationOnce(down);
    await keep('pay_1');
    expect(await worker.drain()).toBe(1);
    expect(told()).toEqual(['repeated']);
    await clock.pass(minute);
    expect(await worker.drain()).toBe(1);
    expect(handled()).toEqual(['pay_1', 'pay_1']);
  });

  test('keep: who keeps is told', async () => {
    const { inbox, worker } = setUp();
    vi.spyOn(inbox, 'keep').mockImplementationOnce(down);
    await expect(worker.inbox.keep('k', 'b')).rejects.toThrow(confidential);
  });
});

describe('starting and stopping', () => {
  test('who stops waits for the handlers that run, and takes nothing more', async () => {
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
    expect(await inbox.look(0)).toMatchObject({ waiting: 3 });
    await clock.pass(minute);
    expect(gates).toHaveLength(2);
  });

  test('what was taken while it was being stopped is processed', async () => {
    const { handled, inbox, keep, worker } = setUp();
    await keep('pay_1');
    const { promise, resolve } = Promise.withResolvers<void>();
    const { take } = inbox;
    vi.spyOn(inbox, 'take').mockImplementationOnce(async (...asked) => {
      const entries = await take(...asked);
      await promise;
      return entries;
    });
    worker.start();
    const stopping = worker.stop();
    resolve();
    await stopping;
    expect(handled()).toEqual(['pay_1']);
    expect(await inbox.look(0)).toMatchObject({ waiting: 0 });
  });

  test('started again while it is being stopped, it goes on at once, in the slots that are free', async () => {
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
    expect(await inbox.look(0)).toMatchObject({ waiting: 0 });
    await keep('pay_4');
    await clock.pass(minute);
    expect(gates).toHaveLength(3);
  });

  test('however often it is started and stopped, the last word counts, and slots are not exceeded', async () => {
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

  test('it starts again, twice is once, and stopping what does not run is nothing', async () => {
    const { clock, handled, inbox, keep, worker } = setUp();
    await worker.stop();
    const take = vi.spyOn(inbox, 'take');
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
