import { err, ok, type Result } from 'neverthrow';
import type { z } from 'zod';
import { failure } from '../../runtime/failure.ts';
import { readInput } from '../../runtime/read-input.ts';
import type { Actor } from '../../signals/actor.ts';
import {
  assertCommand,
  type CollectionDeps,
  hostActor,
  inTransaction,
  type RawCollection,
  readsOf,
} from '../collection.ts';
import { type Action, type Step, takeStep } from '../command.ts';
import { isDisputed } from '../deposits/cash-out-summary.ts';
import { depositActions, type SecurityDeposit } from '../deposits/deposit.ts';
import { depositMachine } from '../deposits/machine.ts';
import { historyEntry } from '../history.ts';
import type { CashOutCommands, CashOutInput } from '../inputs.ts';
import type { Rule } from '../machine.ts';
import { carryOut, type Effects, find, type Kind, matchesVersion, type Write } from '../perform.ts';
import type { Context } from '../record.ts';
import type { Refusal } from '../refusal.ts';
import { type CashOut, type CashOutContext, cashOutActions, makeCashOut, newCashOut, summaryOf } from './cash-out.ts';
import { cashOutMachine } from './machine.ts';

type CashOutActions = Readonly<Record<keyof CashOutCommands, Action<CashOut, z.ZodType, CashOutContext>>>;

/** The kinds that a command on a cash-out writes. @internal */
export interface CashOutKinds<Tx extends object> {
  /** Cash-outs. */
  readonly cashOuts: Kind<Tx, CashOut>;
  /** Security deposits. */
  readonly deposits: Kind<Tx, SecurityDeposit>;
}

/** What defines the collection of cash-outs. @internal */
export interface CashOutShape {
  /** The schema of the input of `create`. */
  readonly created: typeof newCashOut;
  /** What each command changes beside the state. */
  readonly actions: CashOutActions;
  /** Adds the host's own fields. */
  readonly extend: (cashOut: CashOut, input: object) => CashOut;
}

/** The collection without fields of the host. @internal */
export const cashOutShape: CashOutShape = {
  created: newCashOut,
  actions: cashOutActions as unknown as CashOutActions,
  extend: (cashOut) => cashOut,
};

const rules: Readonly<Record<string, Rule>> = cashOutMachine.commands;

const within = (deposit: SecurityDeposit, { within: states = [] }: Rule): Result<SecurityDeposit, Refusal> =>
  states.includes(deposit.status)
    ? ok(deposit)
    : err({
        code: 'wrong_state',
        message: `The deposit is ${deposit.status}; that can be done while it is ${states.join(' or ')}.`,
      });

/** The deposit with a changed or new cash-out. */
const withCashOut = (deposit: SecurityDeposit, cashOut: CashOut, { now, actor }: Context): SecurityDeposit => {
  const summary = summaryOf(cashOut);
  const known = deposit.cashOuts.some(({ id }) => id === cashOut.id);
  return {
    ...deposit,
    cashOuts: known
      ? deposit.cashOuts.map((each) => (each.id === cashOut.id ? summary : each))
      : [...deposit.cashOuts, summary],
    updatedAt: now,
    updatedBy: actor,
    version: deposit.version + 1,
  };
};

/** The deposit's command that follows by rule, where its state and its other cash-outs allow it. */
const followUp = (
  deposit: SecurityDeposit,
  { command, reason }: Step<CashOut>,
  { now }: Context,
): Step<SecurityDeposit> | undefined => {
  const follows = rules[command]?.follows as 'litigate' | 'resume' | undefined;
  if (follows === undefined || (follows === 'resume' && deposit.cashOuts.some(isDisputed))) return undefined;
  const actor: Actor = { type: 'rule', command };
  const { apply } = depositActions[follows];
  const taken = takeStep(depositMachine, apply, deposit, {
    command: follows,
    input: reason ? { reason } : {},
    context: { now, actor },
  });
  const step = taken.unwrapOr(undefined);
  // One command adds one version, however many steps it has.
  return step && { ...step, record: { ...step.record, version: deposit.version } };
};

/** The writes and events of a step on a cash-out, which also changes its deposit. */
const effectsOn = <Tx extends object>(
  { cashOuts, deposits }: CashOutKinds<Tx>,
  {
    before,
    deposit: beforeDeposit,
    step,
    context,
  }: {
    readonly before: CashOut | undefined;
    readonly deposit: SecurityDeposit;
    readonly step: Step<CashOut>;
    readonly context: Context;
  },
): Effects<Tx> => {
  const { record: cashOut, event, command } = step;
  const moved = withCashOut(beforeDeposit, cashOut, context);
  const followed = followUp(moved, step, context);
  const deposit = followed?.record ?? moved;
  const { objectName } = deposits;
  const data = { ...deposits.view(moved), cashOut: cashOuts.view(cashOut) };
  const entries = [historyEntry(moved, step, 0, cashOut.id), ...(followed ? [historyEntry(deposit, followed, 1)] : [])];
  return {
    // Each record and its kind belong together.
    writes: [
      { kind: deposits, before: beforeDeposit, after: deposit, entries } as unknown as Write<Tx>,
      { kind: cashOuts, before, after: cashOut, entries: [historyEntry(cashOut, step, 0)] } as unknown as Write<Tx>,
    ],
    events: [
      { objectName, type: event, data },
      ...(followed ? [{ objectName, type: followed.event, data: deposits.view(deposit) }] : []),
    ],
    command,
    actor: context.actor,
    given: { object: 'CashOut', before, after: cashOut, deposit } as Effects<Tx>['given'],
  };
};

/** Creates the collection of cash-outs. Each command also checks and writes the deposit. @internal */
export const createCashOuts = <Tx extends object>(
  deps: CollectionDeps<Tx>,
  kinds: CashOutKinds<Tx>,
  { created, actions, extend }: CashOutShape,
): RawCollection<Tx, CashOut, CashOutInput, CashOutCommands> => ({
  ...readsOf(kinds.cashOuts),
  create: async (account, input, { tx, actor = hostActor }) => {
    const read = readInput(created, input);
    if (read.isErr()) return err(read.error);
    return inTransaction(deps, tx, async (open) => {
      const found = await find(kinds.deposits, account, read.value.depositId, open);
      const allowed = found.andThen((deposit) => within(deposit, cashOutMachine.commands.create));
      if (allowed.isErr()) return err(allowed.error);
      const deposit = allowed.value;
      const id = await deps.newId('CashOut', account, open);
      const context = { now: deps.now(), actor, id };
      const made = makeCashOut(read.value, deposit, context).map((cashOut) => extend(cashOut, read.value));
      if (made.isErr()) return err(made.error);
      const record = made.value;
      const { event } = cashOutMachine.commands.create;
      const step = { command: 'create', event, record, by: actor };
      return (await carryOut(deps, effectsOn(kinds, { before: undefined, deposit, step, context }), open)).map(
        () => record,
      );
    });
  },
  perform: async (account, id, command, { input, tx, ifVersion, actor = hostActor }) => {
    const name = assertCommand<keyof CashOutCommands>(cashOutMachine, command);
    const { input: schema, apply } = actions[name];
    const read = readInput(schema, input);
    if (read.isErr()) return err(read.error);
    return inTransaction(deps, tx, async (open) => {
      const named = await find(kinds.cashOuts, account, id, open);
      if (named.isErr()) return err(named.error);
      const ofDeposit = await find(kinds.deposits, account, named.value.depositId, open);
      const allowed = ofDeposit.andThen((deposit) => within(deposit, rules[name] as Rule));
      if (allowed.isErr()) return err(allowed.error);
      const deposit = allowed.value;
      // Read again after its deposit: a command that changes it from now on also changes the deposit's version.
      const found = await find(kinds.cashOuts, account, id, open);
      if (found.isErr()) return err(found.error);
      const current = found.value;
      const context = { now: deps.now(), actor };
      const taken = takeStep(cashOutMachine, apply, current, {
        command: name,
        input: read.value,
        context: { ...context, deposit, isConditional: ifVersion !== undefined },
      });
      if (taken.isErr()) return err(taken.error);
      if (!matchesVersion(current, ifVersion)) return err(failure('version_mismatch'));
      const step = taken.value;
      if (!step) return ok(current);
      return (await carryOut(deps, effectsOn(kinds, { before: current, deposit, step, context }), open)).map(
        () => step.record,
      );
    });
  },
});
