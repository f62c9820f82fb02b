import { ok, type Result } from 'neverthrow';
import type { z } from 'zod';
import type { EventType, ObjectName } from '../catalogue/catalogue.ts';
import type { Actor } from './actor.ts';
import { allows, type Machine } from './machine.ts';
import type { Context, Reason, StoredRecord } from './record.ts';
import type { Refusal } from './refusal.ts';

/** What a command takes, and what it does beside changing the state. @internal */
export interface Action<R, S extends z.ZodType = z.ZodType, X = Context> {
  readonly input: S;
  /** Absent: nothing more. Where the machine names several states, it returns the record in one of them. */
  readonly apply?: (current: R, input: z.output<S>, context: X) => Result<R, Refusal>;
}

/** Types an action by its schema. @internal */
export const action =
  <R, X = Context>() =>
  <S extends z.ZodType>(input: S, apply?: Action<R, S, X>['apply']): Action<R, S, X> =>
    apply ? { input, apply } : { input };

/** An object as it is after a command, or after a rule that followed. @internal */
export interface Step<R> {
  readonly command: string;
  readonly event: EventType;
  readonly record: R;
  readonly by: Actor;
  readonly reason?: Reason | undefined;
}

const reasonOf = (input: unknown): Reason | undefined => (input as { readonly reason?: Reason } | undefined)?.reason;

/**
 * Gives one command, whose input was checked: the machine decides whether it may be given, the action what it changes. `undefined`: it
 * was a change that changes nothing.
 * @internal
 */
export const takeStep = <R extends StoredRecord<S>, S extends string, C extends string, X extends Context>(
  machine: Machine<ObjectName, S, C>,
  // biome-ignore lint/suspicious/noExplicitAny: each action knows its own input; that it is the right one was checked
  apply: Action<R, any, X>['apply'],
  current: R,
  command: C,
  input: unknown,
  context: X,
): Result<Step<R> | undefined, Refusal> =>
  allows(machine, current.status, command).andThen(({ to, event }) =>
    (apply ? apply(current, input, context) : ok<R, Refusal>(current)).map((changed) => {
      if (command === 'change' && changed === current) return undefined;
      const { reason: _before, ...rest } = changed;
      const reason = reasonOf(input);
      const record = {
        ...rest,
        ...(reason ? { reason } : {}),
        status: typeof to === 'string' ? to : changed.status,
        updatedAt: context.now,
        updatedBy: context.actor,
        version: current.version + 1,
      } as R;
      return { command, event, record, by: context.actor, reason };
    }),
  );
