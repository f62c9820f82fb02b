import { z } from 'zod';
import { documentation } from '#documentation';
import { err, ok, type Result } from '#result';
import type { AccountCaller } from '../../api/management/shared-operations.ts';
import type { KeyOperation } from '../../api/operations/operation.ts';
import { listSchema, pageSchema } from '../../api/operations/page-schema.ts';
import { pageOf, pageParameters, secondsParameter } from '../../api/operations/query.ts';
import type { ListChildren } from '../../base/accounts/list-children.ts';
import { described } from '../../base/fields/field.ts';
import { present } from '../../base/fields/present.ts';
import type { EpochMs } from '../../base/runtime/time.ts';
import { showTransaction, transactionView } from '../books/transaction-view.ts';
import { listTransactions } from '../commands/read-transactions.ts';
import { toDecimal } from '../fields/money.ts';
import { exampleTime } from '../kinds/define-kind.ts';
import type {
  StoredTransaction,
  TransactionFilter,
  TransactionStore,
  TransactionTotal,
} from '../stores/transaction-store.ts';
import { findIn, maxBodyBytes, type Place, pathsOf, rightAt } from './place.ts';
import { childrenOf, read, shownPage, type TooManyChildren } from './read-operations.ts';
import { includeChildren } from './read-query.ts';
import { tagOf, withArticle } from './words.ts';

const view = transactionView
  .extend({
    organisationId: described(z.string(), 'The account that it belongs to.'),
    objectName: described(z.string(), 'The kind of its object.'),
    objectId: described(z.string(), 'The `id` of its object.'),
  })
  .register(documentation, {
    name: 'Transaction',
    description: 'A transaction of the payment processor.',
    example: {
      ...{ id: 'transaction_1', kind: 'charge', status: 'succeeded', amount: 120.5, currency: 'EUR', method: 'card' },
      ...{ settledAt: exampleTime, organisationId: 'account_1', objectName: 'RequestPayment', objectId: 'example_1' },
    },
  });
const show = ({ object: objectName, objectId, ...stored }: StoredTransaction) => {
  const { accountId: organisationId, environment: _environment, number: _number, isTimed: _isTimed, ...rest } = stored;
  return { ...showTransaction(rest), organisationId, objectName, objectId };
};

const total = z
  .object({
    kind: described(z.string(), 'The kind of the transactions.'),
    currency: described(z.string(), 'ISO 4217.'),
    count: described(z.int(), 'How many they are.'),
    amount: described(z.number(), 'Their sum, in this currency.'),
    fee: described(z.number(), 'What the processor kept of them, in this currency.'),
  })
  .register(documentation, {
    name: 'TransactionTotal',
    description: 'The transactions of one kind in one currency that succeeded.',
    example: { kind: 'charge', currency: 'EUR', count: 12, amount: 1446, fee: 21.6 },
  });
const showTotal = ({ amount, fee, currency, ...rest }: TransactionTotal) => ({
  ...rest,
  currency,
  amount: toDecimal({ amount, currency }),
  fee: toDecimal({ amount: fee, currency }),
});

const period = {
  settledFrom: secondsParameter('Settled at this second or later.'),
  settledTo: secondsParameter('Settled before this second.'),
};
const listQuery = z.strictObject({ ...pageParameters(), ...period });
const children = { includeChildren: includeChildren('include the transactions') };
const queriesOf = (hasChildren: boolean) =>
  hasChildren
    ? ({ list: listQuery.extend(children), sums: z.strictObject({ ...period, ...children }) } as const)
    : ({ list: listQuery, sums: z.strictObject(period) } as const);
interface Period {
  readonly settledFrom?: EpochMs | undefined;
  readonly settledTo?: EpochMs | undefined;
  readonly includeChildren?: boolean | undefined;
}
const periodOf = ({ settledFrom, settledTo }: Period): TransactionFilter =>
  present({ settledFrom, settledTo }) as TransactionFilter;
const path = '/organisations/:organisationId/transactions';
const answers = { 200: { description: 'A page of the list.', schema: pageSchema(view) } };

type Store = Pick<TransactionStore<never>, 'list' | 'sum'>;

/** The operations that read the transactions of an account, and of its children. */
export const transactionOperations = (
  store: Store,
  listChildren: ListChildren | undefined,
): readonly KeyOperation<AccountCaller>[] => {
  const queries = queriesOf(listChildren !== undefined);
  /** The period that a query names, and the children that it includes. */
  const filterOf = async (caller: AccountCaller, query: Period): Promise<Result<TransactionFilter, TooManyChildren>> =>
    query.includeChildren
      ? (await childrenOf(caller, listChildren)).map((found) => ({ ...periodOf(query), ...found }))
      : ok(periodOf(query));
  const list: KeyOperation<AccountCaller, typeof queries.list, undefined> = {
    method: 'GET',
    right: 'requests:read',
    maxBodyBytes,
    path,
    operationId: 'listTransactions',
    summary: 'Lists the transactions of the account',
    tag: 'Transactions',
    query: queries.list,
    answers,
    refuses: ['invalid_cursor'],
    handle: ({ caller, query }) =>
      read(async () => {
        const filter = await filterOf(caller, query);
        if (filter.isErr()) return err(filter.error);
        const listed = await listTransactions(store, caller.account, pageOf(query), filter.value);
        return listed.map((items) => shownPage(items, show));
      }),
  };
  const sums: KeyOperation<AccountCaller, typeof queries.sums, undefined> = {
    method: 'GET',
    right: 'requests:read',
    maxBodyBytes,
    path: `${path}/sums`,
    operationId: 'sumTransactions',
    summary: 'Sums up the transactions of the account',
    description: 'The sums of those that succeeded, by kind and currency. Reads every transaction of the period.',
    tag: 'Transactions',
    query: queries.sums,
    answers: { 200: { description: 'The sums.', schema: listSchema(total) } },
    handle: ({ caller, query }) =>
      read(async () => {
        const filter = await filterOf(caller, query);
        if (filter.isErr()) return err(filter.error);
        const totals = await store.sum(caller.account, filter.value);
        return ok({ body: { items: totals.map(showTotal) } });
      }),
  };
  return [list, sums] as readonly KeyOperation<AccountCaller>[];
};

/** The operation that lists the transactions of one object; none for a kind without books of its own. */
export const objectTransactionsOperations = <Tx extends object>(
  store: Store,
  place: Place<Tx>,
): readonly KeyOperation<AccountCaller>[] => {
  const { books, parent, object } = place.of.kind;
  if (!books || parent) return [];
  const operation: KeyOperation<AccountCaller, typeof listQuery, undefined> = {
    method: 'GET',
    right: rightAt(place, 'read'),
    maxBodyBytes,
    path: `${pathsOf(place).one}/transactions`,
    operationId: `list${place.name}Transactions`,
    summary: `Lists the transactions of ${withArticle(place.name)}`,
    tag: tagOf(place.name),
    query: listQuery,
    answers,
    refuses: ['invalid_cursor'],
    handle: ({ caller: { account }, params, query }) =>
      read(async () => {
        const found = await findIn(place, account, params);
        if (found.isErr()) return err(found.error);
        const of = { object: object as StoredTransaction['object'], objectId: found.value.id };
        const listed = await listTransactions(store, account, pageOf(query), { ...periodOf(query), of });
        return listed.map((items) => shownPage(items, show));
      }),
  };
  return [operation] as readonly KeyOperation<AccountCaller>[];
};
