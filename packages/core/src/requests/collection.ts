import { err, ok, type Result, type ResultAsync } from 'neverthrow';
import type { z } from 'zod';
import type { ObjectName } from '../catalogue/specification.ts';
import { type InvalidCursor, readPage } from '../pagination/cursor.ts';
import type { Page, PageRequest } from '../pagination/page.ts';
import type { Unavailable } from '../runtime/call-port.ts';
import { type Failure, failure } from '../runtime/failure.ts';
import { readInput } from '../runtime/read-input.ts';
import { isIdentifier } from '../runtime/text.ts';
import type { Actor } from '../signals/actor.ts';
import type { Transactions } from '../transactions/transactions.ts';
import { type Action, takeStep } from './command.ts';
import type { HistoryEntry } from './history.ts';
import type { Machine } from './machine.ts';
import {
  carryOut,
  effectsOf,
  find,
  type Kind,
  matchesVersion,
  owned,
  type PerformDeps,
  type Versions,
} from './perform.ts';
import { type AccountRef, assertAccount, type NewContext, type StoredRecord } from './record.ts';
import type { Refusal } from './refusal.ts';
import type { RequestFilter } from './stores.ts';
import { transact } from './transact.ts';

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
export interface Collection<Tx extends object, R extends StoredRecord, New, Commands> {
  /** Creates an object: the object, its history and its event are stored together. */
  create(account: AccountRef, input: New, options: CommandOptions<Tx>): ResultAsync<R, Refusal | Unavailable>;
  /**
   * Gives a command: the new state, its history and its events are stored together.
   * @throws TypeError when the command does not exist.
   */
  perform<C extends keyof Commands & string>(
    account: AccountRef,
    id: string,
    command: C,
    options: PerformOptions<Tx, Commands[C]>,
  ): ResultAsync<R, Refusal | Unavailable>;
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

/** A {@link Collection} whose calls reject whenever the infrastructure fails. @internal */
export interface RawCollection<Tx extends object, R extends StoredRecord, New, Commands> {
  create(account: AccountRef, input: New, options: CommandOptions<Tx>): Promise<Result<R, Refusal>>;
  perform<C extends keyof Commands & string>(
    account: AccountRef,
    id: string,
    command: C,
    options: PerformOptions<Tx, Commands[C]>,
  ): Promise<Result<R, Refusal>>;
  find(account: AccountRef, id: string): Promise<Result<R, Failure<'not_found'>>>;
  list(account: AccountRef, page?: PageRequest, filter?: RequestFilter): Promise<Result<Page<R>, InvalidCursor>>;
  history(
    account: AccountRef,
    id: string,
    page?: PageRequest,
  ): Promise<Result<Page<HistoryEntry>, Failure<'not_found'> | InvalidCursor>>;
}

/** What collections call. @internal */
export interface CollectionDeps<Tx extends object> extends PerformDeps<Tx> {
  /** Opens transactions. */
  readonly storage: Transactions<Tx>;
}

/** Runs in the host's transaction, or in a new one. @internal */
export const inTransaction = <Tx extends object, T>(
  { storage }: Pick<CollectionDeps<Tx>, 'storage'>,
  tx: Tx | 'new',
  work: (tx: Tx) => Promise<Result<T, Refusal>>,
): Promise<Result<T, Refusal>> => {
  if (tx === 'new') return transact(storage, work);
  // The transaction of some drivers is a function: a tag for templates.
  if (tx === null || (typeof tx !== 'object' && typeof tx !== 'function'))
    throw new TypeError("tx: hand over your open transaction, or 'new' when there is none.");
  return work(tx);
};

/** Returns the name of a command. @throws TypeError when the machine has no such command. @internal */
export const assertCommand = <C extends string>(
  { commands }: Machine<ObjectName, string, C | 'create'>,
  name: string,
): C => {
  const rule = Object.hasOwn(commands, name) ? commands[name as C] : undefined;
  if (!rule || rule.from.length === 0) throw new TypeError(`There is no command "${name}".`);
  return name as C;
};

/** @internal */
export const hostActor: Actor = { type: 'host' };

/** A lost race counts as a version mismatch when the caller named a version. */
const asVersionMismatch = (refusal: Refusal, versions: Versions): Refusal =>
  refusal.code === 'changed_meanwhile' && versions !== undefined ? failure('version_mismatch') : refusal;

/** The reading methods of a collection. @internal */
export const readsOf = <Tx extends object, R extends StoredRecord>(
  kind: Kind<Tx, R>,
): Pick<RawCollection<Tx, R, never, never>, 'find' | 'list' | 'history'> => {
  /** A cursor is valid only for the same account, environment, filter and order. */
  const scope = (account: AccountRef, { newestFirst = false }: PageRequest, filter: RequestFilter) => [
    kind.object,
    account.id,
    account.environment,
    newestFirst,
    filter.statuses?.join(),
    filter.reference,
    filter.recipientEmail,
    filter.templateId,
    filter.depositId,
    filter.createdFrom,
    filter.createdTo,
    filter.updatedFrom,
    filter.updatedTo,
  ];
  return {
    find: async (account, id) => find(kind, account, id),
    list: async (account, page = {}, filter = {}) => {
      assertAccount(account);
      const { statuses = [], reference, recipientEmail, templateId, depositId } = filter;
      const texts = [...statuses, reference, recipientEmail, templateId, depositId];
      // No stored object has such a text: skip the read.
      if (texts.some((text) => text !== undefined && !isIdentifier(text))) return ok({ items: [] });
      const read = await readPage(scope(account, page, filter), page, (opened) =>
        kind.store.list(account, opened, filter),
      );
      return read.map(({ items, ...rest }) => ({
        ...rest,
        items: items.filter((each) => owned(each, account, each.id).isOk()),
      }));
    },
    history: async (account, id, page = {}) => {
      const found = await find(kind, account, id);
      if (found.isErr()) return err(found.error);
      const listed = [`${kind.object} history`, account.id, account.environment, page.newestFirst ?? false, id];
      return readPage(listed, page, (opened) => kind.store.listHistory(account, id, opened));
    },
  };
};

/** What defines a collection. @internal */
export interface CollectionShape<Tx extends object, R extends StoredRecord, C extends string, S extends z.ZodType> {
  /** The kind of its objects. */
  readonly kind: Kind<Tx, R>;
  /** The states and commands. */
  readonly machine: Machine<ObjectName, R['status'], C | 'create'>;
  /** What each command changes beside the state. */
  readonly actions: Readonly<Record<C, Action<R>>>;
  /** The schema of the input of `create`. */
  readonly created: S;
  /** Builds the new record from its input. */
  readonly make: (account: AccountRef, input: z.output<S>, context: NewContext, tx: Tx) => Promise<Result<R, Refusal>>;
}

/** Creates the collection of one kind. @internal */
export const createCollection = <
  Tx extends object,
  R extends StoredRecord,
  New,
  Commands,
  C extends string,
  S extends z.ZodType,
>(
  deps: CollectionDeps<Tx>,
  { kind, machine, actions, created, make }: CollectionShape<Tx, R, C, S>,
): RawCollection<Tx, R, New, Commands> => ({
  ...readsOf(kind),
  create: async (account, input, { tx, actor = hostActor }) => {
    const read = readInput(created, input);
    if (read.isErr()) return err(read.error);
    assertAccount(account);
    return inTransaction(deps, tx, async (open) => {
      const id = await deps.newId(kind.object, account, open);
      const made = await make(account, read.value, { now: deps.now(), actor, id }, open);
      if (made.isErr()) return err(made.error);
      const record = made.value;
      const { event } = machine.commands.create;
      const effects = effectsOf(kind, undefined, { command: 'create', event, record, by: actor });
      return (await carryOut(deps, effects, open)).map(() => record);
    });
  },
  perform: async (account, id, command, { input, tx, ifVersion, actor = hostActor }) => {
    const name = assertCommand<C>(machine, command);
    const { input: schema, apply } = actions[name];
    const read = readInput(schema, input);
    if (read.isErr()) return err(read.error);
    return inTransaction(deps, tx, async (open) => {
      const found = await find(kind, account, id, open);
      if (found.isErr()) return err(found.error);
      const current = found.value;
      const taken = takeStep(machine, apply, current, {
        command: name,
        input: read.value,
        context: { now: deps.now(), actor },
      });
      if (taken.isErr()) return err(taken.error);
      // A condition counts only where the command would succeed without it (RFC 9110 §13.2.1).
      if (!matchesVersion(current, ifVersion)) return err(failure('version_mismatch'));
      const step = taken.value;
      if (!step) return ok(current);
      const carried = await carryOut(deps, effectsOf(kind, current, step), open);
      return carried.map(() => step.record).mapErr((refusal) => asVersionMismatch(refusal, ifVersion));
    });
  },
});
