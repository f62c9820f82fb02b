import type { Actor, ObjectKind } from '../../base/signals/actor.ts';
import type { RequestTransaction } from '../books/transaction.ts';
import type { Evidence } from '../fields/evidence.ts';
import type { RequestTypes } from '../kinds/all.ts';
import type { SecurityDeposit } from '../kinds/deposit-fields.ts';
import type { RequestKindName } from '../record/names.ts';
import type { StoredRequest } from '../record/record.ts';

/**
 * A command on one kind of object.
 * @public
 */
export interface CommandOn<Tx extends object, K extends ObjectKind, R extends StoredRequest, Commands> {
  /** The kind of object. */
  readonly object: K;
  /** The command's name. */
  readonly command: 'create' | (keyof Commands & string);
  /** The object before the command. `undefined`: the command created it. */
  readonly before: R | undefined;
  /** The object after the command. */
  readonly after: R;
  /** Who gave the command. */
  readonly caller: Actor;
  /** The transaction of your payment processor that the command records. */
  readonly transaction?: RequestTransaction;
  /**
   * The files that the command names as evidence. Check that each is one of the account, `after.accountId`: partnerkit
   * knows no files.
   */
  readonly evidence?: readonly Evidence[];
  /**
   * The same in each try of the command, which may be applied again after a lost race: hand it to your processor, so
   * that what is done outside `tx` is done once.
   */
  readonly idempotencyKey: string;
  /** The command's transaction in the database: your writes in it commit with the command, or not at all. */
  readonly tx: Tx;
}

/**
 * What `onCommand` receives beside a cash-out.
 * @public
 */
export interface OnDeposit {
  /** The deposit after the command, including a rule that followed. */
  readonly deposit: SecurityDeposit;
}

/**
 * A command that was applied in a transaction that is still open.
 * @public
 */
export type GivenCommand<Tx extends object> = {
  [K in RequestKindName]: CommandOn<
    Tx,
    RequestTypes[K]['object'],
    RequestTypes[K]['record'],
    RequestTypes[K]['commands']
  > &
    (K extends 'cashOuts' ? OnDeposit : unknown);
}[RequestKindName];

/**
 * The host's part of each command: called once, and awaited inside its transaction.
 *
 * - Runs after the object and its events were written, for commands over HTTP and in process alike.
 * - A `CommandRejection` refuses the command with its problem; any other error fails it (HTTP 503). Both roll back.
 * - In your own transaction, both reject the call, so that your transaction rolls back.
 * - After its timeout, nothing that it sends through `tx` is committed. In your own transaction, end the connection.
 * @public
 */
export type OnCommand<Tx extends object> = (given: GivenCommand<Tx>) => Promise<void> | void;
