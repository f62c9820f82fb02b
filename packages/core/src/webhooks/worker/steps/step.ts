import type { Clock } from '../../../base/runtime/clock.ts';
import { isOutcomeUnknown } from '../../../base/runtime/port-limit.ts';
import type { Random } from '../../../base/runtime/random.ts';
import type { DurationMs } from '../../../base/runtime/time.ts';
import type { Observer } from '../../../base/signals/listener.ts';
import type { Attempts } from '../attempts/attempt.ts';
import type { During } from '../context/error-reports.ts';
import type { Rules } from '../context/rules.ts';
import type { NoteDispatched } from '../context/unknown-accounts.ts';
import type { WorkerErrors } from '../context/worker-errors.ts';
import type { WorkerStores } from '../context/worker-stores.ts';
import type { Memory } from '../memory/memory.ts';

/** What the steps of a session work with. */
export interface StepContext {
  /** The id of the session in the store. */
  readonly workerId: string;
  readonly memory: Memory;
  readonly stores: WorkerStores;
  readonly rules: Rules;
  readonly attempts: Attempts;
  readonly errors: WorkerErrors;
  readonly clock: Clock;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  readonly random: Random;
  /** Receives signals. `undefined`: no listener. */
  readonly observe: Observer | undefined;
  /** Receives the events of each dispatch. */
  readonly noteDispatched: NoteDispatched | undefined;
  /** Deliveries to handlers were made. */
  readonly wakeHandlers: () => void;
  /** The delay after attempt 1, 2, …. */
  readonly retries: readonly DurationMs[];
  /** Maximum duration of an attempt. */
  readonly deadline: DurationMs;
  readonly lease: DurationMs;
  readonly perEndpoint: number;
  /** Aborts when the session ends. */
  readonly ended: AbortSignal;
}

/** What a step did. */
export interface Did {
  /** The amount of work, such as the number of rows. */
  readonly did: number;
}

/**
 * Why a step did nothing. It was signalled.
 *
 * - `fenced`: the worker's row was deleted.
 * - `lost`: a write was given up, and whether it takes effect, or will, is unknown; or the store lost commits.
 * - `unavailable`: the storage failed.
 */
export type StepFailure = 'fenced' | 'lost' | 'unavailable';

export const nothing: Did = { did: 0 };

/** Calls a store on behalf of a step. */
export const callStore = async <T>(
  { errors }: Pick<StepContext, 'errors'>,
  during: During,
  call: () => Promise<T>,
): Promise<T | 'lost' | 'unavailable'> => {
  try {
    return await call();
  } catch (cause) {
    errors.noteStorage(during, cause);
    return isOutcomeUnknown(cause) ? 'lost' : 'unavailable';
  }
};

/** Whether a call of a store did not end as it should. */
export const hasFailed = (result: unknown): result is StepFailure =>
  result === 'fenced' || result === 'lost' || result === 'unavailable';
