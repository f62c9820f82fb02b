import { ok, type Result } from 'neverthrow';
import type { z } from 'zod';
import type { EventType, ObjectName } from '../catalogue/specification.ts';
import type { Actor } from '../signals/actor.ts';
import { allows, type Machine } from './machine.ts';
import type { Context, Reason, StoredRecord } from './record.ts';
import type { Refusal } from './refusal.ts';

/** The input of a command, and what it changes beside the state. @internal */
export interface Action<R, S extends z.ZodType = z.ZodType, X = Context> {
  /** The schema of the input. */
  readonly input: S;
  /**
   * Changes the record. Where the machine names several states, it also sets the state. Absent: nothing more changes.
   */
  readonly apply?: (current: R, input: z.output<S>, context: X) => Result<R, Refusal>;
}

/** Types an action by its schema. @internal */
export const action =
  <R, X = Context>() =>
  <S extends z.ZodType>(input: S, apply?: Action<R, S, X>['apply']): Action<R, S, X> =>
    apply ? { input, apply } : { input };

/** An object after a command, or after a rule that followed. @internal */
export interface Step<R> {
  /** The command's name. */
  readonly command: string;
  /** The type of its event. */
  readonly event: EventType;
  /** The object afterwards. */
  readonly record: R;
  /** Who gave it. */
  readonly by: Actor;
  /** Why it was given. */
  readonly reason?: Reason | undefined;
}

const reasonOf = (input: unknown): Reason | undefined => (input as { readonly reason?: Reason } | undefined)?.reason;

/**
 * Applies one command with valid input: the machine decides whether the state allows it, the action what changes.
 * Returns `undefined` for a change that changes nothing.
 * @internal
 */
export const takeStep = <R extends StoredRecord<S>, S extends string, C extends string, X extends Context>(
  machine: Machine<ObjectName, S, C>,
  // biome-ignore lint/suspicious/noExplicitAny: each action knows its own input; that it is the right one was checked
  apply: Action<R, any, X>['apply'],
  current: R,
  { command, input, context }: { readonly command: C; readonly input: unknown; readonly context: X },
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
