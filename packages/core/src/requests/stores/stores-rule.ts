import { every, type OptionRule, type OptionRules, port, withMembers } from '../../base/runtime/option-rules.ts';
import { forEachKind } from '../record/names.ts';
import type { StoredRequest } from '../record/record.ts';
import type { DueStore } from './due-store.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import type { ReferenceStore } from './references.ts';
import type { RequestStore, RequestStores } from './stores.ts';
import type { TransactionStore } from './transaction-store.ts';

/** The stores of requests in a storage. */
export const requestStoresRule = (remedy: string): OptionRule => {
  const recordStore = port<RequestStore<object, StoredRequest>>(
    { insert: true, find: true, lock: true, replace: true, remove: true, list: true, listHistory: true },
    remedy,
  );
  return every(
    port<object>({}, remedy),
    withMembers({
      ...forEachKind(() => recordStore),
      references: port<ReferenceStore<object>>({ claim: true, release: true }, remedy),
      transactions: port<TransactionStore<object>>(
        { insert: true, remove: true, findAll: true, find: true, list: true, sum: true },
        remedy,
      ),
      due: port<DueStore<object>>({ plan: true, claim: true, release: true }, remedy),
      idempotency: port<IdempotencyStore<object>>({ claim: true, complete: true }, remedy),
    } satisfies OptionRules<keyof RequestStores<object>>),
  );
};
