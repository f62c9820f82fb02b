import type { Clock } from '../runtime/clock.ts';
import type { DurationMs } from '../runtime/time.ts';
import type { Actor } from './actor.ts';
import type { CashOut } from './cashouts/cash-out.ts';
import type { SecurityDeposit } from './deposits/deposit.ts';
import type { CashOutCommands, DepositCommands, PaymentCommands, TemplateCommands } from './inputs.ts';
import type { PaymentRequest } from './payments/payment.ts';
import type { StoredRecord } from './record.ts';
import type { Template } from './templates/template.ts';

/** The kinds of objects, as `onCommand`, `newId` and signals name them. @public */
export type ObjectKind =
  | 'RequestPayment'
  | 'RequestSecurityDeposit'
  | 'ModelRequestPayment'
  | 'ModelRequestSecurityDeposit'
  | 'CashOut';

/**
 * A command on one kind of object.
 * @public
 */
export interface CommandOn<Tx extends object, K extends ObjectKind, R extends StoredRecord, Commands> {
  readonly object: K;
  readonly command: 'create' | (keyof Commands & string);
  /** Absent: the command created it. */
  readonly before: R | undefined;
  readonly after: R;
  readonly caller: Actor;
  /** The command's transaction: what you write in it is committed with the command, or not at all. */
  readonly tx: Tx;
}

/**
 * A command that was carried out in a transaction which is still open.
 * @public
 */
export type GivenCommand<Tx extends object> =
  | CommandOn<Tx, 'RequestPayment', PaymentRequest, PaymentCommands>
  | CommandOn<Tx, 'RequestSecurityDeposit', SecurityDeposit, DepositCommands>
  | (CommandOn<Tx, 'CashOut', CashOut, CashOutCommands> & {
      /** Afterwards: a rule may have moved it. */
      readonly deposit: SecurityDeposit;
    })
  | CommandOn<Tx, 'ModelRequestPayment' | 'ModelRequestSecurityDeposit', Template, TemplateCommands<object>>;

/**
 * The host's part of each command, awaited inside its transaction, once.
 *
 * - Runs after the object and its events were written, for commands over HTTP and in process alike.
 * - A `CommandRejection` refuses the command with its problem; any other error fails it (HTTP 503). Both roll the transaction back.
 * - In a transaction of yours, both reject the call, so that your transaction rolls back.
 * @public
 */
export type OnCommand<Tx extends object> = (given: GivenCommand<Tx>) => Promise<void> | void;

/** Calls the host's hook; rejects when it does, or has not answered in time. @internal */
export const callInTime =
  <Tx extends object>(onCommand: OnCommand<Tx>, clock: Clock, timeout: DurationMs) =>
  async (given: GivenCommand<Tx>): Promise<void> => {
    const answered = new AbortController();
    const late = async (): Promise<never> => {
      await clock.sleep(timeout, answered.signal);
      throw new Error(`onCommand: no answer within ${timeout} ms. The transaction is rolled back.`);
    };
    const call = async (): Promise<void> => onCommand(given);
    const waiting = late();
    // It also ends when the hook has answered: nobody listens then.
    waiting.catch(() => undefined);
    try {
      await Promise.race([call(), waiting]);
    } finally {
      answered.abort('answered');
    }
  };
