import type { Random } from '@partnerkit/core/adapter';

/** A small seeded generator (mulberry32): the same seed gives the same run. */
export interface Prng extends Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [0, below). */
  below(below: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
}

export const createPrng = (seed: number): Prng => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    below: (below) => Math.floor(next() * below),
    chance: (probability) => next() < probability,
    bytes: (length) => Uint8Array.from({ length }, () => Math.floor(next() * 256)),
  };
};
