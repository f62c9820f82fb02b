import type { DurationMs } from '@partnerkit/core';
import fc from 'fast-check';
import type { ScriptedAnswer, ScriptedFault } from '../history.ts';

/** A list that is as often long as short, whatever size the run has. @internal */
export const list = <T>(of: fc.Arbitrary<T>, min: number, max: number): fc.Arbitrary<T[]> =>
  fc.array(of, { minLength: min, maxLength: max, size: 'max' });

/** How the histories of one kind differ from others. @internal */
export interface Kind {
  readonly lasts: fc.Arbitrary<DurationMs>;
  /** When things happen. */
  readonly moment: fc.Arbitrary<DurationMs>;
  readonly answers: fc.Arbitrary<readonly ScriptedAnswer[]>;
  readonly afterwards: fc.Arbitrary<ScriptedAnswer>;
  readonly slowness: fc.Arbitrary<DurationMs>;
  readonly transactions: { readonly max: number; readonly events: number };
  /** How many objects an account has at most: 3, unless it is said. */
  readonly objects?: number;
  readonly acts: number;
  readonly troubles: number;
  /** How many machines come or go at most, beside the troubles. */
  readonly moves?: number;
  /** How many attempts of a worker may be in flight: few or many, unless it is said. */
  readonly concurrency?: fc.Arbitrary<number>;
  /** What operators do instead of a bit of everything. */
  readonly deeds?: fc.Arbitrary<'replay' | 'send again' | 'cancel'>;
  /** What goes wrong instead of a bit of everything. */
  readonly faults?: fc.Arbitrary<ScriptedFault[]>;
}
