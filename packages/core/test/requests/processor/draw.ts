/** Seeded choices: the same seed draws the same ones (mulberry32). */
export const createDraw = (seed: number) => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    /** A whole number, both ends included. */
    between,
    /** True with a probability. */
    chance: (probability: number): boolean => next() < probability,
    /** One of several. */
    one: <T>(items: readonly T[]): T => items[between(0, items.length - 1)] as T,
  };
};
export type Draw = ReturnType<typeof createDraw>;
