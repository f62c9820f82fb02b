import { err, ok, type Result, ResultAsync } from 'neverthrow';
import type { AccountDirectory } from '../accounts/account.ts';
import { lookUpAccount } from '../accounts/find-account.ts';
import type { InvalidCursor } from '../pagination/cursor.ts';
import { assertListOptions, type ListOptions } from '../pagination/list-options.ts';
import type { Page } from '../pagination/page.ts';
import { type Unavailable, unavailable } from '../runtime/call-port.ts';
import { type Failure, failure } from '../runtime/failure.ts';
import { assertOptionNames } from '../runtime/option-names.ts';
import { isIdentifier } from '../runtime/text.ts';
import type { Actor } from '../signals/actor.ts';
import type { HistoryEntry } from './history.ts';
import type { RequestKindName } from './kinds/names.ts';
import { findObject, listHistory, listObjects } from './read-objects.ts';
import type { AccountRef, StoredRecord } from './record.ts';
import type { CommandRefusal } from './refusal.ts';
import { assertCommand, type CommandDeps, createObject, performCommand } from './run-command.ts';
import type { RequestFilter } from './stores.ts';

/**
 * Options of the command that creates an object.
 * @public
 */
export interface CreateOptions<Tx extends object> {
  /** Your open transaction, or `'new'` to run in a transaction of its own. */
  readonly tx: Tx | 'new';
  /**
   * Who gives the command; stored in the history and passed to signals and `onCommand`.
   * @defaultValue `{ type: 'host' }`
   */
  readonly actor?: Actor;
}

/**
 * Options of a command on an object.
 * @public
 */
export interface CommandOptions<Tx extends object> extends CreateOptions<Tx> {
  /** Versions that the command is meant for; any other version returns `version_mismatch`. @defaultValue any */
  readonly ifVersion?: number | readonly number[] | undefined;
}

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
 * - An unknown option, and an account's id that is no text, reject with a `TypeError`.
 * @public
 */
export interface RequestCollection<
  Tx extends object,
  R extends StoredRecord,
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

/** What a collection calls. @internal */
export interface CollectionDeps<Tx extends object> {
  /** What commands call. */
  readonly commands: CommandDeps<Tx>;
  /** The directory of accounts, whose calls end in time. */
  readonly accounts: AccountDirectory;
}

/** The account of an id, as the directory knows it. A malformed id is not looked up. */
const accountOf = async (
  accounts: AccountDirectory,
  caller: string,
  accountId: string,
): Promise<Result<AccountRef, Failure<'not_found'>>> => {
  if (typeof accountId !== 'string') throw new TypeError(`${caller}: the account's id is a text.`);
  const account = isIdentifier(accountId) ? await lookUpAccount(accounts, accountId) : undefined;
  return account ? ok(account) : err(failure('not_found'));
};

/**
 * The collection as hosts call it. In the host's own transaction, a failed command rejects: an ignored value would let
 * the host commit half of the command.
 * @internal
 */
export const collectionOf = <Tx extends object>(
  { commands, accounts }: CollectionDeps<Tx>,
  name: RequestKindName,
): RequestCollection<Tx, StoredRecord, object, Readonly<Record<string, object>>, keyof RequestFilter> => {
  const of = commands.served[name];
  const filters = { ...commonFilters, ...Object.fromEntries(of.kind.filters.map((filter) => [filter, true as const])) };
  /** A call on one account: its options are checked first, and the account is looked up once. */
  const call = async <T, F>(
    method: string,
    accountId: string,
    check: (caller: string) => void,
    act: (account: AccountRef) => Promise<Result<T, F>>,
  ): Promise<Result<T, F | Failure<'not_found'>>> => {
    const caller = `requests.${name}.${method}`;
    check(caller);
    const account = await accountOf(accounts, caller, accountId);
    return account.isErr() ? err(account.error) : act(account.value);
  };
  /** In untyped code the options may be absent. */
  const settle = <T, F>(options: { readonly tx: Tx | 'new' } | undefined, run: () => Promise<Result<T, F>>) =>
    options?.tx === 'new' ? orUnavailable(run) : new ResultAsync<T, F | Unavailable>(run());

  return {
    create: (accountId, input, options) =>
      settle(options, () =>
        call(
          'create',
          accountId,
          (caller) => assertOptionNames(caller, options, { tx: true, actor: true }),
          (account) => createObject(commands, of, account, input, options),
        ),
      ),
    perform: (accountId, id, command, options) =>
      settle(options, () =>
        call(
          'perform',
          accountId,
          (caller) => {
            assertCommand(of, command);
            assertOptionNames(caller, options, { input: true, tx: true, ifVersion: true, actor: true });
          },
          (account) => performCommand(commands, of, account, id, command, { input: {}, ...options }),
        ),
      ),
    find: (accountId, id) =>
      orUnavailable(() =>
        call(
          'find',
          accountId,
          () => {},
          (account) => findObject(of, account, id),
        ),
      ),
    list: (accountId, options = {}) =>
      orUnavailable(() =>
        call(
          'list',
          accountId,
          (caller) => assertListOptions(caller, options, filters),
          (account) => {
            const { page = {}, ...filter } = options;
            return listObjects(of, account, page, filter);
          },
        ),
      ),
    history: (accountId, id, options = {}) =>
      orUnavailable(() =>
        call(
          'history',
          accountId,
          (caller) => assertListOptions(caller, options, {}),
          (account) => listHistory(of, account, id, options.page ?? {}),
        ),
      ),
  };
};
