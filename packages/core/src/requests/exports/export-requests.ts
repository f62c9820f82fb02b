import { allOf } from '../../base/pagination/all-pages.ts';
import { objectKinds, type RequestKindName } from '../record/names.ts';
import type { AccountRef, StoredRequest } from '../record/record.ts';
import type { RequestStore, RequestStores } from '../stores/stores.ts';
import type { StoredTransaction, TransactionObject } from '../stores/transaction-store.ts';
import type { RequestLine } from './request-line.ts';

/** Deposits before their cash-outs. */
const order: readonly RequestKindName[] = ['paymentTemplates', 'depositTemplates', 'payments', 'deposits', 'cashOuts'];
const withTransactions: readonly string[] = ['payments', 'deposits'] satisfies readonly RequestKindName[];

/** What is stored of one object. */
interface Of {
  readonly store: RequestStore<object, StoredRequest>;
  readonly account: AccountRef;
  readonly record: StoredRequest;
}

/** The transactions of commands that were given after the record was read. */
const laterTransactions = async ({ store, account, record }: Of): Promise<ReadonlySet<string>> => {
  const later = new Set<string>();
  const entries = allOf((page) => store.listHistory(account, record.id, { ...page, newestFirst: true }));
  for await (const { version, transactionId } of entries) {
    if (version <= record.version) break;
    if (transactionId !== undefined) later.add(transactionId);
  }
  return later;
};

/** The transactions of an object, as many as the record knows: a command may be given while it is exported. */
async function* transactionsOf(
  { transactions }: Pick<RequestStores<object>, 'transactions'>,
  object: TransactionObject,
  of: Of,
): AsyncGenerator<StoredTransaction> {
  const { transactionCount = 0 } = of.record as StoredRequest & { readonly transactionCount?: number };
  const filter = { of: { object, objectId: of.record.id } };
  let seen = 0;
  let held: StoredTransaction[] = [];
  for await (const each of allOf((page) => transactions.list(of.account, page, filter))) {
    seen += 1;
    held.push(each);
  }
  if (seen > transactionCount) {
    const later = await laterTransactions(of);
    held = held.filter(({ id }) => !later.has(id));
  }
  yield* held;
}

/** Exports the objects of an account with their history and transactions. */
export async function* exportRequests(stores: RequestStores<object>, account: AccountRef): AsyncGenerator<RequestLine> {
  for (const name of order) {
    const object = objectKinds[name];
    const store = stores[name] as RequestStore<object, StoredRequest>;
    for await (const record of allOf((page) => store.list(account, page))) {
      const { importedAt: _here, ...exported } = record;
      const isTemplate = object === 'ModelRequestPayment' || object === 'ModelRequestSecurityDeposit';
      // The store of a kind has the records of that kind.
      const line = isTemplate
        ? { kind: 'template', object, template: exported }
        : { kind: 'request', object, request: exported };
      yield line as unknown as RequestLine;
      for await (const entry of allOf((page) => store.listHistory(account, record.id, page))) {
        if (entry.version > record.version) break;
        yield { kind: 'history', object, objectId: record.id, entry };
      }
      if (withTransactions.includes(name))
        for await (const transaction of transactionsOf(stores, object as TransactionObject, { store, account, record }))
          yield { kind: 'transaction', transaction };
    }
  }
}
