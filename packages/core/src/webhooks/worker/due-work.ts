import type { WorkerErrors } from './context/worker-errors.ts';

/** The commands that objects wait for, as a worker gives them. */
export interface DueWork {
  /**
   * Begins to give due commands, as far as there is room. Resolves to whether more may be due. Begins none once
   * `stopped` aborts, and leaves what it has claimed by then to other workers.
   */
  turn(errors: Pick<WorkerErrors, 'note' | 'noteStorage'>, stopped: AbortSignal): Promise<boolean>;
  /** Resolves when none is being given. */
  idle(): Promise<void>;
  /** The number of commands that were given. */
  given(): number;
}
