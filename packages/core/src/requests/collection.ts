import { err, type Result, ResultAsync } from '#result';
import type { AccountDirectory } from '../base/accounts/account.ts';
import type { InvalidCursor } from '../base/pagination/cursor.ts';
import { assertListOptions, type ListOptions } from '../base/pagination/list-options.ts';
import type { Page } from '../base/pagination/page.ts';
import type { Unavailable } from '../base/runtime/call-port.ts';
import type { Failure } from '../base/runtime/failure.ts';
import { assertOptionNames } from '../base/runtime/option-names.ts';
import type { ChangeOptions, CommandActor } from '../base/signals/change-options.ts';
import { findObject, listHistory, listObjects } from './commands/read-objects.ts';
import { assertCommand, type CommandDeps, createObject, performCommand } from './commands/run-command.ts';
import type { RequestHistoryEntry } from './fields/history.ts';
import { accountOf, callerOf, orUnavailable } from './record/calls.ts';
import type { RequestKindName } from './record/names.ts';
import type { AccountRef, StoredRequest } from './record/record.ts';
import type { CommandRefusal } from './record/refusal.ts';
import type { RequestFilter } from './stores/stores.ts';

/**
 * Options of the command that creates an object.
 * @public
 */
export interface CreateOptions<Tx extends object> extends CommandActor {
  /** Your open transaction, or `'new'` to run in a transaction of its own. */
  readonly tx: Tx | 'new';
}

/**
 * Options of a command on an object.
 * @public
 */
export interface CommandOptions<Tx extends object> extends CreateOptions<Tx>, Pick<ChangeOptions, 'ifVersion'> {}

/**
 * Options of a command with its input. `input` is optional for a command without required fields.
 * @public
 */
export type PerformOptions<Tx extends object, Input> = CommandOptions<Tx> &
  (Record<never, never> extends Input ? { readonly input?: Input } : { readonly input: Input });

/** The filters of every list. */
const commonFilters = {
  statuses: true,
  reference: true,
  createdFrom: true,
  createdTo: true,
  updatedFrom: true,
  updatedTo: true,
} as const;

/**
 * The filters of a list, and its page. `F` names the filters that only some kinds have.
 * @public
 */
export type RequestListOptions<F extends keyof RequestFilter = never> = ListOptions &
  Pick<RequestFilter, F | 'statuses' | 'reference' | 'createdFrom' | 'createdTo' | 'updatedFrom' | 'updatedTo'>;

/**
 * The objects of one kind.
 *
 * - Each call names the account by its id; its environment is that of the directory. An account that the directory
 *   does not know, and objects of another account or environment, return `not_found`.
 * - A refusal is a value; a refused command writes nothing.
 * - `unavailable` is a value for `tx: 'new'`, which was rolled back, and for reads.
 * - In your own transaction, a failure of the infrastructure or of `onCommand` rejects, so that your transaction
 *   rolls back.
 * - Mistakes of the caller throw a `TypeError` at once: an unknown option or command, no `tx`, an account's id that is
 *   no text.
 * @public
 */
export interface RequestCollection<
  Tx extends object,
  R extends StoredRequest,
  New,
  Commands,
  F extends keyof RequestFilter = never,
> {
  /** Creates an object: the object, its history and its event are stored together. */
  create(accountId: string, input: New, options: CreateOptions<Tx>): ResultAsync<R, CommandRefusal | Unavailable>;
  /**
   * Gives a command: the new state, its history and its events are stored together.
   * @throws TypeError when the command does not exist.
   */
  perform<C extends keyof Commands & string>(
    accountId: string,
    id: string,
    command: C,
    options: PerformOptions<Tx, Commands[C]>,
  ): ResultAsync<R, CommandRefusal | Unavailable>;
  /** Reads one committed object. */
  find(accountId: string, id: string): ResultAsync<R, Failure<'not_found'> | Unavailable>;
  /**
   * Lists committed objects that match every filter, oldest first unless `page.newestFirst`. Ordered by `updatedAt`
   * with `updatedFrom` or `updatedTo`, else by `createdAt`.
   */
  list(
    accountId: string,
    options?: RequestListOptions<F>,
  ): ResultAsync<Page<R>, Failure<'not_found'> | InvalidCursor | Unavailable>;
  /**
   * Lists the commands given on an object: who gave them, when and why. Oldest first unless `page.newestFirst`.
   */
  history(
    accountId: string,
    id: string,
    options?: ListOptions,
  ): ResultAsync<Page<RequestHistoryEntry>, Failure<'not_found'> | InvalidCursor | Unavailable>;
}

/** In untyped code the transaction may be absent. With some drivers it is a function: a tag for templates. */
const assertTransaction = (caller: string, tx: unknown): void => {
  if (tx === 'new' || typeof tx === 'function' || (typeof tx === 'object' && tx !== null)) return;
  throw new TypeError(`${caller}: tx: hand over your open transaction, or 'new' when there is none.`);
};

/** What a collection calls. */
export interface CollectionDeps<Tx extends object> {
  /** What commands call. */
  readonly commands: CommandDeps<Tx>;
  /** The directory of accounts, whose calls end in time. */
  readonly accounts: AccountDirectory;
}

/**
 * The collection as hosts call it. In the host's own transaction, a failed command rejects: an ignored value would let
 * the host commit half of the command.
 */
export const collectionOf = <Tx extends object>(
  { commands, accounts }: CollectionDeps<Tx>,
  name: RequestKindName,
): RequestCollection<Tx, StoredRequest, object, Readonly<Record<string, object>>, keyof RequestFilter> => {
  const of = commands.served[name];
  const filters = { ...commonFilters, ...Object.fromEntries(of.kind.filters.map((filter) => [filter, true as const])) };
  /** A call on one account, which is looked up once. */
  const call =
    <T, F>(accountId: string, act: (account: AccountRef) => Promise<Result<T, F>>) =>
    async (): Promise<Result<T, F | Failure<'not_found'>>> => {
      const account = await accountOf(accounts, accountId);
      return account.isErr() ? err(account.error) : act(account.value);
    };
  const settle = <T, F>({ tx }: { readonly tx: Tx | 'new' }, run: () => Promise<Result<T, F>>) =>
    tx === 'new' ? orUnavailable(run) : new ResultAsync<T, F | Unavailable>(run());

  return {
    create: (accountId, input, options) => {
      const caller = callerOf(name, 'create', accountId);
      assertOptionNames(caller, options, { actor: true, tx: true });
      assertTransaction(caller, options.tx);
      return settle(
        options,
        call(accountId, (account) => createObject(commands, of, account, { ...options, input })),
      );
    },
    perform: (accountId, id, command, options) => {
      const caller = callerOf(name, 'perform', accountId);
      assertCommand(of, command);
      assertOptionNames(caller, options, { actor: true, ifVersion: true, input: true, tx: true });
      assertTransaction(caller, options.tx);
      return settle(
        options,
        call(accountId, (account) => performCommand(commands, of, account, { input: {}, ...options, id, command })),
      );
    },
    find: (accountId, id) => {
      callerOf(name, 'find', accountId);
      return orUnavailable(call(accountId, (account) => findObject(of, account, id)));
    },
    list: (accountId, options = {}) => {
      assertListOptions(callerOf(name, 'list', accountId), options, filters);
      const { page = {}, ...filter } = options;
      return orUnavailable(call(accountId, (account) => listObjects(of, account, page, filter)));
    },
    history: (accountId, id, options = {}) => {
      assertListOptions(callerOf(name, 'history', accountId), options, {});
      return orUnavailable(call(accountId, (account) => listHistory(of, account, id, options.page ?? {})));
    },
  };
};
