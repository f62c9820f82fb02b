import type { Figure } from '../measure.ts';

/** One side: does its work once, and resolves to its rate. */
export type Side = () => Promise<number>;

/** The rates of one side, one for each round. */
export type Rates = readonly number[];

/**
 * Runs the sides alternately, so that a slow moment affects all of them; every other round is in reverse order. The
 * first round is a warm-up.
 */
export const inTurns = async <N extends string>(
  sides: Readonly<Record<N, Side>>,
  rounds = 5,
): Promise<Readonly<Record<N, Rates>>> => {
  const names = Object.keys(sides) as N[];
  const rates = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<N, number[]>;
  for (let round = 0; round <= rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const rate = await sides[name]();
      if (round > 0) rates[name].push(rate);
    }
  }
  return rates;
};

const median = (values: Rates): number => values.toSorted((a, b) => a - b)[values.length >> 1] as number;

/** The median of the ratios of the rounds. A goal of 0 means none: the figure is only printed. */
export const figure = (name: string, goal: number, ours: Rates, limit: Rates): Figure => {
  const ratio = median(ours.map((rate, round) => rate / (limit[round] as number)));
  return { name, value: median(ours), limit: median(limit), ratio, goal, holds: ratio >= goal };
};

/** The goal "at most `times` times as slow", for rates. */
export const atMost = (times: number): number => 1 / times;

/** The rate of work that is repeated. */
export const rateOf = async (times: number, work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return (times / (performance.now() - start)) * 1_000;
};
