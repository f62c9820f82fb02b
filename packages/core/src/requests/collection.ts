import { err, ok, type Result } from 'neverthrow';
import type { z } from 'zod';
import type { ObjectName } from '../catalogue/catalogue.ts';
import { type InvalidCursor, readPage } from '../runtime/cursor.ts';
import type { Page, PageRequest } from '../runtime/page.ts';
import { isIdentifier } from '../runtime/text.ts';
import type { Storage } from '../storage.ts';
import type { Actor } from './actor.ts';
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
import { readInput } from './read-input.ts';
import { type AccountRef, assertAccount, type NewContext, type StoredRecord } from './record.ts';
import type { Refusal } from './refusal.ts';
import type { RequestFilter } from './stores.ts';
import { transact } from './transact.ts';

/**
 * How to give a command.
 * @public
 */
export interface CommandOptions<Tx extends object> {
  /** Your open transaction, or `'new'` when there is none. */
  readonly tx: Tx | 'new';
  /** The version, or versions, that the command is meant for. @defaultValue any */
  readonly ifVersion?: number | readonly number[] | undefined;
  /** Who gives it: history, signals and `onCommand` say so. @defaultValue `{ type: 'host' }` */
  readonly actor?: Actor;
}

/**
 * The objects of one kind.
 *
 * - Each call names the account; objects of another account answer `not_found`.
 * - A refusal is a value, and has written nothing.
 * - A call rejects only when the infrastructure or `onCommand` fails, so that your transaction rolls back.
 * @public
 */
export interface Collection<Tx extends object, R extends StoredRecord, New, Commands> {
  create(account: AccountRef, input: New, options: CommandOptions<Tx>): Promise<Result<R, Refusal>>;
  /** Gives a command: the new state, its history and its events are stored together. */
  perform<C extends keyof Commands & string>(
    account: AccountRef,
    id: string,
    command: C,
    input: Commands[C],
    options: CommandOptions<Tx>,
  ): Promise<Result<R, Refusal>>;
  find(account: AccountRef, id: string): Promise<Result<R, Refusal>>;
  /** Oldest first unless `newestFirst`; by `updatedAt` if the filter has `updatedFrom` or `updatedTo`, else by `createdAt`. */
  list(account: AccountRef, page?: PageRequest, filter?: RequestFilter): Promise<Result<Page<R>, InvalidCursor>>;
  /** What happened to an object, who gave the commands, and why. Oldest first unless `newestFirst`. */
  history(
    account: AccountRef,
    id: string,
    page?: PageRequest,
  ): Promise<Result<Page<HistoryEntry>, Refusal | InvalidCursor>>;
}

/** @internal */
export interface CollectionDeps<Tx extends object> extends PerformDeps<Tx> {
  readonly storage: Pick<Storage<Tx>, 'transaction'>;
}

/** Runs in the host's transaction, or in one of its own. @internal */
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

/** The command that untyped code names. @throws TypeError when there is none of the name. @internal */
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

/** A refusal by version: the caller said which one it meant, or another command came first. */
const asVersionMismatch = (refusal: Refusal, versions: Versions): Refusal =>
  refusal.code === 'changed_meanwhile' && versions !== undefined ? { code: 'version_mismatch' } : refusal;

/** The reading half of a collection. @internal */
export const readsOf = <Tx extends object, R extends StoredRecord>(
  kind: Kind<Tx, R>,
): Pick<Collection<Tx, R, never, never>, 'find' | 'list' | 'history'> => {
  /** A list of one account, in one environment, by one filter, in one order: cursors of others are refused. */
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
      // No object has a text that cannot be stored.
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

/** What makes the objects of one kind. @internal */
export interface CollectionShape<Tx extends object, R extends StoredRecord, C extends string, S extends z.ZodType> {
  readonly kind: Kind<Tx, R>;
  readonly machine: Machine<ObjectName, R['status'], C | 'create'>;
  readonly actions: Readonly<Record<C, Action<R>>>;
  readonly created: S;
  readonly make: (account: AccountRef, input: z.output<S>, context: NewContext, tx: Tx) => Promise<Result<R, Refusal>>;
}

/** @internal */
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
): Collection<Tx, R, New, Commands> => ({
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
  perform: async (account, id, command, input, { tx, ifVersion, actor = hostActor }) => {
    const name = assertCommand<C>(machine, command);
    const { input: schema, apply } = actions[name];
    const read = readInput(schema, input);
    if (read.isErr()) return err(read.error);
    return inTransaction(deps, tx, async (open) => {
      const found = await find(kind, account, id, open);
      if (found.isErr()) return err(found.error);
      const current = found.value;
      const taken = takeStep(machine, apply, current, name, read.value, { now: deps.now(), actor });
      if (taken.isErr()) return err(taken.error);
      // A condition counts only where the command would succeed without it (RFC 9110 §13.2.1).
      if (!matchesVersion(current, ifVersion)) return err({ code: 'version_mismatch' });
      const step = taken.value;
      if (!step) return ok(current);
      const carried = await carryOut(deps, effectsOf(kind, current, step), open);
      return carried.map(() => step.record).mapErr((refusal) => asVersionMismatch(refusal, ifVersion));
    });
  },
});
