import { err, ok, type Result } from 'neverthrow';
import type { ObjectName } from '../../catalogue/catalogue.ts';
import type { InvalidCursor } from '../../runtime/cursor.ts';
import { isObject } from '../../runtime/is-object.ts';
import type { Page, PageRequest } from '../../runtime/page.ts';
import type { Collection, CommandOptions } from '../collection.ts';
import { viewHistoryEntry } from '../history.ts';
import type { Machine, Rule } from '../machine.ts';
import type { AccountRef, StoredRecord } from '../record.ts';
import { type Refusal, wrongField } from '../refusal.ts';
import type { RequestFilter } from '../stores.ts';

/** An object as a response shows it. @internal */
export interface Shown {
  readonly version: number;
  readonly view: { readonly id: string };
}

/** The values of a path. @internal */
export type Params = Readonly<Record<string, string>>;
type Listed = Promise<Result<Page<object>, Refusal | InvalidCursor>>;

/** What partners manage under one path; what they send is checked in here. @internal */
export interface Resource<Tx extends object> {
  /** Below the account. Its objects are at `/:id`. */
  readonly path: string;
  /** The commands that are served below it. */
  readonly rules: Readonly<Record<string, Rule>>;
  readonly states: readonly string[];
  /** The filters of its list that not every list has. */
  readonly filters: readonly ('recipientEmail' | 'templateId' | 'depositId')[];
  create(
    account: AccountRef,
    params: Params,
    input: unknown,
    options: CommandOptions<Tx>,
  ): Promise<Result<Shown, Refusal>>;
  perform(
    account: AccountRef,
    params: Params,
    command: string,
    input: unknown,
    options: CommandOptions<Tx>,
  ): Promise<Result<Shown, Refusal>>;
  find(account: AccountRef, params: Params): Promise<Result<Shown, Refusal>>;
  list(account: AccountRef, params: Params, page: PageRequest, filter: RequestFilter): Listed;
  history(account: AccountRef, params: Params, page: PageRequest): Listed;
}

/** What a resource shows. @internal */
export interface ResourceShape<R extends StoredRecord> {
  readonly path: string;
  readonly machine: Machine<ObjectName, R['status']>;
  readonly view: (record: R) => { readonly id: string };
  readonly filters: Resource<object>['filters'];
}

const idOf = (params: Params): string => params['id'] ?? '';

/** @internal */
export const resourceOf = <Tx extends object, R extends StoredRecord, New, Commands>(
  collection: Collection<Tx, R, New, Commands>,
  { path, machine: { states, commands }, view, filters }: ResourceShape<R>,
): Resource<Tx> => {
  const show = (record: R): Shown => ({ version: record.version, view: view(record) });
  return {
    path,
    states,
    rules: commands,
    filters,
    create: async (account, _params, input, options) =>
      (await collection.create(account, input as New, options)).map(show),
    perform: async (account, params, command, input, options) =>
      (
        await collection.perform(account, idOf(params), command as keyof Commands & string, input as never, options)
      ).map(show),
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

/** A list of objects, one by one, whose commands are served elsewhere. @internal */
export const readOnly = <Tx extends object>(resource: Resource<Tx>): Resource<Tx> => ({ ...resource, rules: {} });

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
        : err({ code: 'not_found' as const }),
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
    // No cash-out changes its deposit: this may be looked up before the command.
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
