import { err, ok, type Result } from '#result';
import type { Actor } from '../../base/signals/actor.ts';
import { historyEntry } from '../fields/history.ts';
import type { CommandRule, Parent } from '../kinds/define-kind.ts';
import type { CommandContext, StoredRequest } from '../record/record.ts';
import type { CommandRefusal } from '../record/refusal.ts';
import { type Effects, recordedBy, type ServedKind, storedTransaction } from './effects.ts';
import { bookInParent } from './move-money.ts';
import { type Step, takeStep } from './take-step.ts';

/** Returns `wrong_state` when the state of the deposit does not allow a command on its cash-out. */
export const allowsWithin = (
  deposit: StoredRequest,
  { within: states = [] }: Pick<CommandRule, 'within'>,
): Result<StoredRequest, CommandRefusal> =>
  states.includes(deposit.status)
    ? ok(deposit)
    : err({
        code: 'wrong_state',
        message: `The deposit is ${deposit.status}; that can be done while it is ${states.join(' or ')}.`,
      });

/** A step on a cash-out, which the deposit's command may follow. */
interface Followed {
  readonly step: Step;
  readonly rule: Pick<CommandRule, 'follows'>;
  readonly context: Omit<CommandContext, 'isConditional'>;
}

/** The deposit's command that follows by rule, where its state and its other cash-outs allow it. */
const followUp = (
  { kind, mayFollow }: Parent,
  deposit: StoredRequest,
  { step: { command, reason }, rule: { follows }, context: given }: Followed,
): Step | undefined => {
  if (follows === undefined || !mayFollow(deposit, follows)) return undefined;
  const actor: Actor = { type: 'rule', command };
  const context = { ...given, actor, isConditional: false };
  const taken = takeStep(kind, deposit, { command: follows, input: reason ? { reason } : {}, context });
  const step = taken.unwrapOr(undefined);
  // One command adds one version, however many steps it has.
  return step && { ...step, record: { ...step.record, version: deposit.version } };
};

/** The writes and events of a step on a cash-out, which also changes its deposit. */
export const effectsWithParent = <Tx extends object>(
  served: { readonly of: ServedKind<Tx>; readonly deposits: ServedKind<Tx>; readonly parent: Parent },
  {
    before,
    deposit: beforeDeposit,
    step,
    rule,
    context,
  }: {
    readonly before: StoredRequest | undefined;
    readonly deposit: StoredRequest;
  } & Followed,
): Result<Effects<Tx>, CommandRefusal> => {
  const { of, deposits, parent } = served;
  const { record: after, event, command } = step;
  const { now: updatedAt, actor: updatedBy } = context;
  const booked = bookInParent(deposits.kind, beforeDeposit, step.transaction);
  if (booked.isErr()) return err(booked.error);
  // The reason of an earlier command is none of this one.
  const { reason: _earlier, ...put } = parent.put(booked.value, after);
  const moved = { ...put, updatedAt, updatedBy, version: beforeDeposit.version + 1 };
  const followed = followUp(parent, moved, { step, rule, context });
  const deposit = followed?.record ?? moved;
  const { objectName, show } = deposits.kind;
  const entries = [historyEntry(moved, step, 0, after.id), ...(followed ? [historyEntry(deposit, followed, 1)] : [])];
  const { inEvent, given } = recordedBy(step);
  return ok({
    writes: [
      { of: deposits, before: beforeDeposit, after: deposit, entries },
      { of, before, after, entries: [historyEntry(after, step, 0)] },
    ],
    transaction: storedTransaction(step, deposits.kind, deposit),
    events: [
      { objectName, type: event, data: { ...show(moved), [parent.eventField]: of.kind.show(after), ...inEvent } },
      ...(followed ? [{ objectName, type: followed.event, data: show(deposit) }] : []),
    ],
    given: { object: of.kind.object, command, before, after, caller: context.actor, ...given, deposit },
  });
};
