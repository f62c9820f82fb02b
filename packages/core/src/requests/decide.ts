import { ok, type Result } from 'neverthrow';
import type { z } from 'zod';
import type { EventType, ObjectName } from '../catalogue/catalogue.ts';
import type { EpochMs } from '../runtime/time.ts';
import { type Machine, nextState } from './machine.ts';
import type { Context } from './record.ts';
import type { Refusal } from './refusal.ts';

/** What a command takes, and what it does beside changing the state. @internal */
export interface Action<T, S extends z.ZodType = z.ZodType, X = Context> {
  readonly input: S;
  /** Absent: nothing more. */
  readonly apply?: (held: T, input: z.output<S>, context: X) => Result<T, Refusal>;
}

/** Types an action by its schema. @internal */
export const action =
  <T, X = Context>() =>
  <S extends z.ZodType>(input: S, apply?: Action<T, S, X>['apply']): Action<T, S, X> =>
    apply ? { input, apply } : { input };

/** An object as it is after an event. A command takes one step or more. @internal */
export interface Step<T> {
  readonly event: EventType;
  readonly record: T;
}

/** What every decision is about. */
interface Stateful<S extends string> {
  readonly status: S;
  readonly updatedAt: EpochMs;
}

/** Takes one command, whose input was checked: the machine decides whether it may be given, the action what it changes. @internal */
export const step = <T extends Stateful<S>, S extends string, C extends string, X extends Context>(
  machine: Machine<ObjectName, S, C>,
  // biome-ignore lint/suspicious/noExplicitAny: each action knows its own input; that it is the right one was checked
  apply: Action<T, any, X>['apply'],
  held: T,
  command: C,
  input: unknown,
  context: X,
): Result<Step<T>, Refusal> =>
  nextState(machine, held.status, command).andThen((status) =>
    (apply ? apply(held, input, context) : ok<T, Refusal>(held)).map((changed) => ({
      event: machine.commands[command].event,
      record: { ...changed, status, updatedAt: context.now },
    })),
  );
