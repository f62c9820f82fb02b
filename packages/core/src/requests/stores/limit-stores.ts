import type { CallKind, PortLimit } from '../../base/runtime/port-limit.ts';
import { forEachKind } from '../record/names.ts';
import type { StoredRequest } from '../record/record.ts';
import type { RequestRecordStores, RequestStore, RequestStores } from './stores.ts';

const kinds: Readonly<Record<Exclude<keyof RequestStore<object, StoredRequest>, 'storesEvents'>, CallKind>> = {
  insert: 'inTransaction',
  find: 'read',
  lock: 'inTransaction',
  replace: 'inTransaction',
  remove: 'inTransaction',
  list: 'read',
  listHistory: 'read',
};

/** Stores whose calls end in time. */
export const limitStores = <Tx extends object>({ of }: PortLimit, stores: RequestStores<Tx>): RequestStores<Tx> => {
  const records = forEachKind((name) => ({
    ...of<RequestStore<Tx, StoredRequest>>(`storage.requests.${name}`, stores[name], kinds),
    ...(stores[name].storesEvents ? { storesEvents: true as const } : {}),
  }));
  return {
    // Each has the records of its kind.
    ...(records as RequestRecordStores<Tx>),
    references: of('storage.requests.references', stores.references, {
      claim: 'inTransaction',
      release: 'inTransaction',
    }),
    transactions: of('storage.requests.transactions', stores.transactions, {
      insert: 'inTransaction',
      remove: 'inTransaction',
      findAll: 'inTransaction',
      find: 'read',
      list: 'read',
      sum: 'read',
    }),
    due: of('storage.requests.due', stores.due, { plan: 'inTransaction', claim: 'write', release: 'write' }),
    idempotency: of('storage.requests.idempotency', stores.idempotency, {
      claim: 'inTransaction',
      complete: 'inTransaction',
    }),
  };
};
