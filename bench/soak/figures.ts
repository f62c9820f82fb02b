import type { Books } from './books.ts';
import type { Sample } from './samples.ts';
import type { StorageKind } from './stores.ts';

/** The figures of a soak. */
export interface Soaked {
  readonly books: Readonly<Record<StorageKind, Books>>;
  /** What partners asked the hosts for, with the status of the answer. */
  readonly answers: Readonly<Record<string, number>>;
  readonly acts: Readonly<Record<string, number>>;
  /** Events that the handler of a receiver with seen keys got more than once. */
  readonly handledAgain: number;
  readonly plantedSecrets: number;
  readonly samples: readonly Sample[];
  /** What else is to be known of this run. */
  readonly remark?: string;
  /** Absent: every book balances. */
  readonly broken?: readonly string[];
}
