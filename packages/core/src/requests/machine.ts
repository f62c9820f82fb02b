import { err, ok, type Result } from 'neverthrow';
import type { EventType, ObjectName } from '../catalogue/catalogue.ts';
import type { Refusal } from './refusal.ts';

/**
 * Who may give a command: a partner over HTTP (and the host for it, in process), or the host alone. What is by `rule` follows from another
 * command and is given by nobody.
 * @public
 */
export type Actor = 'partner' | 'host' | 'rule';

/**
 * One command of a state machine, as data.
 * @public
 */
export interface Rule<S extends string = string, N extends ObjectName = ObjectName> {
  readonly by: Actor;
  /** The states in which it may be given. Empty: it makes the object. */
  readonly from: readonly S[];
  /** The state that it leads to. Absent: the state stays. */
  readonly to?: S;
  /** The type of the event that says it happened. */
  readonly event: EventType<N>;
  /** What must hold beside the state, in words. */
  readonly unless?: string;
  /** For a part of another object: the states that this must be in. */
  readonly within?: readonly string[];
  /** For a part of another object: the command of that which follows, where its state allows it. */
  readonly follows?: string;
}

/**
 * The states of an object and the commands between them.
 * @public
 */
export interface Machine<N extends ObjectName = ObjectName, S extends string = string, C extends string = string> {
  /** What its events are about. */
  readonly objectName: N;
  readonly states: readonly S[];
  readonly commands: Readonly<Record<C, Rule<S, N>>>;
}

/** @internal */
export const machine = <N extends ObjectName, const S extends string, C extends string>(
  objectName: N,
  states: readonly S[],
  commands: Readonly<Record<C, Rule<NoInfer<S>, NoInfer<N>>>>,
): Machine<N, S, C> => ({ objectName, states, commands });

/** The state after a command, or why it may not be given. @internal */
export const nextState = <S extends string, C extends string>(
  { commands }: Machine<ObjectName, S, C>,
  state: S,
  command: C,
): Result<S, Refusal> => {
  const { from, to } = commands[command];
  if (from.includes(state)) return ok(to ?? state);
  return err({ code: 'wrong_state', detail: `It is ${state}; that can be done while it is ${from.join(' or ')}.` });
};
