import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sized } from '../../../../tools/tests/effort.ts';
import { restartsWith } from '../../src/simulator/arbitraries/kinds/restarts.ts';
import { historyKinds } from '../../src/simulator/arbitraries/kinds.ts';
import { checkLaws, historyArbitrary, simulate } from '../../src/simulator/index.ts';

/** Histories are checked in parts, so that a long run shows how far it is. */
const parts = sized(2, 100);

/** Some histories are the same in every run; others are new, so that many runs see many. */
const seeds = Array.from({ length: parts }, (_, part) =>
  part < parts / 2
    ? { part, which: 'always the same', numRuns: sized(25, 1_000), seed: { seed: 20_241_121 + part } }
    : { part, which: 'new', numRuns: sized(10, 1_000), seed: {} },
);

describe('histories break no law', () => {
  test.each(seeds)('$numRuns histories, part $part: $which', async ({ numRuns, seed }) => {
    await fc.assert(
      fc.asyncProperty(historyArbitrary, async (history) => checkLaws(await simulate(history))),
      { ...seed, numRuns },
    );
  });
});

describe('larger histories break no law', () => {
  test.each([
    ['persons send to paused endpoints', historyKinds.urgents, sized(4, 1_000)],
    ['receivers hang by the hundred', historyKinds.hangs, sized(2, 500)],
    ['a worker restarts with many queued accounts', historyKinds.restarts, sized(2, 200)],
    ['a worker restarts with very many queued accounts', restartsWith(sized(150, 5_000)), 1],
  ])('%s', async (_how, kind, numRuns) => {
    await fc.assert(
      fc.asyncProperty(kind, async (history) => checkLaws(await simulate(history))),
      { numRuns },
    );
  });
});

test('a history is lived the same way twice', async () => {
  await fc.assert(
    fc.asyncProperty(historyArbitrary, async (history) => {
      const [first, second] = [await simulate(history), await simulate(history)];
      expect(second.posts).toEqual(first.posts);
      expect(second.calls.map(({ name, process, effectAt }) => [name, process, effectAt])).toEqual(
        first.calls.map(({ name, process, effectAt }) => [name, process, effectAt]),
      );
    }),
    { numRuns: sized(2, 50) },
  );
});
