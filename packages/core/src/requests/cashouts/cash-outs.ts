import { err, ok, type Result } from 'neverthrow';
import type { z } from 'zod';
import type { Actor } from '../actor.ts';
import {
  assertCommand,
  type Collection,
  type CollectionDeps,
  hostActor,
  inTransaction,
  readsOf,
} from '../collection.ts';
import { type Action, type Step, takeStep } from '../command.ts';
import { depositActions, type SecurityDeposit } from '../deposits/deposit.ts';
import { depositMachine } from '../deposits/machine.ts';
import { historyEntry } from '../history.ts';
import type { CashOutCommands, CashOutInput } from '../inputs.ts';
import type { Rule } from '../machine.ts';
import { carryOut, type Effects, find, type Kind, matchesVersion, type Write } from '../perform.ts';
import { readInput } from '../read-input.ts';
import type { Context } from '../record.ts';
import type { Refusal } from '../refusal.ts';
import { type CashOut, type CashOutContext, cashOutActions, makeCashOut, newCashOut, summaryOf } from './cash-out.ts';
import { cashOutMachine } from './machine.ts';
import { isDisputed } from './summary.ts';

type CashOutActions = Readonly<Record<keyof CashOutCommands, Action<CashOut, z.ZodType, CashOutContext>>>;

/** @internal */
export interface CashOutKinds<Tx extends object> {
  readonly cashOuts: Kind<Tx, CashOut>;
  readonly deposits: Kind<Tx, SecurityDeposit>;
}

/** What the collection of cash-outs reads and does. @internal */
export interface CashOutShape {
  readonly created: typeof newCashOut;
  readonly actions: CashOutActions;
  /** Adds what the host's extension stores. */
  readonly extend: (cashOut: CashOut, input: object) => CashOut;
}

/** @internal */
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
        detail: `The deposit is ${deposit.status}; that can be done while it is ${states.join(' or ')}.`,
      });

/** The deposit with a changed or a new cash-out. */
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

/** The command of the deposit that follows by rule, where its state and its other cash-outs allow it. */
const followUp = (
  deposit: SecurityDeposit,
  { command, reason }: Step<CashOut>,
  { now }: Context,
): Step<SecurityDeposit> | undefined => {
  const follows = rules[command]?.follows as 'litigate' | 'resume' | undefined;
  if (follows === undefined || (follows === 'resume' && deposit.cashOuts.some(isDisputed))) return undefined;
  const actor: Actor = { type: 'rule', command };
  const { apply } = depositActions[follows];
  const taken = takeStep(depositMachine, apply, deposit, follows, reason ? { reason } : {}, { now, actor });
  const step = taken.unwrapOr(undefined);
  // One command makes one version, however many steps it has.
  return step && { ...step, record: { ...step.record, version: deposit.version } };
};

/** What a step on a cash-out writes and publishes: it is the deposit's too. */
const effectsOn = <Tx extends object>(
  { cashOuts, deposits }: CashOutKinds<Tx>,
  before: CashOut | undefined,
  beforeDeposit: SecurityDeposit,
  step: Step<CashOut>,
  context: Context,
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

/** The cash-outs of security deposits: each command is decided, and stored, with its deposit. @internal */
export const createCashOuts = <Tx extends object>(
  deps: CollectionDeps<Tx>,
  kinds: CashOutKinds<Tx>,
  { created, actions, extend }: CashOutShape,
): Collection<Tx, CashOut, CashOutInput, CashOutCommands> => ({
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
      return (await carryOut(deps, effectsOn(kinds, undefined, deposit, step, context), open)).map(() => record);
    });
  },
  perform: async (account, id, command, input, { tx, ifVersion, actor = hostActor }) => {
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
      // Read again after its deposit: a command that changes it from now on changes the deposit's version too.
      const found = await find(kinds.cashOuts, account, id, open);
      if (found.isErr()) return err(found.error);
      const current = found.value;
      const context = { now: deps.now(), actor };
      const taken = takeStep(cashOutMachine, apply, current, name, read.value, { ...context, deposit });
      if (taken.isErr()) return err(taken.error);
      if (!matchesVersion(current, ifVersion)) return err({ code: 'version_mismatch' });
      const step = taken.value;
      if (!step) return ok(current);
      return (await carryOut(deps, effectsOn(kinds, current, deposit, step, context), open)).map(() => step.record);
    });
  },
});
