import type { ObjectName } from '../../webhooks/catalogue/specification.ts';
import { forEachKind, type RequestKindName } from '../record/names.ts';
import { kinds } from './all.ts';
import type { CommandRule, RequestKind } from './define-kind.ts';

/**
 * The states of a kind of objects and its commands, as data.
 * @public
 */
export interface RequestMachine {
  /** The `objectName` of its events. */
  readonly objectName: ObjectName;
  /** All states. */
  readonly states: readonly string[];
  /** The rule of each command, by name. `create` has no state in `from`. */
  readonly commands: Readonly<Record<string, CommandRule>>;
}

/** The rules of all commands of a kind, `create` first. */
export const rulesOf = ({ create, commands }: RequestKind): Readonly<Record<string, CommandRule>> => ({
  create: { ...create, from: [] },
  ...commands,
});

/** The state machine of each kind. @public */
export const requestMachines: Readonly<Record<RequestKindName, RequestMachine>> = forEachKind((name) => {
  const kind: RequestKind = kinds[name];
  return { objectName: kind.objectName, states: kind.states, commands: rulesOf(kind) };
});
