import { assertOptionNames } from '../runtime/option-names.ts';
import { type DurationMs, minute } from '../runtime/time.ts';

/**
 * How a worker divides its slots.
 * @public
 */
export interface WorkerOptions {
  /** Slots: how many POSTs are in flight at once. @defaultValue 64 */
  readonly concurrency?: number;
  /** At most so many in flight to one endpoint, over all workers. @defaultValue 8 */
  readonly perEndpoint?: number;
  /** At most so many slots of this worker for one account. @defaultValue a quarter of `concurrency` */
  readonly perAccount?: number;
  /** How often an idle worker looks by itself, in milliseconds; what this process or the storage tells it of wakes it at once. @defaultValue 250 */
  readonly pollEvery?: DurationMs;
  /** About how often it drops what is too old, and looks for what other workers left behind, in milliseconds. @defaultValue 60000 */
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
  if (!Number.isSafeInteger(value) || value < 1) throw new TypeError(`worker: ${name} must be a whole number from 1.`);
  return value;
};

/** All of them, those that were left out by their defaults. @throws TypeError that names the wrong one. @internal */
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
