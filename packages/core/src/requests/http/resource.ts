import { err, ok, type Result } from 'neverthrow';
import type { z } from 'zod';
import type { ObjectName } from '../../catalogue/specification.ts';
import type { InvalidCursor } from '../../pagination/cursor.ts';
import type { Page, PageRequest } from '../../pagination/page.ts';
import { failure } from '../../runtime/failure.ts';
import { isObject } from '../../runtime/is-object.ts';
import type { CommandOptions, RawCollection } from '../collection.ts';
import { viewHistoryEntry } from '../history.ts';
import type { Machine, Rule } from '../machine.ts';
import type { AccountRef, StoredRecord } from '../record.ts';
import { type Refusal, wrongField } from '../refusal.ts';
import type { RequestFilter } from '../stores.ts';

/** How the document names a resource, and the schemas of what it reads and shows. @internal */
export interface ResourceDocument {
  /** Singular, in Pascal case. */
  readonly name: string;
  /** The partner's view. */
  readonly view: z.ZodType;
  /** The input that creates an object. */
  readonly created: z.ZodType;
  /** The input of each command. */
  readonly inputs: Readonly<Record<string, z.ZodType>>;
}

/** An object as a response contains it. @internal */
export interface Shown {
  /** The version, which is the ETag. */
  readonly version: number;
  /** The partner's view. */
  readonly view: { readonly id: string };
}

/** The values of a path. @internal */
export type Params = Readonly<Record<string, string>>;
type Listed = Promise<Result<Page<object>, Refusal | InvalidCursor>>;

/** The objects that partners manage under one path. @internal */
export interface Resource<Tx extends object> {
  /** The path below the account. Objects are at `/:id`. */
  readonly path: string;
  /** The commands served below the path. */
  readonly rules: Readonly<Record<string, Rule>>;
  /** The states that `status` may name. */
  readonly states: readonly string[];
  /** The filters that only some lists have. */
  readonly filters: readonly ('recipientEmail' | 'templateId' | 'depositId')[];
  /** Its part of the OpenAPI document. */
  readonly document: ResourceDocument;
  /** Creates an object. */
  create(
    account: AccountRef,
    params: Params,
    input: unknown,
    options: CommandOptions<Tx>,
  ): Promise<Result<Shown, Refusal>>;
  /** Gives a command. */
  perform(
    account: AccountRef,
    params: Params,
    command: string,
    options: CommandOptions<Tx> & { readonly input: unknown },
  ): Promise<Result<Shown, Refusal>>;
  /** Reads one object. */
  find(account: AccountRef, params: Params): Promise<Result<Shown, Refusal>>;
  /** Lists objects. */
  list(account: AccountRef, params: Params, page: PageRequest, filter: RequestFilter): Listed;
  /** Lists the history of one object. */
  history(account: AccountRef, params: Params, page: PageRequest): Listed;
}

/** What defines a resource. @internal */
export interface ResourceShape<R extends StoredRecord> {
  /** The path below the account. */
  readonly path: string;
  /** The states and commands. */
  readonly machine: Machine<ObjectName, R['status']>;
  /** The partner's view. */
  readonly view: (record: R) => { readonly id: string };
  /** The filters that only some lists have. */
  readonly filters: Resource<object>['filters'];
  /** Its part of the OpenAPI document. */
  readonly document: ResourceDocument;
}

const idOf = (params: Params): string => params['id'] ?? '';

/** The resource of a collection. @internal */
export const resourceOf = <Tx extends object, R extends StoredRecord, New, Commands>(
  collection: RawCollection<Tx, R, New, Commands>,
  { path, machine: { states, commands }, view, filters, document }: ResourceShape<R>,
): Resource<Tx> => {
  const show = (record: R): Shown => ({ version: record.version, view: view(record) });
  return {
    path,
    states,
    rules: commands,
    filters,
    document,
    create: async (account, _params, input, options) =>
      (await collection.create(account, input as New, options)).map(show),
    perform: async (account, params, command, options) =>
      (await collection.perform(account, idOf(params), command as keyof Commands & string, options as never)).map(show),
    find: async (account, params) => (await collection.find(account, idOf(params))).map(show),
    list: async (account, _params, page, filter) =>
      (await collection.list(account, page, filter)).map(({ items, ...rest }) => ({ ...rest, items: items.map(view) })),
    history: async (account, params, page) =>
      (await collection.history(account, idOf(params), page)).map(({ items, ...rest }) => ({
        ...rest,
        items: items.map(viewHistoryEntry),
      })),
  };
};

/** A resource whose commands are served under another path. @internal */
export const readOnly = <Tx extends object>(resource: Resource<Tx>): Resource<Tx> => ({
  ...resource,
  rules: {},
  document: { ...resource.document, name: `Account${resource.document.name}` },
});

/** The cash-outs of the deposit in the path. @internal */
export const withinDeposit = <Tx extends object>(
  resource: Resource<Tx>,
  findDeposit: (account: AccountRef, id: string) => Promise<Result<StoredRecord, Refusal>>,
): Resource<Tx> => {
  const depositOf = (params: Params): string => params['depositId'] ?? '';
  const find: Resource<Tx>['find'] = async (account, params) =>
    (await resource.find(account, params)).andThen((shown) =>
      (shown.view as { readonly depositId?: string }).depositId === depositOf(params)
        ? ok(shown)
        : err(failure('not_found')),
    );
  return {
    ...resource,
    path: 'security-deposits/:depositId/cash-outs',
    filters: [],
    create: async (account, params, input, options) => {
      if (isObject(input) && Object.hasOwn(input, 'depositId')) return err(wrongField('/depositId', 'no such field.'));
      const whole = isObject(input) ? { ...input, depositId: depositOf(params) } : input;
      return resource.create(account, params, whole, options);
    },
    // A cash-out never moves to another deposit: the check may precede the command.
    perform: async (account, params, ...rest) => {
      const found = await find(account, params);
      return found.isErr() ? err(found.error) : resource.perform(account, params, ...rest);
    },
    find,
    list: async (account, params, page, filter) => {
      const found = await findDeposit(account, depositOf(params));
      if (found.isErr()) return err(found.error);
      return resource.list(account, params, page, { ...filter, depositId: depositOf(params) });
    },
    history: async (account, params, page) => {
      const found = await find(account, params);
      return found.isErr() ? err(found.error) : resource.history(account, params, page);
    },
  };
};
