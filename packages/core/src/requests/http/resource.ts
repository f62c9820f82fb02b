import { err, ok, type Result } from 'neverthrow';
import type { ObjectName } from '../../catalogue/catalogue.ts';
import type { InvalidCursor } from '../../runtime/cursor.ts';
import type { Page, PageRequest } from '../../runtime/page.ts';
import { cashOutMachine } from '../cashouts/machine.ts';
import type { CashOuts } from '../cashouts/manage.ts';
import { type SecurityDeposit, viewCashOut } from '../deposits/deposit.ts';
import type { CashOutCommands, CashOutInput } from '../inputs.ts';
import type { Machine, Rule } from '../machine.ts';
import type { CommandOptions, Managed } from '../managed.ts';
import type { Owner, Recorded } from '../record.ts';
import type { Refusal } from '../refusal.ts';
import type { RequestFilter } from '../stores.ts';

/** An object as an answer shows it. @internal */
export interface Shown {
  readonly version: number;
  readonly view: { readonly id: string };
}

/** The values of a path. @internal */
export type Params = Readonly<Record<string, string>>;

/** What partners manage under one path; what they send is checked in here. @internal */
export interface Resource<Tx extends object> {
  /** Below the account. Its objects are at `/:id`. */
  readonly path: string;
  readonly rules: Readonly<Record<string, Rule>>;
  readonly states: readonly string[];
  /** Whether its objects can be listed by their template. */
  readonly byTemplate: boolean;
  /** Whether its list has pages: a short one has none. */
  readonly paged: boolean;
  create(owner: Owner, params: Params, input: unknown, options: CommandOptions<Tx>): Promise<Result<Shown, Refusal>>;
  perform(
    owner: Owner,
    params: Params,
    command: string,
    input: unknown,
    options: CommandOptions<Tx>,
  ): Promise<Result<Shown, Refusal>>;
  find(owner: Owner, params: Params): Promise<Result<Shown, Refusal>>;
  list(
    owner: Owner,
    params: Params,
    page: PageRequest,
    filter: RequestFilter,
  ): Promise<Result<Page<object>, Refusal | InvalidCursor>>;
}

const idOf = (params: Params): string => params['id'] ?? '';

/** @internal */
export const resourceOf = <Tx extends object, R extends Recorded, New, Commands>(
  path: string,
  managed: Managed<Tx, R, New, Commands>,
  { states, commands }: Machine<ObjectName, R['status']>,
  view: (record: R) => { readonly id: string },
): Resource<Tx> => {
  const show = (record: R): Shown => ({ version: record.version, view: view(record) });
  return {
    path,
    states,
    rules: commands,
    byTemplate: !path.endsWith('-templates'),
    paged: true,
    create: async (owner, _params, input, options) => (await managed.create(owner, input as New, options)).map(show),
    perform: async (owner, params, command, input, options) =>
      (await managed.perform(owner, idOf(params), command as keyof Commands & string, input as never, options)).map(
        show,
      ),
    find: async (owner, params) => (await managed.find(owner, idOf(params))).map(show),
    list: async (owner, _params, page, filter) =>
      (await managed.list(owner, page, filter)).map(({ items, ...rest }) => ({ ...rest, items: items.map(view) })),
  };
};

/** The cash-outs of one deposit. Their version is the deposit's. @internal */
export const cashOutResource = <Tx extends object>(
  deposits: Pick<Managed<Tx, SecurityDeposit, never, object>, 'find'>,
  cashOuts: CashOuts<Tx>,
): Resource<Tx> => {
  const depositOf = (params: Params): string => params['depositId'] ?? '';
  const show = (deposit: SecurityDeposit, id: string | undefined): Result<Shown, Refusal> => {
    const cashOut = deposit.cashOuts.find((each) => each.id === id);
    return cashOut ? ok({ version: deposit.version, view: viewCashOut(cashOut, deposit) }) : err({ code: 'not_found' });
  };
  return {
    path: 'security-deposits/:depositId/cash-outs',
    states: cashOutMachine.states,
    rules: cashOutMachine.commands,
    byTemplate: false,
    paged: false,
    create: async (owner, params, input, options) =>
      (await cashOuts.create(owner, depositOf(params), input as CashOutInput, options)).andThen((deposit) =>
        show(deposit, deposit.cashOuts.at(-1)?.id),
      ),
    perform: async (owner, params, command, input, options) =>
      (
        await cashOuts.perform(
          owner,
          depositOf(params),
          idOf(params),
          command as keyof CashOutCommands,
          input as never,
          options,
        )
      ).andThen((deposit) => show(deposit, idOf(params))),
    find: async (owner, params) =>
      (await deposits.find(owner, depositOf(params))).andThen((deposit) => show(deposit, idOf(params))),
    list: async (owner, params, _page, { status, createdFrom = 0, createdTo = Number.POSITIVE_INFINITY }) =>
      (await deposits.find(owner, depositOf(params))).map((deposit) => ({
        items: deposit.cashOuts
          .filter((each) => status === undefined || each.status === status)
          .filter(({ createdAt }) => createdAt >= createdFrom && createdAt < createdTo)
          .map((each) => viewCashOut(each, deposit)),
      })),
  };
};
