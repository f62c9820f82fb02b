import { expect, test } from 'vitest';
import type { Facts } from '../../../src/simulator/laws/facts.ts';
import { writesToOwnShards } from '../../../src/simulator/laws/ownership.ts';

const settles = (order: number, number: number) => ({
  ...{ name: 'deliveries.settle', process: 'old', order, result: { transitions: [] } },
  args: [
    'old',
    { number, attempts: [{ accountId: 'fjord' }], pending: [], queued: [], finished: [], health: [], transitions: [] },
  ],
});

/** The worker `old` releases its shard, which `new` owns from the effect with number 10 on. */
const factsOf = (...effects: readonly ReturnType<typeof settles>[]): Facts =>
  ({
    effects,
    membership: {
      ownerAt: (_shard: number, order: number) =>
        order < 10 ? { id: 'old', process: 'old' } : { id: 'new', process: 'new' },
    },
  }) as unknown as Facts;

test.each([
  ['before it releases the shard', false, [settles(1, 1)]],
  ['for the first time after that', true, [settles(1, 1), settles(11, 2)]],
  ['for the second time after that', false, [settles(1, 1), settles(11, 1)]],
])('a settlement that is stored %s breaks the law: %s', (_when, isBroken, effects) => {
  expect(writesToOwnShards.check(factsOf(...effects)) !== undefined).toBe(isBroken);
});
