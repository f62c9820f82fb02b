import { err, ok, type Result } from 'neverthrow';
import type { z } from 'zod';
import { type Step, step } from '../decide.ts';
import { depositActions, type SecurityDeposit } from '../deposits/deposit.ts';
import { depositMachine } from '../deposits/machine.ts';
import type { Rule } from '../machine.ts';
import type { Context } from '../record.ts';
import type { Refusal } from '../refusal.ts';
import { type CashOut, cashOutActions, makeCashOut, type newCashOut } from './cash-out.ts';
import { cashOutMachine } from './machine.ts';

type Steps = Result<readonly [Step<SecurityDeposit>, ...Step<SecurityDeposit>[]], Refusal>;

const rules: Readonly<Record<string, Rule>> = cashOutMachine.commands;

const within = (deposit: SecurityDeposit, { within: states = [] }: Rule): Result<SecurityDeposit, Refusal> =>
  states.includes(deposit.status)
    ? ok(deposit)
    : err({
        code: 'wrong_state',
        detail: `The deposit is ${deposit.status}; that can be done while it is ${states.join(' or ')}.`,
      });

/** Adds a cash-out to a deposit. @internal */
export const requestCashOut = (deposit: SecurityDeposit, input: z.output<typeof newCashOut>, context: Context): Steps =>
  within(deposit, cashOutMachine.commands.create)
    .andThen(() => makeCashOut(input, { ...context, deposit }))
    .map((cashOut) => [
      {
        event: cashOutMachine.commands.create.event,
        record: { ...deposit, cashOuts: [...deposit.cashOuts, cashOut], updatedAt: context.now },
      },
    ]);

/** What follows for the deposit, where its state allows it. */
const follow = (first: Step<SecurityDeposit>, command: string | undefined, context: Context): Steps => {
  const { record } = first;
  if (command !== 'litigate' || !depositMachine.commands[command].from.some((state) => state === record.status))
    return ok([first]);
  return step(depositMachine, depositActions[command].apply, record, command, {}, context).map((second) => [
    first,
    second,
  ]);
};

/** Takes a command on one cash-out of a deposit. @internal */
export const onCashOut = (
  deposit: SecurityDeposit,
  cashOutId: string,
  command: keyof typeof cashOutActions,
  input: unknown,
  context: Context,
): Steps => {
  const held = deposit.cashOuts.find(({ id }) => id === cashOutId);
  if (!held) return err({ code: 'not_found' });
  const put = (changed: CashOut): SecurityDeposit => ({
    ...deposit,
    cashOuts: deposit.cashOuts.map((each) => (each === held ? changed : each)),
    updatedAt: context.now,
  });
  return within(deposit, rules[command] as Rule)
    .andThen(() => step(cashOutMachine, cashOutActions[command].apply, held, command, input, { ...context, deposit }))
    .andThen(({ event, record }) => follow({ event, record: put(record) }, rules[command]?.follows, context));
};
