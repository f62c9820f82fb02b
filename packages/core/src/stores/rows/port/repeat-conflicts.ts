import type { Clock } from '../../../base/runtime/clock.ts';
import type { DurationMs } from '../../../base/runtime/time.ts';

/** How often a transaction runs before its conflict counts as an error. */
const maxTries = 40;
/** The longest pause between two tries. */
const longestPause: DurationMs = 64;

/** Pauses that began in this process: each has another length, so that losers do not meet again. */
let begun = 0;
const goldenRatio = 0.618;

/** Between half of the usual pause and one and a half of it. */
const pauseAfter = (nth: number): DurationMs =>
  Math.min(2 ** (nth - 1), longestPause) * (0.5 + ((begun++ * goldenRatio) % 1));

const never = new AbortController().signal;

/**
 * How work is repeated; see {@link repeatConflicts}.
 * @public
 */
export interface Repetition {
  /** Waits between tries. */
  readonly clock: Pick<Clock, 'sleep'>;
  /** Whether the database undid the transaction because of another one. */
  isConflict(cause: unknown): boolean;
  /** Ends the repetition. @defaultValue never */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a transaction again, from its start, after each conflict with another one: at most 40 times, after pauses of
 * about 1, 2, 4, up to 64 milliseconds. Rejects with any other error, and with the conflict of the last try. For stores
 * on SQL.
 * @example
 * const isConflict = (cause: unknown) => (cause as { code?: string }).code === '40001';
 * const transfer = async () => 'done'; // begin, statements, commit
 * await repeatConflicts(transfer, { clock: systemClock, isConflict });
 * @public
 */
export const repeatConflicts = async <T>(
  transaction: () => Promise<T>,
  { clock, isConflict, signal = never }: Repetition,
): Promise<T> => {
  for (let nth = 1; ; nth++) {
    try {
      return await transaction();
    } catch (cause) {
      if (nth === maxTries || signal.aborted || !isConflict(cause)) throw cause;
    }
    await clock.sleep(pauseAfter(nth), signal);
    signal.throwIfAborted();
  }
};
