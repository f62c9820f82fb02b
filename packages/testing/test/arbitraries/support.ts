import fc from 'fast-check';

/** How often each property is tried: the seed is fixed, so that a run can be repeated. */
export const runs = { numRuns: 1_000, seed: 20_241_121 } as const;

/** What an arbitrary shrinks to. */
export const smallest = <T>(arbitrary: fc.Arbitrary<T>): T => {
  const { counterexample } = fc.check(
    fc.property(arbitrary, () => false),
    { seed: runs.seed, endOnFailure: false },
  );
  return (counterexample as [T])[0];
};

/** Many values of an arbitrary. */
export const many = <T>(arbitrary: fc.Arbitrary<T>): readonly T[] => fc.sample(arbitrary, runs);
