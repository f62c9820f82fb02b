import type { SqlDriver } from '../../src/index.ts';

/** Serialization failure, deadlock, server shut down. */
const codes = ['40001', '40P01', '57P01'] as const;

/** Numbers in [0, 1): the same seed, the same numbers (mulberry32). */
const numbers = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** What decides whether a step fails. */
export interface Faults {
  /** How often, of 1. */
  chance: number;
  /** How often it was so. */
  count: number;
}

/** Statements and transactions that fail now and then: before they ran, or after, so that only their answer is lost. */
export const failingDriver = <Tx extends object>(
  { query, queryIn, transaction }: SqlDriver<Tx>,
  seed: number,
): { readonly driver: SqlDriver<Tx>; readonly faults: Faults } => {
  const next = numbers(seed);
  const faults: Faults = { chance: 0, count: 0 };
  const perhapsFail = (): void => {
    if (next() >= faults.chance) return;
    faults.count++;
    const code = codes[Math.floor(next() * codes.length)];
    throw Object.assign(new Error(`injected ${code}`), { code });
  };
  const around =
    <A extends readonly unknown[], T>(act: (...of: A) => Promise<T>) =>
    async (...of: A): Promise<T> => {
      perhapsFail();
      const done = await act(...of);
      perhapsFail();
      return done;
    };
  return {
    faults,
    driver: {
      query: around(query),
      queryIn: around(queryIn),
      transaction: async (work) => {
        perhapsFail();
        const done = await transaction(work);
        perhapsFail();
        return done;
      },
    },
  };
};
