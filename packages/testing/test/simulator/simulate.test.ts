import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkLaws, type History, historyArbitrary, LawBroken, simulate } from '../../src/index.ts';
import { broken, brokenStorage } from './broken-storage.ts';

const histories = 10_000;

test(`${histories} histories break no law`, async () => {
  await fc.assert(
    fc.asyncProperty(historyArbitrary, async (history) => checkLaws(await simulate(history))),
    { numRuns: histories },
  );
}, 300_000);

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
