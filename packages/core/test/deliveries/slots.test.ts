import { describe, expect, test } from 'vitest';
import type { Attempts } from '../../src/deliveries/attempt.ts';
import type { ClaimedDelivery, Settlement } from '../../src/deliveries/delivery-queue.ts';
import { createSlots } from '../../src/deliveries/slots.ts';
import { minute, second } from '../../src/runtime/time.ts';
import { settled, start, testClock } from '../support/clock.ts';

const deadline = 15 * second;
const longest = 20 * second;

const world = (concurrency: number) => {
  const clock = testClock();
  const open: { readonly id: string; readonly land: () => void }[] = [];
  const landed: string[] = [];
  const back: string[] = [];
  const settlement = ({ deliveryId, lease }: ClaimedDelivery): Settlement => ({
    deliveryId,
    lease,
    outcome: { kind: 'answered', status: 200, body: '', took: 1 },
    next: 'delivered',
  });
  const attempt: Attempts = {
    make: (delivery) =>
      new Promise((resolve) => open.push({ id: delivery.deliveryId, land: () => resolve(settlement(delivery)) })),
    giveUp: settlement,
  };
  const slots = createSlots({
    attempt,
    clock,
    concurrency,
    deadline,
    onLanded: ({ deliveryId }) => landed.push(deliveryId),
    giveBack: (deliveries) => back.push(...deliveries.map(({ deliveryId }) => deliveryId)),
  });
  const add = (leaseEnds: number, ...ids: readonly string[]): void =>
    slots.add(
      ids.map((deliveryId) => ({ deliveryId, lease: 'l' }) as ClaimedDelivery),
      leaseEnds,
    );
  const land = async (id: string): Promise<void> => {
    open.find((each) => each.id === id)?.land();
    await settled();
  };
  return { clock, slots, add, land, landed, back, sent: () => open.map(({ id }) => id) };
};

test('no more than the slots are in flight; the rest goes in its order, as soon as a slot is free', async () => {
  const { slots, add, land, landed, sent } = world(2);
  add(start + minute, 'a', 'b', 'c', 'd');
  expect([sent(), slots.sending(), slots.ready()]).toEqual([['a', 'b'], 2, 2]);
  await land('b');
  expect([sent(), landed, slots.ready(), slots.landed()]).toEqual([['a', 'b', 'c'], ['b'], 1, 1]);
  await land('a');
  await land('c');
  await land('d');
  expect([landed, slots.sending(), slots.ready(), slots.landed()]).toEqual([['b', 'a', 'c', 'd'], 0, 0, 4]);
});

test('what is ready can be taken back; what is in flight cannot', async () => {
  const { slots, add, land, landed, sent } = world(1);
  add(start + minute, 'a', 'b', 'c');
  expect(slots.takeReady().map(({ deliveryId }) => deliveryId)).toEqual(['b', 'c']);
  expect(slots.takeReady()).toEqual([]);
  await land('a');
  expect([sent(), landed]).toEqual([['a'], ['a']]);
});

describe('a lease that may lapse before its attempt ends', () => {
  test.each([
    [minute - longest, ['a', 'b'], []],
    [minute - longest + 1, ['a'], ['b', 'c']],
  ])('is not begun: a slot that is free after %i ms', async (wait, expected, returned) => {
    const { clock, add, land, sent, back } = world(1);
    add(start + minute, 'a', 'b', 'c');
    clock.set(start + wait);
    await land('a');
    expect([sent(), back]).toEqual([expected, returned]);
  });
});

test('an attempt that never ends is given up, once, and its slot goes to the next', async () => {
  const { clock, slots, add, land, landed, sent } = world(1);
  add(start + minute, 'a', 'b');
  clock.set(start + longest - 1);
  slots.giveUpOverdue();
  expect(landed).toEqual([]);
  clock.set(start + longest);
  slots.giveUpOverdue();
  slots.giveUpOverdue();
  expect([landed, sent()]).toEqual([['a'], ['a', 'b']]);
  await land('a');
  expect(landed).toEqual(['a']);
});
