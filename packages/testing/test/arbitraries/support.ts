import fc from 'fast-check';
import { propertyRuns } from '../../../../tools/tests/effort.ts';

export const runs = propertyRuns(200);

/** What an arbitrary shrinks to. */
export const smallest = <T>(arbitrary: fc.Arbitrary<T>): T => {
  const { counterexample } = fc.check(
    fc.property(arbitrary, () => false),
    { seed: runs.seed, endOnFailure: false },
  );
  return (counterexample as [T])[0];
};

/** A thousand values of an arbitrary, always the same. */
export const many = <T>(arbitrary: fc.Arbitrary<T>): readonly T[] =>
  fc.sample(arbitrary, { seed: runs.seed, numRuns: 1_000 });
