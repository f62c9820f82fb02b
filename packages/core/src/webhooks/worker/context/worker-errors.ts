import type { Clock } from '../../../base/runtime/clock.ts';
import type { EpochMs } from '../../../base/runtime/time.ts';
import type { During, ReportError } from './error-reports.ts';

interface StorageError {
  readonly cause: unknown;
  readonly at: EpochMs;
}

/** The errors of a worker, which continues after them. */
export interface WorkerErrors {
  /** Reports an error. */
  note(during: During, cause: unknown): void;
  /** Reports an error of the storage. */
  noteStorage(during: During, cause: unknown): void;
  /** Whether the storage failed since the last `forget`. */
  hasFailed(): boolean;
  /** The storage is tried again. */
  forget(): void;
  /** The last error of the storage. */
  last(): StorageError | undefined;
}

export const createWorkerErrors = (clock: Clock, report: ReportError): WorkerErrors => {
  let last: StorageError | undefined;
  let hasFailed = false;
  return {
    note: report,
    noteStorage: (during, cause) => {
      hasFailed = true;
      last = { cause, at: clock.now() };
      report(during, cause);
    },
    hasFailed: () => hasFailed,
    forget: () => {
      hasFailed = false;
    },
    last: () => last,
  };
};
