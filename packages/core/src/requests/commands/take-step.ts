import { err, ok, type Result } from '#result';
import type { Actor } from '../../base/signals/actor.ts';
import type { EventType } from '../../webhooks/catalogue/specification.ts';
import type { RequestTransaction } from '../books/transaction.ts';
import type { ReportedChargeback } from '../fields/chargeback.ts';
import { type Evidence, evidenceOf } from '../fields/evidence.ts';
import type { Command, RequestKind } from '../kinds/define-kind.ts';
import { mayChange } from '../kinds/may-change.ts';
import type { CommandContext, CommandReason, StoredRequest } from '../record/record.ts';
import type { CommandRefusal } from '../record/refusal.ts';
import type { StoredTransaction } from '../stores/transaction-store.ts';
import { moveMoney, namesTime } from './move-money.ts';

/** An object after a command, or after a rule that followed. */
export interface Step<R extends StoredRequest = StoredRequest> {
  /** The command's name. */
  readonly command: string;
  /** The type of its event. */
  readonly event: EventType;
  /** The object afterwards. */
  readonly record: R;
  /** Who gave it. */
  readonly by: Actor;
  /** Why it was given. */
  readonly reason?: CommandReason | undefined;
  /** The transaction that it recorded. */
  readonly transaction?: RequestTransaction | undefined;
  /** What its row has beside it. */
  readonly row?: Pick<StoredTransaction, 'number' | 'isTimed'> | undefined;
  /** What proves it. */
  readonly evidence?: readonly Evidence[] | undefined;
  /** What it reported of a chargeback. */
  readonly chargeback?: ReportedChargeback | undefined;
}

/** Why a command is given: as its input says, or as its rule does. */
export const reasonOf = (
  input: unknown,
  { reasonCode: code }: Pick<Command, 'reasonCode'>,
): CommandReason | undefined =>
  (input as { readonly reason?: CommandReason } | undefined)?.reason ?? (code === undefined ? undefined : { code });

/** What an input records beside its object. */
const besideOf = (input: unknown): Pick<Step, 'evidence' | 'chargeback'> => ({
  evidence: evidenceOf(input),
  chargeback: (input as { readonly chargeback?: ReportedChargeback } | undefined)?.chargeback,
});

/** Returns the command, or `wrong_state` when the state does not allow it, or a field of its input. */
export const allowed = (
  { commands }: RequestKind,
  state: string,
  name: string,
  input: unknown = {},
): Result<Command, CommandRefusal> => {
  const command = commands[name] as Command;
  if (command.from.includes(state)) return mayChange(command, state, input).map(() => command);
  return err({
    code: 'wrong_state',
    message: `It is ${state}; that can be done while it is ${command.from.join(' or ')}.`,
  });
};

/**
 * Applies one command with valid input: its rule says whether the state allows it, `money` what it moves, `apply` what
 * else changes. Returns `undefined` for a change that changes nothing, and for a command that leads to the object's
 * own state.
 */
export const takeStep = (
  kind: RequestKind,
  current: StoredRequest,
  { command, input, context }: { readonly command: string; readonly input: unknown; readonly context: CommandContext },
): Result<Step | undefined, CommandRefusal> =>
  allowed(kind, current.status, command, input).andThen((given) =>
    moveMoney(kind, given, { current, input, context }).andThen(({ record: moved, transaction }) =>
      (given.apply?.(moved, input, context) ?? ok<StoredRequest, CommandRefusal>(moved)).map((changed) => {
        const leadsNowhere = command === 'change' || given.skipsUnchanged || given.to === current.status;
        if (leadsNowhere && changed === current) return undefined;
        const rule = { ...given, ...given.instead?.(changed, context) };
        const { to, event } = rule;
        const { reason: _before, ...rest } = changed;
        const reason = reasonOf(input, rule);
        const by = context.actor;
        const row = transaction && { number: context.movement?.number ?? 1, isTimed: namesTime(input) };
        const record = {
          ...rest,
          ...(reason ? { reason } : {}),
          status: typeof to === 'string' ? to : changed.status,
          updatedAt: context.now,
          updatedBy: context.actor,
          version: current.version + 1,
        };
        return { command, event, record, by, reason, transaction, row, ...besideOf(input) };
      }),
    ),
  );
