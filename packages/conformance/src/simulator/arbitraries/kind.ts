import type { DurationMs } from '@partnerkit/core';
import fc from 'fast-check';
import type { ScriptedAnswer, ScriptedFault } from '../history.ts';

/** A list whose length does not depend on the size of the run. */
export const list = <T>(of: fc.Arbitrary<T>, min: number, max: number): fc.Arbitrary<T[]> =>
  fc.array(of, { minLength: min, maxLength: max, size: 'max' });

/** The settings of one kind of histories. */
export interface Kind {
  readonly lasts: fc.Arbitrary<DurationMs>;
  /** The times of events. */
  readonly moment: fc.Arbitrary<DurationMs>;
  readonly answers: fc.Arbitrary<readonly ScriptedAnswer[]>;
  readonly afterwards: fc.Arbitrary<ScriptedAnswer>;
  readonly slowness: fc.Arbitrary<DurationMs>;
  readonly transactions: { readonly max: number; readonly events: number };
  /** Maximum number of objects of an account. Default: 3. */
  readonly objects?: number;
  readonly acts: number;
  readonly faultCount: number;
  /** Maximum number of machines that join or leave, besides faults. */
  readonly moves?: number;
  /** Attempts in flight per worker. Default: few or many. */
  readonly concurrency?: fc.Arbitrary<number>;
  /** Acts of operators. Default: a mix of all. */
  readonly actKinds?: fc.Arbitrary<'replay' | 'send again' | 'cancel' | 'send test' | 'resume' | 'move'>;
  /** Faults. Default: a mix of all. */
  readonly faults?: fc.Arbitrary<ScriptedFault[]>;
}
