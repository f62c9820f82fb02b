import { z } from 'zod';
import { portSchema } from '../../base/runtime/option-schemas.ts';
import { forEachKind } from '../record/names.ts';
import type { StoredRequest } from '../record/record.ts';
import type { DueStore } from './due-store.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import type { ReferenceStore } from './references.ts';
import type { RequestStore, RequestStores } from './stores.ts';
import type { TransactionStore } from './transaction-store.ts';

/** Schema of the stores of requests in a storage. */
export const requestStoresSchema = (remedy: string) => {
  const recordStore = portSchema<RequestStore<object, StoredRequest>>(
    { insert: true, find: true, lock: true, replace: true, remove: true, list: true, listHistory: true },
    remedy,
  );
  return portSchema<object>({}, remedy).pipe(
    z.looseObject({
      ...forEachKind(() => recordStore),
      references: portSchema<ReferenceStore<object>>({ claim: true, release: true }, remedy),
      transactions: portSchema<TransactionStore<object>>(
        { insert: true, remove: true, findAll: true, list: true, sum: true },
        remedy,
      ),
      due: portSchema<DueStore<object>>({ plan: true, claim: true, release: true }, remedy),
      idempotency: portSchema<IdempotencyStore<object>>({ claim: true, complete: true }, remedy),
    } satisfies Record<keyof RequestStores<object>, z.ZodType>),
  );
};
