import type { RequestStores } from '../../../requests/stores/stores.ts';
import type { RowStore } from '../port/row-store.ts';
import { rowReferences, rowResponses } from './claims.ts';
import { rowDue } from './due.ts';
import { rowRecords } from './records.ts';
import { rowTransactions } from './transactions.ts';

/** The stores of requests over rows. */
export const rowRequests = <Tx extends object>(store: Pick<RowStore<Tx>, 'run' | 'join'>): RequestStores<Tx> => ({
  payments: rowRecords(store, 'payments'),
  deposits: rowRecords(store, 'deposits'),
  cashOuts: rowRecords(store, 'cashOuts'),
  paymentTemplates: rowRecords(store, 'paymentTemplates'),
  depositTemplates: rowRecords(store, 'depositTemplates'),
  references: rowReferences(store),
  due: rowDue(store),
  idempotency: rowResponses(store),
  transactions: rowTransactions(store),
});
