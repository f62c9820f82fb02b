import { afterEach, describe, expect, test } from 'vitest';
import { minute, second } from '../../../src/base/runtime/time.ts';
import { memorySender } from '../../../src/stores/memory/sender.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import type { MemoryTransaction } from '../../../src/stores/rows/memory/memory-rows.ts';
import { retrySchedule } from '../../../src/webhooks/delivery-rules/retry-policy.ts';
import type { Handler, HandlerContext, HandlerEvent } from '../../../src/webhooks/handlers/handler.ts';
import { start } from '../../support/clock.ts';
import { answered, publish, statesOf, stopWorker, subscribe } from '../../support/deliveries.ts';
import { eventsOf, platform } from '../../support/kit.ts';
import { withoutJitter } from '../../support/random.ts';

type Handle = Extract<Handler<MemoryTransaction>, { readonly transaction?: false }>['handle'];
const events = ['RequestPayment.payed'] as const;
const world = () => platform({ random: withoutJitter(), sender: memorySender(() => answered(200)) });
type World = ReturnType<typeof world>;

/** What an exhausted or waiting handler says of all events of `acc_a`. */
const deliveriesTo = async ({ kit, storage }: World, accountId = 'acc_a') => {
  const published = await eventsOf(storage, accountId);
  const found = await Promise.all(published.map(({ id }) => kit.handlers.ofEvent(accountId, id)));
  return found.flatMap((each) => each._unsafeUnwrap());
};
const logOf = async (made: World) => (await deliveriesTo(made))[0]?.log.map(({ outcome }) => outcome);

/** Events as an effect: what a handler publishes in its transaction. */
const effect =
  ({ kit }: World) =>
  async ({ data }: HandlerEvent, { tx }: { readonly tx: MemoryTransaction }): Promise<void> => {
    await kit.events.publish(
      { accountId: 'acc_b', objectName: 'RequestSecurityDeposit', type: 'creation', data: { id: `effect ${data.id}` } },
      { tx },
    );
  };
const effectsOf = async ({ storage }: World) => (await eventsOf(storage, 'acc_b')).map(({ objectId }) => objectId);

let stopAll: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stopAll) await stop();
  stopAll = [];
});
const run = ({ kit, clock }: World, options: Parameters<World['kit']['worker']>[0]) => {
  const worker = kit.worker(options);
  worker.start();
  stopAll.push(() => stopWorker(worker, clock));
  return worker;
};

describe('a handler', () => {
  test('receives what partners receive, and a key of event and handler; also without endpoints', async () => {
    const made = world();
    const calls: unknown[] = [];
    const worker = made.kit.worker({
      handlers: {
        ledger: { events, handle: async (event, { key, signal }) => calls.push([event, key, signal.aborted]) },
      },
    });
    await worker.drain();
    await publish(made, 1);
    await worker.drain();
    const [event] = await eventsOf(made.storage, 'acc_a');
    expect(calls).toEqual([
      [
        {
          ...{ id: event?.id, accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed' },
          ...{ timestamp: start / 1000, data: { id: 'acc_a/0' } },
        },
        `${event?.id}.ledger`,
        false,
      ],
    ]);
    expect(await deliveriesTo(made)).toEqual([
      {
        ...{ accountId: 'acc_a', eventId: event?.id, handler: 'ledger', state: 'handled', attempts: 1 },
        log: [{ at: start, outcome: 'handled', durationMs: 0 }],
      },
    ]);
  });

  test('gets no events of other types, no test events, and no copies for parents', async () => {
    const made = world();
    const ids: string[] = [];
    const handle: Handle = async ({ accountId, data }) => ids.push(`${accountId} ${data.id}`);
    const endpoint = await subscribe(made, 'one.example');
    const including = { url: 'https://two.example/', events: ['payed'], includeChildren: true } as const;
    (await made.kit.endpoints.create('acc_a', including))._unsafeUnwrap();
    const worker = made.kit.worker({ handlers: { ledger: { events, handle } } });
    await worker.drain();
    const test = { objectName: 'RequestPayment', type: 'payed', data: {} } as const;
    (await made.kit.events.sendTest('acc_a', endpoint.id, test))._unsafeUnwrap();
    await publish(made, 1, 'acc_child');
    const other = {
      accountId: 'acc_a',
      objectName: 'RequestSecurityDeposit',
      type: 'creation',
      data: { id: 'd' },
    } as const;
    await made.kit.events.publish(other, { tx: 'new' });
    await worker.drain();
    expect(ids).toEqual(['acc_child acc_child/0']);
    // The test event, and the copy.
    expect(made.sender.posts).toHaveLength(2);
  });

  test('that fails is called again on schedule, to exhaustion, with the same key', async () => {
    const made = world();
    const keys: string[] = [];
    const handle: Handle = async (_event, { key }) => {
      keys.push(key);
      throw new Error('secret of the processor');
    };
    const worker = made.kit.worker({ handlers: { ledger: { events, handle } } });
    await worker.drain();
    await publish(made, 1);
    await worker.drain();
    for (const wait of retrySchedule) {
      const before = keys.length;
      made.clock.set(made.clock.now() + wait - 1);
      await worker.drain();
      expect(keys, 'never early').toHaveLength(before);
      made.clock.set(made.clock.now() + 1);
      await worker.drain();
      expect(keys, 'then at once').toHaveLength(before + 1);
    }
    expect(new Set(keys).size).toBe(1);
    expect(await deliveriesTo(made)).toMatchObject([{ state: 'exhausted', attempts: 10 }]);
    expect(await logOf(made)).toEqual(Array.from({ length: 10 }, () => 'failed'));
    const signals = made.signals.filter((signal) => signal.kind === 'handler_attempt');
    expect(signals.map(({ attempt, outcome, next }) => [attempt, outcome, next])).toEqual(
      Array.from({ length: 10 }, (_, index) => [index + 1, 'failed', index === 9 ? 'exhausted' : 'retry']),
    );
    expect(JSON.stringify([made.signals, await deliveriesTo(made)])).not.toContain('processor');
    expect((await made.kit.handlers.list())._unsafeUnwrap()).toMatchObject([{ waiting: 0, exhausted: 1 }]);
  });

  test('that is exhausted is sent again by the host; one that was handled never', async () => {
    const made = world();
    let isBroken = true;
    const handle: Handle = async () => {
      if (isBroken) throw new Error('broken');
    };
    const worker = made.kit.worker({ handlers: { ledger: { events, handle } } });
    await worker.drain();
    await publish(made, 1);
    for (const wait of [0, ...retrySchedule]) {
      made.clock.set(made.clock.now() + wait);
      await worker.drain();
    }
    isBroken = false;
    const { items } = (await made.kit.handlers.exhausted('ledger'))._unsafeUnwrap();
    const [delivery] = items;
    if (!delivery) throw new Error('It is exhausted.');
    const again = async () =>
      (await made.kit.handlers.sendAgain(delivery)).match(
        () => 'sent',
        ({ code }) => code,
      );
    expect(await again()).toBe('sent');
    expect(await again()).toBe('unfinished');
    await worker.drain();
    expect(await again()).toBe('already_handled');
    expect((await deliveriesTo(made))[0]).toMatchObject({ state: 'handled', attempts: 1 });
    expect((await made.kit.handlers.exhausted('ledger'))._unsafeUnwrap().items).toEqual([]);
    const unknown = await made.kit.handlers.sendAgain({ ...delivery, handler: 'other' });
    expect(unknown._unsafeUnwrapErr().code).toBe('not_found');
  });

  test('starts with events from its registration on, or from `since`', async () => {
    const made = world();
    const worker = made.kit.worker();
    await publish(made, 700, 'acc_a');
    await worker.drain();
    made.clock.set(start + minute);
    await publish(made, 600, 'acc_b', 700);
    await worker.drain();
    const seen: Readonly<Record<string, string[]>> = { now: [], minute: [], all: [] };
    const take =
      (name: string): Handle =>
      async ({ data }) =>
        seen[name]?.push(data.id);
    const handlers = {
      now: { events, handle: take('now') },
      minute: { events, since: start + 1, handle: take('minute') },
      all: { events, since: 0, handle: take('all') },
    };
    const late = made.kit.worker({ handlers });
    await late.drain();
    await publish(made, 1, 'acc_a', 5_000);
    await late.drain();
    expect(seen['now']).toEqual(['acc_a/5000']);
    expect([seen['minute']?.length, new Set(seen['minute']).size]).toEqual([601, 601]);
    expect([seen['all']?.length, new Set(seen['all']).size]).toEqual([1_301, 1_301]);
  });

  test('gets events that the store announces, too', async () => {
    const made = world();
    await subscribe(made, 'one.example');
    const ids: string[] = [];
    const handle: Handle = async ({ data }) => ids.push(data.id);
    run(made, { handlers: { ledger: { events, handle } } });
    await made.clock.advance(second);
    for (const from of [0, 1, 2]) {
      await publish(made, 1, 'acc_a', from);
      await made.clock.advance(second);
    }
    expect(made.sender.posts).toHaveLength(3);
    expect(ids).toEqual(['acc_a/0', 'acc_a/1', 'acc_a/2']);
  });

  test('that takes turns: the first event of each account comes before the second of any', async () => {
    const made = world();
    const order: string[] = [];
    const handle: Handle = async ({ accountId }) => order.push(accountId);
    const worker = made.kit.worker({ handlers: { ledger: { events, concurrency: 1, handle } } });
    await worker.drain();
    await publish(made, 20, 'acc_a');
    await publish(made, 1, 'acc_b');
    await publish(made, 1, 'acc_child');
    await worker.drain();
    expect(order).toHaveLength(22);
    expect(order.indexOf('acc_b')).toBeLessThan(4);
    expect(order.indexOf('acc_child')).toBeLessThan(4);
  });
});

describe('a handler in a transaction', () => {
  test('writes with its outcome, or not at all', async () => {
    const made = world();
    let calls = 0;
    const worker = made.kit.worker({
      handlers: {
        ledger: {
          events,
          transaction: true,
          handle: async (event, context) => {
            await effect(made)(event, context);
            calls++;
            if (calls === 1) throw new Error('after the write');
          },
        },
      },
    });
    await worker.drain();
    await publish(made, 1);
    await worker.drain();
    expect(await effectsOf(made)).toEqual([]);
    made.clock.set(start + 6 * second);
    await worker.drain();
    expect([calls, await effectsOf(made)]).toEqual([2, ['effect acc_a/0']]);
    expect(await logOf(made)).toEqual(['failed', 'handled']);
  });

  test('is called again when its commit fails after all that it did', async () => {
    const made = world();
    const { storage } = made;
    let commits = 0;
    const failing = {
      ...storage,
      transaction: (work, options) =>
        storage.transaction(async (tx) => {
          const value = await work(tx);
          if (commits++ === 0) throw new Error('The commit failed.');
          return value;
        }, options),
    } satisfies typeof storage;
    const { kit, clock } = platform({ storage: failing, clock: made.clock });
    const worker = kit.worker({ handlers: { ledger: { events, transaction: true, handle: effect(made) } } });
    await worker.drain();
    await publish(made, 1);
    await worker.drain();
    expect([await effectsOf(made), await logOf(made)]).toEqual([[], ['failed']]);
    clock.set(start + 6 * second);
    await worker.drain();
    expect([await effectsOf(made), await logOf(made)]).toEqual([['effect acc_a/0'], ['failed', 'handled']]);
  });

  test('is not called again when the answer of its commit was lost', async () => {
    const made = world();
    const { storage } = made;
    let calls = 0;
    const lossy = {
      ...storage,
      transaction: async (...given: Parameters<typeof storage.transaction>) => {
        await storage.transaction(...given);
        throw new Error('The connection was lost after the commit.');
      },
    } as typeof storage;
    const { kit, clock } = platform({ storage: lossy, clock: made.clock });
    const worker = kit.worker({
      handlers: {
        ledger: {
          events,
          transaction: true,
          handle: async (event, context) => {
            calls++;
            await effect(made)(event, context);
          },
        },
      },
    });
    await worker.drain();
    await publish(made, 1);
    await worker.drain();
    clock.set(start + 10 * minute);
    await worker.drain();
    expect([calls, await effectsOf(made)]).toEqual([1, ['effect acc_a/0']]);
    expect(await logOf(made)).toEqual(['handled']);
  });
});

test('outcomes of one turn are stored in one call; those of transactions each in their own', async () => {
  const stored = memoryStorage();
  const settled: number[] = [];
  const settle: typeof stored.handlers.settle = (settlements, tx) => {
    settled.push(settlements.length);
    return stored.handlers.settle(settlements, tx);
  };
  const made = platform({ random: withoutJitter(), storage: { ...stored, handlers: { ...stored.handlers, settle } } });
  const handle = async () => undefined;
  const worker = made.kit.worker({ handlers: { plain: { events, handle } } });
  await worker.drain();
  await publish(made, 5);
  await worker.drain();
  expect(settled).toEqual([5]);
  const other = made.kit.worker({ handlers: { joined: { events, handle, transaction: true } } });
  await other.drain();
  await publish(made, 3);
  await other.drain();
  expect(settled).toEqual([5, 1, 1, 1]);
});

describe('a storage that runs few transactions at a time', () => {
  const limited = (maxTransactions: number) =>
    platform({
      random: withoutJitter(),
      sender: memorySender(() => answered(200)),
      storage: { ...memoryStorage(), maxTransactions },
    });
  const register = (maxTransactions: number, change: object) => () =>
    limited(maxTransactions).kit.worker({
      handlers: { ledger: { events, transaction: true, handle: async () => undefined, ...change } },
    });

  test.each([
    [10, 1, 5],
    [10, 2, 2],
    [3, 1, 1],
    [1, 3, 1],
  ])('of %i transactions, %i handlers get %i each', async (max, count, each) => {
    const made = limited(max);
    const underWay = new Map<string, number>();
    const handle = async ({ type }: HandlerEvent, { key }: HandlerContext): Promise<void> => {
      const name = key.split('.')[1] ?? type;
      underWay.set(name, (underWay.get(name) ?? 0) + 1);
      await new Promise(() => undefined);
    };
    const names = ['a', 'b', 'c'].slice(0, count);
    const handlers = Object.fromEntries(names.map((name) => [name, { events, transaction: true, handle } as const]));
    run(made, { handlers });
    await made.clock.advance(second);
    await publish(made, 20);
    await made.clock.advance(second);
    expect([...underWay.values()]).toEqual(names.map(() => each));
  });

  test('a handler without a transaction keeps its slots', async () => {
    const made = limited(1);
    let calls = 0;
    const handle: Handle = () => {
      calls++;
      return new Promise(() => undefined);
    };
    run(made, { handlers: { ledger: { events, handle } } });
    await made.clock.advance(second);
    await publish(made, 20);
    await made.clock.advance(second);
    expect(calls).toBe(8);
  });

  test('where one writes at a time, a call lasts at most 5 seconds, 2 by default', async () => {
    expect(register(1, { timeout: 5_001 })).toThrow(
      'worker: handlers.ledger: timeout is at most 5000 ms in a transaction of this storage',
    );
    register(1, { timeout: 5_000 })();
    register(2, { timeout: 45_000 })();
    register(1, { timeout: 45_000, transaction: false })();
    const made = limited(1);
    const signals: AbortSignal[] = [];
    const handle = (_event: HandlerEvent, { signal }: HandlerContext) => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    run(made, { handlers: { ledger: { events, transaction: true, handle } } });
    await made.clock.advance(second);
    await publish(made, 1);
    await made.clock.advance(1.5 * second);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await made.clock.advance(second);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  /** The seconds, from the first one, at which a handler was called that hangs but for its `answered` calls. */
  const callsIn = async (maxTransactions: number, duration: number, answered: readonly number[] = []) => {
    const made = limited(maxTransactions);
    const calls: number[] = [];
    const handle = async () => {
      calls.push(made.clock.now());
      if (!answered.includes(calls.length)) await new Promise(() => undefined);
    };
    run(made, { handlers: { ledger: { events, transaction: true, concurrency: 1, timeout: 2 * second, handle } } });
    await made.clock.advance(second);
    await publish(made, 40);
    for (let passed = 0; passed < duration; passed++) await made.clock.advance(second);
    return calls.map((at) => Math.round((at - (calls[0] ?? 0)) / second));
  };

  test('where one writes at a time, a handler that hangs rests longer each time, and the others write', async () => {
    expect(await callsIn(1, 300)).toEqual([0, 4, 10, 20, 38, 72, 138, 204, 270]);
  });

  test('a call that ends in time ends the rests', async () => {
    expect((await callsIn(1, 60, [3])).slice(0, 6)).toEqual([0, 4, 10, 10, 14, 20]);
  });

  test('where several write, the next call does not wait', async () => {
    expect(await callsIn(2, 9)).toEqual([0, 2, 4, 6, 8]);
  });
});

test('the wait for a transaction is not the time of the handler: it has its own, and ends without a call', async () => {
  const stored = memoryStorage();
  let wait = 9 * second;
  const made = platform({
    random: withoutJitter(),
    storage: {
      ...stored,
      transaction: async (work, options) => {
        await made.clock.sleep(wait, options?.signal ?? new AbortController().signal);
        return stored.transaction(work, options);
      },
    },
  });
  let calls = 0;
  const handle = async () => calls++;
  run(made, { handlers: { ledger: { events, timeout: second, transaction: true, handle } } });
  await made.clock.advance(second);
  await publish(made, 1);
  await made.clock.advance(10 * second);
  expect([calls, await logOf(made)]).toEqual([1, ['handled']]);
  wait = 11 * second;
  await publish(made, 1, 'acc_b');
  await made.clock.advance(12 * second);
  expect(calls).toBe(1);
  expect((await deliveriesTo(made, 'acc_b'))[0]?.log.map(({ outcome }) => outcome)).toEqual(['timed_out']);
});

describe('a handler that hangs', () => {
  const hanging: Handle = () => new Promise(() => undefined);

  test('is given up at its time-out, with an aborted signal, and called again', async () => {
    const made = world();
    const signals: AbortSignal[] = [];
    const handle: Handle = (event, context) => {
      signals.push(context.signal);
      return hanging(event, context);
    };
    run(made, { handlers: { ledger: { events, timeout: 3 * second, handle } } });
    await made.clock.advance(second);
    await publish(made, 1);
    await made.clock.advance(2 * second);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await made.clock.advance(2 * second);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(await logOf(made)).toEqual(['timed_out']);
    await made.clock.advance(6 * second);
    expect(signals).toHaveLength(2);
  });

  test('delays no webhook, no other handler, and no other event by more than its slots', async () => {
    const made = world();
    await subscribe(made, 'one.example');
    const seen: string[] = [];
    const poison: Handle = async (event, context) => {
      if (event.data.id === 'acc_a/0') return hanging(event, context);
      return seen.push(`ledger ${event.data.id}`);
    };
    const other: Handle = async ({ data }) => seen.push(`other ${data.id}`);
    run(made, { handlers: { ledger: { events, concurrency: 2, handle: poison }, other: { events, handle: other } } });
    await made.clock.advance(second);
    await publish(made, 6);
    await made.clock.advance(second);
    expect(made.sender.posts).toHaveLength(6);
    expect(await statesOf(made)).toEqual(Array.from({ length: 6 }, () => 'delivered'));
    expect(seen.filter((each) => each.startsWith('other'))).toHaveLength(6);
    expect(seen.filter((each) => each.startsWith('ledger'))).toHaveLength(5);
  });

  test('writes nothing through a transaction that was given up', async () => {
    const made = world();
    let goOn: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let calls = 0;
    run(made, {
      handlers: {
        ledger: {
          events,
          timeout: second,
          transaction: true,
          handle: async (event, context) => {
            calls++;
            if (calls > 1) return;
            await waiting;
            await effect(made)(event, context).catch(() => undefined);
          },
        },
      },
    });
    await made.clock.advance(second);
    await publish(made, 1);
    await made.clock.advance(3 * second);
    goOn();
    await made.clock.advance(second);
    expect(await effectsOf(made)).toEqual([]);
    await made.clock.advance(10 * second);
    expect(await logOf(made)).toEqual(['timed_out', 'handled']);
    expect(await effectsOf(made)).toEqual([]);
  });
});

describe('workers without the code', () => {
  test('leave its deliveries to workers with it', async () => {
    const made = world();
    const seen: string[] = [];
    const handlers = { ledger: { events, handle: async ({ data }: HandlerEvent) => seen.push(data.id) } };
    const first = made.kit.worker({ handlers });
    await first.drain();
    const without = run(made, {});
    await made.clock.advance(second);
    expect(without.state().shards).toBe(128);
    await publish(made, 3);
    await made.clock.advance(minute);
    expect(seen).toEqual([]);
    expect((await made.kit.handlers.list())._unsafeUnwrap()).toMatchObject([{ name: 'ledger', waiting: 3 }]);
    // It owns no shard, and handles them all.
    run(made, { handlers });
    await made.clock.advance(2 * second);
    expect(seen.toSorted()).toEqual(['acc_a/0', 'acc_a/1', 'acc_a/2']);
    await publish(made, 3, 'acc_b');
    await made.clock.advance(2 * second);
    expect(seen).toHaveLength(6);
  });

  test('a handler that is removed gets nothing more, and its waiting deliveries are deleted', async () => {
    const made = world();
    const handlers = { ledger: { events, handle: async () => Promise.reject(new Error('broken')) } };
    const worker = made.kit.worker({ handlers });
    await worker.drain();
    await publish(made, 2);
    await worker.drain();
    expect((await made.kit.handlers.remove('ledger')).isOk()).toBe(true);
    expect((await made.kit.handlers.list())._unsafeUnwrap()).toEqual([]);
    await publish(made, 1, 'acc_a', 10);
    await made.kit.worker().drain();
    expect(await deliveriesTo(made)).toEqual([]);
  });

  test('the check names a handler that no worker had for ten minutes', async () => {
    const made = world();
    const handlers = { ledger: { events, handle: async () => undefined } };
    await made.kit.worker({ handlers }).drain();
    const other = platform({ storage: made.storage, clock: made.clock });
    const warnings = async ({ kit }: Pick<World, 'kit'>) => (await kit.check())._unsafeUnwrap().warnings;
    made.clock.set(start + 10 * minute - 1);
    expect(await warnings(other)).toEqual([]);
    made.clock.set(start + 10 * minute);
    expect(await warnings(other)).toEqual([expect.stringContaining('"ledger" for 10 minutes')]);
    expect(await warnings(made), 'this process has it').toEqual([]);
  });

  test('a worker that runs says once a minute that it has the handler', async () => {
    const made = world();
    run(made, { handlers: { ledger: { events, handle: async () => undefined } } });
    await made.clock.advance(30 * minute);
    const [status] = (await made.kit.handlers.list())._unsafeUnwrap();
    expect(made.clock.now() - (status?.seenAt ?? 0)).toBeLessThanOrEqual(minute);
  });
});

test('wrong handlers are refused by name', () => {
  const { kit } = world();
  const handle = async () => undefined;
  const refusal = (handlers: object) => {
    try {
      kit.worker({ handlers: handlers as never });
    } catch (cause) {
      return (cause as Error).message;
    }
    return undefined;
  };
  expect(refusal({ Ledger: { events, handle } })).toContain('handlers.Ledger: a name is a letter');
  expect(refusal({ [`l${'x'.repeat(24)}`]: { events, handle } })).toContain('a name is a letter');
  expect(refusal({ ledger: { events } })).toContain('handlers.ledger: handle is a function');
  expect(refusal({ ledger: { events: [], handle } })).toContain('at least one event type');
  expect(refusal({ ledger: { events: ['RequestPayment.paid'], handle } })).toContain('"RequestPayment.paid"');
  expect(refusal({ ledger: { events, handle, timeout: 45_001 } })).toContain('at most 45000 ms');
  expect(refusal({ ledger: { events, handle, concurrency: 0 } })).toContain('concurrency must be a whole number');
  expect(refusal({ ledger: { events, handle, retries: 3 } })).toContain('retries');
  expect(refusal({ ledger: { events, handle, transaction: 'yes' } })).toContain('transaction must be true or false');
  expect(refusal({ ledger: { events, handle, since: 1.5 } })).toContain('since is a time');
});
