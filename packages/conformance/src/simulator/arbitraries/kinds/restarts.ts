import fc from 'fast-check';
import type { History } from '../../history.ts';
import { accountIdOf, shardOfAccount } from '../../laws/numbers.ts';
import { life, none, ok } from '../life.ts';
import { plainEndpoint, plainEvent } from '../scripts.ts';
import { second } from '../times.ts';

/** Numbers of accounts that share a shard. */
const neighbours = (count: number): readonly number[] => {
  const found: number[] = [];
  for (let number = 100; found.length < count; number++)
    if (shardOfAccount(accountIdOf(number)) === 5) found.push(number);
  return found;
};

/** The only worker dies while deliveries of very many accounts of one shard wait in its memory, and restarts. */
export const restartsWith = (accounts: number): fc.Arbitrary<History> => {
  const numbers = neighbours(accounts);
  const each = [...numbers.keys()];
  return fc
    .tuple(
      life({
        lasts: fc.constant(0),
        moment: fc.nat(20 * second),
        answers: none,
        afterwards: ok,
        slowness: fc.constant(100),
        transactions: { max: 1, events: 1 },
        acts: 0,
        concurrency: fc.constantFrom(16, 64),
        faultCount: 0,
      }),
      fc.integer({ min: 6 * second, max: 12 * second }),
      fc.nat(30 * second),
    )
    .map(
      ([history, at, downFor]): History => ({
        ...history,
        ...{ workers: 1, accounts: numbers, acts: [], family: undefined, storeJumps: [] },
        endpoints: each.map((account) => plainEndpoint(account, { status: 200 }, 3 * second)),
        transactions: each.map((account) => plainEvent(account, (account * 7) % (5 * second))),
        machineEvents: [{ at, machine: 1, kind: 'crash', downFor }],
      }),
    );
};

/** {@link restartsWith} as many accounts as a usual run affords. */
export const restarts = restartsWith(200);
