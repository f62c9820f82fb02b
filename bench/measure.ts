/** One figure: our rate against a limit, measured alternately in one run. */
export interface Figure {
  readonly name: string;
  /** Operations per second. */
  readonly value: number;
  /** Operations per second of the comparison. */
  readonly limit: number;
  readonly ratio: number;
  /** The minimum ratio. */
  readonly goal: number;
  readonly holds: boolean;
}

/** One side of a comparison; does its work `times` times. */
export type Side = (times: number) => void | Promise<void>;

const rounds = 7;
const roundTime = 120;

const rate = async (side: Side, times: number): Promise<number> => {
  const start = performance.now();
  await side(times);
  return (times / (performance.now() - start)) * 1_000;
};

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] as number;

/**
 * Alternating rounds. The result is the median of the ratios of the rounds, so that a slow moment affects both sides.
 */
export const compare = async (name: string, goal: number, ours: Side, limit: Side): Promise<Figure> => {
  const times = Math.max(1, Math.round(((await rate(limit, 200)) * roundTime) / 1_000));
  const warm = Math.max(1, times >> 2);
  await ours(warm);
  await limit(warm);
  const measured: { readonly value: number; readonly limit: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const pair =
      round % 2 === 0
        ? { value: await rate(ours, times), limit: await rate(limit, times) }
        : { limit: await rate(limit, times), value: await rate(ours, times) };
    measured.push(pair);
  }
  const ratio = median(measured.map((round) => round.value / round.limit));
  return {
    name,
    value: median(measured.map((round) => round.value)),
    limit: median(measured.map((round) => round.limit)),
    ratio,
    goal,
    holds: ratio >= goal,
  };
};
