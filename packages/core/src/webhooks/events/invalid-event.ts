import type { Failure, WrongField } from '../../base/runtime/failure.ts';
import { maxErrors, pointerOf } from '../../base/runtime/read-input.ts';

/**
 * An event fits no object of the kit, its schema or the rules of its fields. `message` names the field and what to
 * change, or has the messages of your schema; only these can quote a value.
 * @public
 */
export interface InvalidEvent extends Failure<'invalid_event'> {
  /** Every wrong field, at most 32, by its pointer in the event, such as `/data/amount`. Empty: all of the event. */
  readonly errors: readonly [WrongField, ...WrongField[]];
}

/** A wrong field: its path in the event, and the rule that it breaks. */
export interface WrongPart {
  readonly path: readonly PropertyKey[];
  readonly detail: string;
}

const textOf = ({ path, detail }: WrongPart): string => `${path.map(String).join('.') || 'event'}: ${detail}`;
const fieldOf = ({ path, detail }: WrongPart): WrongField => ({ pointer: pointerOf(path), detail });

/** Refuses fields of an event; without a path, the whole event. */
export const invalidEvent = (first: WrongPart, ...more: readonly WrongPart[]): InvalidEvent => ({
  code: 'invalid_event',
  message: [first, ...more].map(textOf).join('; '),
  errors: [fieldOf(first), ...more.slice(0, maxErrors - 1).map(fieldOf)],
});

/** Refuses a call whose event is not to blame, such as one with an unknown option. */
export const invalidCall = (message: string): InvalidEvent => ({
  code: 'invalid_event',
  message,
  errors: [{ pointer: '', detail: message }],
});
