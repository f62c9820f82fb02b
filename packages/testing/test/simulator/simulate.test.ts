import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sized } from '../../../../tools/tests/effort.ts';
import { checkLaws, historyArbitrary, simulate } from '../../src/index.ts';

/** Half of the histories are the same in every run; the other half are new, so that many runs see many. */
const histories = sized(1_000, 100_000);

test.each([
  ['always the same', { seed: 20_241_121 }],
  ['new', {}],
])(`${histories / 2} histories, %s, break no law`, async (_, seed) => {
  await fc.assert(
    fc.asyncProperty(historyArbitrary, async (history) => checkLaws(await simulate(history))),
    { ...seed, numRuns: histories / 2 },
  );
});

test('a history is lived the same way twice', async () => {
  await fc.assert(
    fc.asyncProperty(historyArbitrary, async (history) => {
      expect(JSON.stringify(await simulate(history))).toBe(JSON.stringify(await simulate(history)));
    }),
    { numRuns: 50 },
  );
});
