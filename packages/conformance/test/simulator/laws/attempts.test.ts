import { expect, test } from 'vitest';
import { finishedIsFinished } from '../../../src/simulator/laws/attempts.ts';
import type { Facts } from '../../../src/simulator/laws/facts.ts';
import { storeClock } from '../../../src/simulator/laws/store-clock.ts';

const second = 1_000;

/** A delivery that was delivered at 1 s is sent at 30 s by `w`; the storage's clock was set at some time. */
const factsOf = (owner: string, jump: { readonly at: number; readonly ahead: number }): Facts => {
  const post = { process: 'w', at: 30 * second, order: 2 };
  const delivery = { accountId: 'fjord', rows: [{ number: 1, state: 'delivered', order: 1 }], posts: [post] };
  return {
    ledger: { deliveries: new Map([['d', delivery]]) },
    membership: { ownerAt: () => ({ process: owner }) },
    store: storeClock({ storeClock: [{ at: 0, ahead: 0 }, jump] }),
  } as unknown as Facts;
};

test.each([
  ['by its owner', true, 'w', { at: 20 * second, ahead: second }],
  ['by a worker that lost its shard', true, 'other', { at: 0, ahead: 0 }],
  [
    "by a worker that lost its shard as the storage's clock was set ahead",
    false,
    'other',
    { at: 20 * second, ahead: second },
  ],
  ["by such a worker, a lease after the storage's clock was set", true, 'other', { at: 9 * second, ahead: second }],
  [
    "by a worker that lost its shard, and the storage's clock was set back",
    true,
    'other',
    { at: 20 * second, ahead: -second },
  ],
])('to send what is delivered again %s breaks the law: %s', (_who, isBroken, owner, jump) => {
  expect(finishedIsFinished.check(factsOf(owner, jump)) !== undefined).toBe(isBroken);
});
