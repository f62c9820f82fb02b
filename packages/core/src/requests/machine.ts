import { err, ok, type Result } from 'neverthrow';
import type { EventType, ObjectName } from '../catalogue/catalogue.ts';
import type { Refusal } from './refusal.ts';

/**
 * Who may give a command: a partner over HTTP (and the host, in process), or the host alone.
 * @public
 */
export type GivenBy = 'partner' | 'host';

/**
 * One command of a state machine, as data.
 * @public
 */
export interface Rule<S extends string = string, N extends ObjectName = ObjectName> {
  readonly by: GivenBy;
  /** The states in which it may be given. Empty: it creates the object. */
  readonly from: readonly S[];
  /** The state that it leads to. Several: the input decides. Absent: the state stays. */
  readonly to?: S | readonly S[];
  /** The type of the event that says it happened. */
  readonly event: EventType<N>;
  /** What refuses it although the state allows it, in words. */
  readonly unless?: string;
  /** For a cash-out: the states that its deposit must be in. */
  readonly within?: readonly string[];
  /** For a cash-out: the command of its deposit that follows by rule, where the deposit allows it. */
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

/** Whether the state allows a command. @internal */
export const allows = <S extends string, C extends string>(
  { commands }: Machine<ObjectName, S, C>,
  state: S,
  command: C,
): Result<Rule<S>, Refusal> => {
  const rule = commands[command];
  if (rule.from.includes(state)) return ok(rule);
  return err({
    code: 'wrong_state',
    detail: `It is ${state}; that can be done while it is ${rule.from.join(' or ')}.`,
  });
};
