import type { RequestStores } from '@partnerkit/core/adapter';
import type { Database } from '../database/database.ts';
import type { InsertEvents } from '../events/insert-events.ts';
import { createDueStore } from './due-store.ts';
import { createIdempotencyStore } from './idempotency-store.ts';
import { createReferenceStore } from './reference-store.ts';
import { requestKinds } from './request-kind.ts';
import { createRequestStore } from './request-store.ts';
import { createTransactionStore } from './transaction-store.ts';

/**
 * Stores of payment requests, security deposits, cash-outs and templates. A page of a list with several filters may be
 * short or empty and still have a `next`: continue until there is none.
 */
export const requestStores = <Tx extends object>(database: Database<Tx>, inserts: InsertEvents): RequestStores<Tx> => ({
  payments: createRequestStore(database, inserts, requestKinds.payments),
  deposits: createRequestStore(database, inserts, requestKinds.deposits),
  cashOuts: createRequestStore(database, inserts, requestKinds.cashOuts),
  paymentTemplates: createRequestStore(database, inserts, requestKinds.paymentTemplates),
  depositTemplates: createRequestStore(database, inserts, requestKinds.depositTemplates),
  references: createReferenceStore(database),
  transactions: createTransactionStore(database),
  due: createDueStore(database),
  idempotency: createIdempotencyStore(database),
});
