import fc from 'fast-check';
import { historyArbitrary } from '../simulator/arbitrary.ts';
import type { History } from '../simulator/history.ts';
import { checkLaws, lawNames } from '../simulator/laws.ts';
import { simulate } from '../simulator/simulate.ts';
import type { Trace } from '../simulator/trace.ts';
import { addCounts, countTrace, type HistoryCounts, noCounts } from './count-trace.ts';

export interface ProveHistoriesOptions {
  /** The first batch has this seed, the next ones those after it. */
  readonly seed: number;
  /** Whether one more batch is tried; asked before each. */
  readonly goesOn: (histories: number) => boolean;
  /** Called after each batch. */
  readonly onBatch?: (histories: number) => void;
  /** Simulates a history. @defaultValue `simulate` */
  readonly run?: (history: History) => Promise<Trace>;
}

export interface ProvedHistories {
  readonly histories: number;
  /** The laws that each history was checked against. */
  readonly laws: number;
  /** The seeds of the batches: from the first to the last. */
  readonly seeds: readonly [first: number, last: number];
  readonly counts: HistoryCounts;
  /** The broken law, with the shortest history that breaks it, and the seed that finds it. Absent: none. */
  readonly broken?: string;
}

/** Histories of one batch, which has one seed. */
export const batchSize = 50;

/** Simulates random histories in batches, and checks every law on each. Ends with the first broken law. */
export const proveHistories = async ({
  seed,
  goesOn,
  onBatch,
  run = simulate,
}: ProveHistoriesOptions): Promise<ProvedHistories> => {
  let histories = 0;
  let batches = 0;
  let counts = noCounts;
  const figures = () => ({
    histories,
    laws: lawNames.length,
    seeds: [seed, seed + Math.max(batches - 1, 0)] as const,
    counts,
  });
  while (goesOn(histories)) {
    batches++;
    const property = fc.asyncProperty(historyArbitrary, async (history) => {
      const trace = await run(history);
      checkLaws(trace);
      histories++;
      counts = addCounts(counts, countTrace(trace));
    });
    const found = await fc.check(property, { seed: seed + batches - 1, numRuns: batchSize });
    if (found.failed) return { ...figures(), broken: `${found.errorInstance}\n${fc.defaultReportMessage(found)}` };
    onBatch?.(histories);
  }
  return figures();
};
