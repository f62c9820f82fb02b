import type { Random } from '../../src/base/runtime/random.ts';

/** The same bytes for the same seed (mulberry32): repeatable, and of no use outside tests. */
export const seededRandom = (seed = 1): Random => {
  let state = seed >>> 0;
  const byte = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) & 0xff;
  };
  return { bytes: (length) => Uint8Array.from({ length }, byte) };
};

/** Always these bytes, over and over. */
export const fixedRandom = (...pattern: readonly number[]): Random => ({
  bytes: (length) => Uint8Array.from({ length }, (_, index) => pattern[index % pattern.length] ?? 0),
});

/** Seeded, but without jitter: the four bytes that a fraction is made of are zero. */
export const withoutJitter = (seed = 1): Random => {
  const seeded = seededRandom(seed);
  return { bytes: (length) => (length === 4 ? new Uint8Array(4) : seeded.bytes(length)) };
};
