import { err, type Result, ResultAsync } from 'neverthrow';
import type { InvalidCursor } from '../pagination/cursor.ts';
import type { Page, PageRequest } from '../pagination/page.ts';
import { type Unavailable, unavailable } from '../runtime/call-port.ts';
import type { Failure } from '../runtime/failure.ts';
import type { Actor } from '../signals/actor.ts';
import type { ServedKind } from './effects.ts';
import type { HistoryEntry } from './history.ts';
import { findObject, listHistory, listObjects } from './read-objects.ts';
import type { AccountRef, StoredRecord } from './record.ts';
import type { CommandRefusal } from './refusal.ts';
import { type CommandDeps, createObject, performCommand } from './run-command.ts';
import type { RequestFilter } from './stores.ts';

/**
 * Options of a command.
 * @public
 */
export interface CommandOptions<Tx extends object> {
  /** Your open transaction, or `'new'` to run in a transaction of its own. */
  readonly tx: Tx | 'new';
  /** Versions that the command is meant for; any other version returns `version_mismatch`. @defaultValue any */
  readonly ifVersion?: number | readonly number[] | undefined;
  /**
   * Who gives the command; stored in the history and passed to signals and `onCommand`.
   * @defaultValue `{ type: 'host' }`
   */
  readonly actor?: Actor;
}

/**
 * Options of a command with its input. `input` is optional for a command without required fields.
 * @public
 */
export type PerformOptions<Tx extends object, Input> = CommandOptions<Tx> &
  (Record<never, never> extends Input ? { readonly input?: Input } : { readonly input: Input });

/**
 * The objects of one kind.
 *
 * - Each call names the account. Objects of another account or environment return `not_found`.
 * - A refusal is a value; a refused command writes nothing.
 * - `unavailable` is a value for `tx: 'new'`, which was rolled back, and for reads.
 * - In your own transaction, a failure of the infrastructure or of `onCommand` rejects, so that your transaction
 *   rolls back.
 * - `TypeError` when `account` is malformed.
 * @public
 */
export interface RequestCollection<Tx extends object, R extends StoredRecord, New, Commands> {
  /** Creates an object: the object, its history and its event are stored together. */
  create(account: AccountRef, input: New, options: CommandOptions<Tx>): ResultAsync<R, CommandRefusal | Unavailable>;
  /**
   * Gives a command: the new state, its history and its events are stored together.
   * @throws TypeError when the command does not exist.
   */
  perform<C extends keyof Commands & string>(
    account: AccountRef,
    id: string,
    command: C,
    options: PerformOptions<Tx, Commands[C]>,
  ): ResultAsync<R, CommandRefusal | Unavailable>;
  /** Reads one committed object. */
  find(account: AccountRef, id: string): ResultAsync<R, Failure<'not_found'> | Unavailable>;
  /**
   * Lists committed objects, oldest first unless `newestFirst`. Ordered by `updatedAt` when the filter has
   * `updatedFrom` or `updatedTo`, else by `createdAt`.
   */
  list(
    account: AccountRef,
    page?: PageRequest,
    filter?: RequestFilter,
  ): ResultAsync<Page<R>, InvalidCursor | Unavailable>;
  /** Lists the commands given on an object: who gave them, when and why. Oldest first unless `newestFirst`. */
  history(
    account: AccountRef,
    id: string,
    page?: PageRequest,
  ): ResultAsync<Page<HistoryEntry>, Failure<'not_found'> | InvalidCursor | Unavailable>;
}

/** Turns a rejection into `unavailable`. A `TypeError`, which means a mistake of the caller, still rejects. */
const orUnavailable = <T, F>(call: () => Promise<Result<T, F>>): ResultAsync<T, F | Unavailable> => {
  const settled = async (): Promise<Result<T, F | Unavailable>> => {
    try {
      return await call();
    } catch (cause) {
      if (cause instanceof TypeError) throw cause;
      return err(unavailable(cause));
    }
  };
  return new ResultAsync(settled());
};

/** A call whose options may be absent in untyped code. */
const settle = <T, F>(tx: unknown, call: () => Promise<Result<T, F>>): ResultAsync<T, F | Unavailable> =>
  tx === 'new' ? orUnavailable(call) : new ResultAsync(call());

/**
 * The collection as hosts call it. In the host's own transaction, a failed command rejects: an ignored value would let
 * the host commit half of the command.
 * @internal
 */
export const collectionOf = <Tx extends object>(
  deps: CommandDeps<Tx>,
  of: ServedKind<Tx>,
): RequestCollection<Tx, StoredRecord, object, Readonly<Record<string, object>>> => ({
  create: (account, input, options) => settle(options?.tx, async () => createObject(deps, of, account, input, options)),
  perform: (account, id, command, options) =>
    settle(options?.tx, async () => performCommand(deps, of, account, id, command, { input: {}, ...options })),
  find: (account, id) => orUnavailable(() => findObject(of, account, id)),
  list: (account, page = {}, filter = {}) => orUnavailable(() => listObjects(of, account, page, filter)),
  history: (account, id, page = {}) => orUnavailable(() => listHistory(of, account, id, page)),
});
