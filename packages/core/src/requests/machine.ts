import { err, ok, type Result } from 'neverthrow';
import type { EventType, ObjectName } from '../catalogue/specification.ts';
import type { Refusal } from './refusal.ts';

/** Who gives a command: `partner` over HTTP (the host may, too, in process), or `host` alone, in process. @public */
export type GivenBy = 'partner' | 'host';

/**
 * One command of a state machine, as data.
 * @public
 */
export interface Rule<S extends string = string, N extends ObjectName = ObjectName> {
  /** Who gives it. */
  readonly by: GivenBy;
  /** The states that allow it. Empty: the command creates the object. */
  readonly from: readonly S[];
  /** The state it leads to. Several: the input decides which. Absent: the state stays. */
  readonly to?: S | readonly S[];
  /** The type of the event that it publishes. */
  readonly event: EventType<N>;
  /** The rule that refuses it although the state allows it, in words. @defaultValue none */
  readonly unless?: string;
  /** The codes of that rule. @defaultValue none */
  readonly refuses?: readonly Refusal['code'][];
  /** Cash-outs only: the states of the deposit that allow it. */
  readonly within?: readonly string[];
  /** Cash-outs only: the command of the deposit that follows by rule, where the deposit allows it. */
  readonly follows?: string;
}

/**
 * The states of an object and its commands.
 * @public
 */
export interface Machine<N extends ObjectName = ObjectName, S extends string = string, C extends string = string> {
  /** The `objectName` of its events. */
  readonly objectName: N;
  /** All states. */
  readonly states: readonly S[];
  /** Each command by name. */
  readonly commands: Readonly<Record<C, Rule<S, N>>>;
}

/** Types a machine by its states and commands. @internal */
export const machine = <N extends ObjectName, const S extends string, C extends string>(
  objectName: N,
  states: readonly S[],
  commands: Readonly<Record<C, Rule<NoInfer<S>, NoInfer<N>>>>,
): Machine<N, S, C> => ({ objectName, states, commands });

/** Returns the rule of a command, or `wrong_state` when the state does not allow it. @internal */
export const allows = <S extends string, C extends string>(
  { commands }: Machine<ObjectName, S, C>,
  state: S,
  command: C,
): Result<Rule<S>, Refusal> => {
  const rule = commands[command];
  if (rule.from.includes(state)) return ok(rule);
  return err({
    code: 'wrong_state',
    message: `It is ${state}; that can be done while it is ${rule.from.join(' or ')}.`,
  });
};
