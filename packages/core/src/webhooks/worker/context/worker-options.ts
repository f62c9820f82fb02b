import { assertOptionNames } from '../../../base/runtime/option-names.ts';
import { assertPositiveInteger } from '../../../base/runtime/positive-integer.ts';
import { type DurationMs, minute } from '../../../base/runtime/time.ts';

/**
 * Limits and intervals of a worker. Every number is a whole number from 1.
 * @public
 */
export interface WorkerOptions {
  /** Maximum number of POSTs in flight. @defaultValue 64 */
  readonly concurrency?: number;
  /** Maximum number of POSTs in flight to one endpoint, over all workers. @defaultValue 8 */
  readonly perEndpoint?: number;
  /** Maximum number of POSTs in flight for one account. @defaultValue a quarter of `concurrency` */
  readonly perAccount?: number;
  /**
   * Poll interval of an idle worker, in milliseconds. Events published in this process or reported by the storage wake
   * it at once.
   * @defaultValue 250
   */
  readonly pollEvery?: DurationMs;
  /**
   * Approximate interval of pruning, and of looking for events to propagate that other workers left, in milliseconds.
   * @defaultValue 60000
   */
  readonly pruneEvery?: DurationMs;
}

const names: Readonly<Record<keyof WorkerOptions, true>> = {
  concurrency: true,
  perEndpoint: true,
  perAccount: true,
  pollEvery: true,
  pruneEvery: true,
};

const wholeNumber = (name: string, value: number): number => {
  assertPositiveInteger(`worker: ${name}`, value);
  return value;
};

/** The options with their defaults. @throws TypeError that names the wrong option. */
export const readWorkerOptions = (options: WorkerOptions): Required<WorkerOptions> => {
  assertOptionNames('worker', options, names);
  const concurrency = wholeNumber('concurrency', options.concurrency ?? 64);
  return {
    concurrency,
    perEndpoint: wholeNumber('perEndpoint', options.perEndpoint ?? 8),
    perAccount: wholeNumber('perAccount', options.perAccount ?? Math.max(1, Math.floor(concurrency / 4))),
    pollEvery: wholeNumber('pollEvery', options.pollEvery ?? 250),
    pruneEvery: wholeNumber('pruneEvery', options.pruneEvery ?? minute),
  };
};
