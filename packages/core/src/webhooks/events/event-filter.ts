import { err, ok, type Result } from '#result';
import { type InvalidInput, invalidField } from '../../base/runtime/failure.ts';
import { isIdentifier } from '../../base/runtime/text.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import { timeProblem } from '../../base/runtime/time-problem.ts';
import type { EventPairs } from '../catalogue/pairs.ts';
import type { ObjectName } from '../catalogue/specification.ts';

/**
 * A filter of events: all given fields must match.
 * @public
 */
export interface EventFilter<P extends EventPairs = EventPairs> {
  /** The kind of the object. */
  readonly objectName?: ObjectName<P>;
  /** `data.id`. */
  readonly objectId?: string;
  /** The event type. */
  readonly type?: P[ObjectName<P>];
  /** Published at or after this time, by the clock of the publishing process. */
  readonly from?: EpochMs;
  /** Published before this time. */
  readonly to?: EpochMs;
}

export const eventFilterNames: Readonly<Record<keyof EventFilter, true>> = {
  objectName: true,
  objectId: true,
  type: true,
  from: true,
  to: true,
};

/** Checks the times of a filter or of a range. */
export const checkTimes = (times: { readonly from: number; readonly to: number }): Result<undefined, InvalidInput> => {
  for (const [name, at] of Object.entries(times)) {
    const problem = timeProblem(at);
    if (problem !== undefined) return err(invalidField(name, problem));
  }
  return ok(undefined);
};

/** Checks the texts of a filter: they come from the host's screens, and no database stores every text. */
export const checkTexts = (texts: Readonly<Record<string, string | undefined>>): Result<undefined, InvalidInput> => {
  const wrong = Object.entries(texts).find(([, text]) => text !== undefined && !isIdentifier(text));
  return wrong ? err(invalidField(wrong[0], '1 to 256 bytes of text without control characters.')) : ok(undefined);
};

export const checkEventFilter = (filter: EventFilter<EventPairs>): Result<undefined, InvalidInput> => {
  const { objectName, objectId, type, from = 0, to = 0 } = filter;
  return checkTexts({ objectName, objectId, type }).andThen(() => checkTimes({ from, to }));
};
