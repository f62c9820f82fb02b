import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DeliveryQueue, Settlement } from '../../src/deliveries/delivery-queue.ts';
import { createSettler } from '../../src/deliveries/settler.ts';
import { createTrouble } from '../../src/deliveries/trouble.ts';
import { minute, second } from '../../src/runtime/time.ts';
import type { Signal } from '../../src/signals/signal.ts';
import { settled, start, testClock } from '../support/clock.ts';
import { runs } from '../support/runs.ts';

const settlement = (deliveryId: string): Settlement => ({
  deliveryId,
  lease: 'l',
  outcome: { kind: 'answered', status: 200, body: '', took: 1 },
  next: 'delivered',
});

const world = (settle: (ids: readonly string[]) => Promise<void>, hurried = false, company = { size: 1 }) => {
  const clock = testClock();
  const signals: Signal[] = [];
  const counts: number[] = [];
  const told: unknown[] = [];
  const queue = {
    settle: async (batch: readonly Settlement[]) => {
      await settle(batch.map(({ deliveryId }) => deliveryId));
      return [];
    },
  } as unknown as DeliveryQueue;
  const observe = (signal: Signal) => signals.push(signal);
  const settler = createSettler({
    queue,
    clock,
    observe,
    trouble: createTrouble(observe, (cause, context) => told.push([cause, context])),
    company: () => company.size,
    patience: second / 4,
    hurried: () => hurried,
    onSettled: (count) => counts.push(count),
  });
  return { clock, signals, told, counts, settler };
};

test('no settlement waits for company; while one batch is stored the next gathers', async () => {
  const batches: (readonly string[])[] = [];
  const gates: (() => void)[] = [];
  const { settler, counts } = world((ids) => {
    batches.push(ids);
    return new Promise((resolve) => gates.push(resolve));
  });
  settler.add(settlement('a'), start + minute);
  expect(batches).toEqual([['a']]);
  settler.add(settlement('b'), start + minute);
  settler.add(settlement('c'), start + minute);
  expect(settler.unsettled()).toBe(3);
  await settled();
  expect(batches).toEqual([['a']]);
  gates[0]?.();
  await settled();
  expect(batches).toEqual([['a'], ['b', 'c']]);
  expect(settler.unsettled()).toBe(2);
  gates[1]?.();
  await settler.idle();
  expect(settler.unsettled()).toBe(0);
  expect(counts).toEqual([1, 2]);
});

test('none waits longer for company than is borne, each time anew', async () => {
  const batches: (readonly string[])[] = [];
  const { settler, clock } = world(async (ids) => void batches.push(ids), false, { size: 3 });
  for (const ids of [['a', 'b'], ['c']]) {
    for (const id of ids) settler.add(settlement(id), start + minute);
    await clock.advance(249);
    expect(batches).not.toContainEqual(ids);
    await clock.advance(1);
    expect(batches).toContainEqual(ids);
  }
  expect(settler.unsettled()).toBe(0);
});

test('while company is sure to come a settlement waits for it, and no longer than it is told to', async () => {
  const batches: (readonly string[])[] = [];
  const company = { size: 3 };
  const { settler } = world(async (ids) => void batches.push(ids), false, company);
  const add = (...ids: readonly string[]): void => {
    for (const id of ids) settler.add(settlement(id), start + minute);
  };
  add('a', 'b');
  await settled();
  expect([batches, settler.unsettled()]).toEqual([[], 2]);
  add('c', 'd');
  await settled();
  expect(batches).toEqual([['a', 'b', 'c']]);
  settler.flush();
  settler.flush();
  await settled();
  expect(batches).toEqual([['a', 'b', 'c'], ['d']]);
  add('e');
  company.size = 1;
  add('f');
  await settled();
  expect(batches.at(-1)).toEqual(['e', 'f']);
  company.size = 3;
  add('g');
  await settler.idle();
  expect([batches.at(-1), settler.unsettled()]).toEqual([['g'], 0]);
});

test('what is told to be stored while a batch is stored comes right after it', async () => {
  const batches: (readonly string[])[] = [];
  const gates: (() => void)[] = [];
  const company = { size: 1 };
  const { settler } = world(
    (ids) => {
      batches.push(ids);
      return new Promise((resolve) => gates.push(resolve));
    },
    false,
    company,
  );
  settler.add(settlement('a'), start + minute);
  company.size = 10;
  settler.add(settlement('b'), start + minute);
  settler.flush();
  settler.add(settlement('c'), start + minute);
  gates[0]?.();
  await settled();
  expect(batches).toEqual([['a'], ['b', 'c']]);
  gates[1]?.();
  await settler.idle();
});

test('at most 500 in a batch', async () => {
  const sizes: number[] = [];
  const { settler } = world(async (ids) => {
    sizes.push(ids.length);
    await settled();
  });
  for (let index = 0; index < 1_300; index++) settler.add(settlement(String(index)), start + minute);
  await settler.idle();
  expect(sizes).toEqual([1, 500, 500, 299]);
});

test('each settlement is stored once, in order, whenever it comes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 3 }), { maxLength: 30 }), async (pauses) => {
      const stored: string[] = [];
      const { settler, counts } = world(async (ids) => {
        for (let tick = 0; tick < ids.length; tick++) await Promise.resolve();
        stored.push(...ids);
      });
      for (const [index, pause] of pauses.entries()) {
        settler.add(settlement(String(index)), start + minute);
        for (let tick = 0; tick < pause; tick++) await Promise.resolve();
      }
      await settler.idle();
      expect(settler.unsettled()).toBe(0);
      expect(stored).toEqual(pauses.map((_, index) => String(index)));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(pauses.length);
    }),
    runs,
  );
});

describe('a store that fails', () => {
  test('is asked every second, with the same batch, and signalled each time', async () => {
    const asked: (readonly string[])[] = [];
    const cause = Object.assign(new Error('SECRET'), { code: 'ECONNRESET' });
    const { settler, clock, signals, told, counts } = world(async (ids) => {
      asked.push(ids);
      if (asked.length < 4) throw cause;
    });
    settler.add(settlement('a'), start + minute);
    settler.add(settlement('b'), start + minute);
    await settled();
    expect(asked).toHaveLength(1);
    await clock.advance(second - 1);
    expect(asked).toHaveLength(1);
    await clock.advance(2 * second + 1);
    expect(asked.slice(0, 4)).toEqual([['a'], ['a'], ['a'], ['a']]);
    await settler.idle();
    expect(asked).toHaveLength(5);
    expect(signals).toEqual(
      Array(3).fill({ kind: 'worker_trouble', during: 'settle', error: { name: 'Error', code: 'ECONNRESET' } }),
    );
    expect(told).toEqual(Array(3).fill([cause, { during: 'settle' }]));
    expect(counts).toEqual([1, 1]);
  });

  test('is waited for past the lease, which settles as long as nobody took it over; a quarter of an hour at most', async () => {
    let asked = 0;
    const { settler, clock, counts } = world(async () => {
      asked++;
      throw new Error('down');
    });
    settler.add(settlement('a'), start + minute);
    await clock.advance(16 * minute - second);
    expect(settler.unsettled()).toBe(1);
    await clock.advance(2 * second);
    await settler.idle();
    expect(asked).toBe(16 * 60 + 1);
    expect(counts).toEqual([1]);
  });

  test('is given up on at the end of the lease by a worker that is to stop', async () => {
    let asked = 0;
    const { settler, clock, counts } = world(async () => {
      asked++;
      throw new Error('down');
    }, true);
    settler.add(settlement('a'), start + 5 * second);
    await clock.advance(10 * second);
    await settler.idle();
    // At 0, 1, 2, 3, 4 and 5 seconds.
    expect(asked).toBe(6);
    expect(settler.unsettled()).toBe(0);
    expect(counts).toEqual([1]);
  });

  test('while a batch waits, its last lease counts', async () => {
    let down = true;
    const stored: string[] = [];
    const { settler, clock } = world(async (ids) => {
      if (down) throw new Error('down');
      stored.push(...ids);
    }, true);
    settler.add(settlement('a'), start + 2 * second);
    settler.add(settlement('b'), start + 3 * second);
    settler.add(settlement('c'), start + 20 * second);
    await clock.advance(10 * second);
    down = false;
    await clock.advance(second);
    await settler.idle();
    expect(stored).toEqual(['b', 'c']);
  });
});

test('idle, when nothing was ever added', async () => {
  const { settler } = world(() => expect.unreachable());
  await settler.idle();
  expect(settler.unsettled()).toBe(0);
});
