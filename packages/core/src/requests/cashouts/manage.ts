import type { Result } from 'neverthrow';
import type { SecurityDeposit } from '../deposits/deposit.ts';
import type { CashOutCommands, CashOutInput } from '../inputs.ts';
import { type CommandOptions, given, type ManagedDeps, performWith } from '../managed.ts';
import type { Kind } from '../perform.ts';
import type { Owner } from '../record.ts';
import type { Refusal } from '../refusal.ts';
import { cashOutActions, newCashOut } from './cash-out.ts';
import { cashOutMachine } from './machine.ts';
import { onCashOut, requestCashOut } from './on-deposit.ts';

/**
 * The cash-outs of security deposits. They are a part of their deposit, so every call answers that; the rest is as with `Managed`.
 * @public
 */
export interface CashOuts<Tx extends object> {
  /** Requests a cash-out. It is the last of the deposit's. */
  create(
    owner: Owner,
    depositId: string,
    input: CashOutInput,
    options: CommandOptions<Tx>,
  ): Promise<Result<SecurityDeposit, Refusal>>;
  perform<C extends keyof CashOutCommands>(
    owner: Owner,
    depositId: string,
    cashOutId: string,
    command: C,
    input: CashOutCommands[C],
    options: CommandOptions<Tx>,
  ): Promise<Result<SecurityDeposit, Refusal>>;
}

/** @internal */
export const manageCashOuts = <Tx extends object>(
  deps: ManagedDeps<Tx>,
  kind: Kind<Tx, SecurityDeposit>,
): CashOuts<Tx> => ({
  create: (owner, id, input, options) =>
    performWith(
      deps,
      kind,
      { owner, id },
      { schema: newCashOut, input, options },
      (read) => (deposit, context) => requestCashOut(deposit, read, context),
    ),
  perform: async (owner, id, cashOutId, command, input, options) => {
    const name = given<keyof CashOutCommands>(cashOutMachine, command);
    const { input: schema } = cashOutActions[name];
    return performWith(
      deps,
      kind,
      { owner, id },
      { schema, input, options },
      (read) => (deposit, context) => onCashOut(deposit, cashOutId, name, read, context),
    );
  },
});
