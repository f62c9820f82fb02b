import type { CallKind, PortLimit } from '../runtime/port-limit.ts';
import type { StoredRecord } from './record.ts';
import type { RequestStore, RequestStores } from './stores.ts';

const kinds: Readonly<Record<keyof RequestStore<object, StoredRecord>, CallKind>> = {
  insert: 'inTransaction',
  find: 'read',
  replace: 'inTransaction',
  remove: 'inTransaction',
  list: 'read',
  listHistory: 'read',
};

/** Stores whose calls end in time. @internal */
export const limitStores = <Tx extends object>({ of }: PortLimit, stores: RequestStores<Tx>): RequestStores<Tx> => {
  const records = <R extends StoredRecord>(name: string, store: RequestStore<Tx, R>): RequestStore<Tx, R> =>
    of(`storage.requests.${name}`, store, kinds);
  return {
    payments: records('payments', stores.payments),
    deposits: records('deposits', stores.deposits),
    cashOuts: records('cashOuts', stores.cashOuts),
    paymentTemplates: records('paymentTemplates', stores.paymentTemplates),
    depositTemplates: records('depositTemplates', stores.depositTemplates),
    references: of('storage.requests.references', stores.references, {
      claim: 'inTransaction',
      release: 'inTransaction',
    }),
    idempotency: of('storage.requests.idempotency', stores.idempotency, {
      claim: 'inTransaction',
      complete: 'inTransaction',
    }),
  };
};
