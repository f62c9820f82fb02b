import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sized } from '../../../../tools/tests/effort.ts';
import { checkLaws, type History, historyArbitrary, LawBroken, simulate } from '../../src/index.ts';
import { broken, brokenStorage } from './broken-storage.ts';

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
      expect(await simulate(history)).toEqual(await simulate(history));
    }),
    { numRuns: 100 },
  );
});

describe('the laws find', () => {
  test.each(broken)('$how', async ({ law, break: change }) => {
    const found = new Set<string>();
    const property = fc.asyncProperty(historyArbitrary, async (history: History) => {
      try {
        checkLaws(await simulate(history, { storage: brokenStorage(change) }));
      } catch (cause) {
        if (!(cause instanceof LawBroken)) return;
        found.add(cause.law);
        if (cause.law === law) throw cause;
      }
    });
    // The same histories each time: what finds them today finds them tomorrow.
    const run = await fc.check(property, { numRuns: 3_000, seed: 1, endOnFailure: true });
    expect(run.failed, `found instead: ${[...found].join('; ')}`).toBe(true);
  });
});
