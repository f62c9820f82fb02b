import { err, ok, type Result } from 'neverthrow';
import type { z } from 'zod';
import type { ObjectName } from '../catalogue/catalogue.ts';
import { type InvalidCursor, readPage } from '../runtime/cursor.ts';
import type { Page, PageRequest } from '../runtime/page.ts';
import { isIdentifier } from '../runtime/text.ts';
import type { Storage } from '../storage.ts';
import { type Action, step } from './decide.ts';
import { readInput } from './fields.ts';
import type { Machine } from './machine.ts';
import { create, type Decision, find, type Kind, owned, type PerformDeps, perform } from './perform.ts';
import { assertOwner, type Owner, type Recorded } from './record.ts';
import type { Refusal } from './refusal.ts';
import type { RequestFilter } from './stores.ts';
import { transact } from './transact.ts';

/**
 * How to give a command.
 * @public
 */
export interface CommandOptions<Tx extends object> {
  /** Your open transaction; `'new'` says that there is none. */
  readonly tx: Tx | 'new';
  /** The version, or versions, that the command is meant for. @defaultValue whichever there is */
  readonly ifVersion?: number | readonly number[] | undefined;
}

/**
 * The objects of one kind. Each call names the account; what is another's answers `not_found`. It rejects only when the infrastructure
 * fails, so that your transaction rolls back by itself; a refusal is a value and has written nothing.
 * @public
 */
export interface Managed<Tx extends object, R extends Recorded, New, Commands> {
  create(owner: Owner, input: New, options: CommandOptions<Tx>): Promise<Result<R, Refusal>>;
  /** Gives a command: the new state and its events are stored together. */
  perform<C extends keyof Commands & string>(
    owner: Owner,
    id: string,
    command: C,
    input: Commands[C],
    options: CommandOptions<Tx>,
  ): Promise<Result<R, Refusal>>;
  find(owner: Owner, id: string): Promise<Result<R, Refusal>>;
  /** Oldest first unless `newestFirst`. */
  list(owner: Owner, page?: PageRequest, filter?: RequestFilter): Promise<Result<Page<R>, InvalidCursor>>;
}

/** @internal */
export interface ManagedDeps<Tx extends object> extends PerformDeps<Tx> {
  readonly storage: Pick<Storage<Tx>, 'transaction'>;
}

/** Runs in the host's transaction, or in one of its own. */
const within = <Tx extends object, T>(
  { storage }: ManagedDeps<Tx>,
  tx: Tx | 'new',
  work: (tx: Tx) => Promise<Result<T, Refusal>>,
): Promise<Result<T, Refusal>> => {
  if (tx === 'new') return transact(storage, work);
  // The transaction of some drivers is a function: a tag for templates.
  if (tx === null || (typeof tx !== 'object' && typeof tx !== 'function'))
    throw new TypeError("tx: hand over your open transaction, or 'new' when there is none.");
  return work(tx);
};

/** What untyped code names a command. @throws TypeError when there is none of the name that may be given. @internal */
export const given = <C extends string>({ commands }: Machine<ObjectName, string, C | 'create'>, name: string): C => {
  const rule = Object.hasOwn(commands, name) ? commands[name as C] : undefined;
  if (!rule || rule.by === 'rule' || rule.from.length === 0) throw new TypeError(`There is no command "${name}".`);
  return name as C;
};

/** Reads what a command is given, and performs it with that. @internal */
export const performWith = async <Tx extends object, R extends Recorded, S extends z.ZodType>(
  deps: ManagedDeps<Tx>,
  kind: Kind<Tx, R>,
  object: { readonly owner: Owner; readonly id: string },
  given: { readonly schema: S; readonly input: unknown; readonly options: CommandOptions<Tx> },
  decide: (input: z.output<S>) => Decision<R>,
): Promise<Result<R, Refusal>> => {
  const read = readInput(given.schema, given.input);
  if (read.isErr()) return err(read.error);
  const { tx, ifVersion } = given.options;
  return within(deps, tx, (open) => perform(deps, kind, object.owner, object.id, decide(read.value), ifVersion, open));
};

/** @internal */
export const manage = <Tx extends object, R extends Recorded, New, Commands, S extends z.ZodType, C extends string>(
  deps: ManagedDeps<Tx>,
  kind: Kind<Tx, R>,
  machine: Machine<ObjectName, R['status'], C | 'create'>,
  actions: Readonly<Record<C, Action<R>>>,
  created: S,
  make: (owner: Owner, input: z.output<S>, tx: Tx) => Promise<Result<R, Refusal>>,
): Managed<Tx, R, New, Commands> => {
  /** A list of one account, in one environment, by one filter, in one order: cursors of others are refused. */
  const scope = (owner: Owner, { newestFirst = false }: PageRequest, filter: RequestFilter) => [
    kind.objectName,
    owner.id,
    owner.environment,
    newestFirst,
    filter.status,
    filter.templateId,
    filter.createdFrom,
    filter.createdTo,
  ];
  return {
    create: async (owner, input, { tx }) => {
      const read = readInput(created, input);
      if (read.isErr()) return err(read.error);
      return within(deps, tx, async (open) => {
        const made = await make(owner, read.value, open);
        if (made.isOk()) await create(deps, kind, made.value, open);
        return made;
      });
    },
    perform: async (owner, id, command, input, options) => {
      const name = given<C>(machine, command);
      const { input: schema, apply } = actions[name];
      return performWith(
        deps,
        kind,
        { owner, id },
        { schema, input, options },
        (read) => (held, context) => step(machine, apply, held, name, read, context).map((taken) => [taken]),
      );
    },
    find: async (owner, id) => find(kind, owner, id),
    list: async (owner, page = {}, filter = {}) => {
      assertOwner(owner);
      // Nothing has such a status, or such a template.
      if ([filter.status, filter.templateId].some((text) => text !== undefined && !isIdentifier(text)))
        return ok({ items: [] });
      const read = await readPage(scope(owner, page, filter), page, (opened) => kind.store.list(owner, opened, filter));
      return read.map(({ items, ...rest }) => ({
        ...rest,
        items: items.filter((each) => owned(each, owner, each.id).isOk()),
      }));
    },
  };
};
