import { err, ok, type Result } from '#result';
import { isObject } from '../../base/runtime/is-object.ts';
import type { CommandRefusal } from '../record/refusal.ts';
import type { CommandRule } from './define-kind.ts';

/** The paths that a change gives and a state does not allow. A path allows what is below it. */
const refusedIn = (given: object, allowed: readonly string[], prefix = ''): readonly string[] =>
  Object.entries(given).flatMap(([name, value]) => {
    const path = prefix + name;
    if (value === undefined || allowed.includes(path)) return [];
    const hasAllowed = allowed.some((each) => each.startsWith(`${path}.`));
    return hasAllowed && isObject(value) ? refusedIn(value, allowed, `${path}.`) : [path];
  });

/** What an object that has ended can still change: nothing that was agreed depends on it. */
export const changesAfterEnd = ['recipient.name', 'recipient.phone', 'reference', 'metadata'];

const maxNamed = 8;

/**
 * Returns `wrong_state`, with the names of the fields, when a change gives a field that the state does not allow it to
 * change.
 */
export const mayChange = (
  { only = {} }: Pick<CommandRule, 'only'>,
  state: string,
  given: unknown,
): Result<void, CommandRefusal> => {
  const allowed = Object.hasOwn(only, state) ? only[state] : undefined;
  const refused = allowed && isObject(given) ? refusedIn(given, allowed) : [];
  if (!allowed || refused.length === 0) return ok(undefined);
  const named = `${refused.slice(0, maxNamed).join(', ')}${refused.length > maxNamed ? ' and others' : ''}`;
  const message = `It is ${state}: ${named} cannot be changed. While it is ${state}, these can: ${allowed.join(', ')}.`;
  return err({ code: 'wrong_state', message });
};
