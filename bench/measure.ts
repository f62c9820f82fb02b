/** What one side did in one round. */
export interface Sample {
  /** Units per second. */
  readonly rate: number;
  /** CPU of the processes of the side, in microseconds per unit. */
  readonly cpu: number;
  /** CPU of its servers (PostgreSQL, Redis), in microseconds per unit. Absent: it has none. */
  readonly serverCpu?: number;
  /** Write-ahead log of its PostgreSQL, in bytes per unit. */
  readonly wal?: number;
}

/** The rounds of one side. */
export type Samples = readonly Sample[];

/** One side: does its work once and checks the result. It rejects if the work was not done. */
export type Side = () => Promise<Sample>;

/**
 * Runs the sides alternately, so that a slow moment affects all of them; every other round is in reverse order. The
 * first round is a warm-up.
 * @throws Error with the name of the side that did not do its work.
 */
export const inTurns = async <N extends string>(
  sides: Readonly<Record<N, Side>>,
  rounds: number,
): Promise<Readonly<Record<N, Samples>>> => {
  const names = Object.keys(sides) as N[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as Sample[]])) as Record<N, Sample[]>;
  for (let round = 0; round <= rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const sample = await sides[name]().catch((cause: unknown) => {
        throw new Error(`The side "${name}" failed.`, { cause });
      });
      if (round > 0) samples[name].push(sample);
    }
  }
  return samples;
};

/** A property of a sample, with its unit. */
export interface Measure {
  readonly unit: '/s' | 'µs' | 'ms' | 'B';
  of(sample: Sample): number;
}

const perSecond: Measure = { unit: '/s', of: ({ rate }) => rate };
/** Units per second of CPU of the side. */
export const perCpuSecond: Measure = { unit: '/s', of: ({ cpu }) => 1e6 / cpu };
/** CPU of the side and of its servers. */
export const allCpu: Measure = { unit: 'µs', of: ({ cpu, serverCpu = 0 }) => cpu + serverCpu };
export const serverCpu: Measure = { unit: 'µs', of: ({ serverCpu: used = Number.NaN }) => used };
export const serverCpuMs: Measure = { unit: 'ms', of: (sample) => serverCpu.of(sample) / 1_000 };
export const wal: Measure = { unit: 'B', of: ({ wal: bytes = Number.NaN }) => bytes };

/** The values of a side: medians of its rounds. */
export interface Result {
  readonly value: number;
  readonly cpu: number;
  readonly serverCpu?: number;
}

/** Limit of a ratio; of the value itself when nothing is compared. */
export interface Goal {
  readonly kind: 'at least' | 'at most';
  readonly limit: number;
}

export const atLeast = (limit: number): Goal => ({ kind: 'at least', limit });
export const atMost = (limit: number): Goal => ({ kind: 'at most', limit });
/** The goal "at most `times` times as slow", for rates. */
export const atMostSlower = (times: number): Goal => atLeast(1 / times);

/** The ratios of the rounds. */
export interface Ratio {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

/** One figure: our value, and that of the other side if there is one. */
export interface Figure {
  readonly kind: 'figure';
  readonly name: string;
  readonly unit: Measure['unit'];
  readonly ours: Result;
  readonly other?: { readonly name: string; readonly ratio: Ratio } & Result;
  readonly goal: Goal | undefined;
  readonly holds: boolean;
  /** Figures of one series are one row of the page. */
  readonly series?: string;
}

/** Percentiles of durations, in milliseconds. */
export interface Percentiles {
  readonly p10: number;
  readonly p50: number;
  readonly p99: number;
}

/** The durations of each side. */
export interface Distribution {
  readonly kind: 'distribution';
  readonly name: string;
  readonly sides: Readonly<Record<string, Percentiles>>;
}

/** A line of the output. */
export type Line = Figure | Distribution;

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] as number;

/** The nearest rank. */
export const percentiles = (durations: readonly number[]): Percentiles => {
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] as number;
  return { p10: at(0.1), p50: at(0.5), p99: at(0.99) };
};

const resultOf = (samples: Samples, measure: Measure): Result => {
  const servers = samples.flatMap(({ serverCpu: used }) => used ?? []);
  return {
    value: median(samples.map(measure.of)),
    cpu: median(samples.map(({ cpu }) => cpu)),
    ...(servers.length > 0 ? { serverCpu: median(servers) } : {}),
  };
};

/** An unknown value misses no goal: not every system tells the CPU of a server. */
const reaches = (value: number, goal: Goal | undefined): boolean =>
  goal === undefined || !(goal.kind === 'at least' ? value < goal.limit : value > goal.limit);

/** Compares the rounds of two sides. The median of the ratios counts. */
export const compared = (
  name: string,
  ours: Samples,
  otherName: string,
  others: Samples,
  goal?: Goal,
  measure: Measure = perSecond,
): Figure => {
  const ratios = ours.map((sample, round) => measure.of(sample) / measure.of(others[round] as Sample));
  const ratio = { median: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) };
  return {
    kind: 'figure',
    name,
    unit: measure.unit,
    ours: resultOf(ours, measure),
    other: { name: otherName, ratio, ...resultOf(others, measure) },
    goal,
    holds: reaches(ratio.median, goal),
  };
};

/** A figure without another side: the goal limits the value. */
export const alone = (name: string, samples: Samples, goal: Goal | undefined, measure: Measure): Figure => {
  const ours = resultOf(samples, measure);
  return { kind: 'figure', name, unit: measure.unit, ours, goal, holds: reaches(ours.value, goal) };
};
