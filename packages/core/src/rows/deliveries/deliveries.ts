import type { DeliveryStore, StoreState } from '../../deliveries/delivery-store.ts';
import { readState } from '../endpoints/versions.ts';
import type { Plan, RowStore, RowTx } from '../port/row-store.ts';
import { dispatchAnnounced, dispatchEvents, readOutbox } from './dispatch.ts';
import { readDue, readEndpoints, readQueued, readQueuedAccounts } from './reads.ts';
import { recover } from './recover.ts';
import { settle } from './settle.ts';

/** Deliveries of workers over rows. @internal */
export const rowDeliveries = (store: Pick<RowStore<object>, 'run'>): DeliveryStore => {
  /** A read with the state of the store at its moment. */
  const read = <N extends string, T>(
    name: N,
    knownVersion: number,
    plan: (rows: RowTx) => Plan<T>,
  ): Promise<StoreState & { readonly [K in N]: T }> =>
    store.run('read', function* (rows) {
      const state = yield* readState(rows, knownVersion);
      return { ...state, [name]: yield* plan(rows) } as StoreState & { readonly [K in N]: T };
    });
  return {
    readOutbox: (ranges, limit, known) => read('events', known, (rows) => readOutbox(rows, ranges, limit)),
    dispatch: (workerId, events, pending, notBefore) =>
      store.run('write', (rows) => dispatchEvents(rows, workerId, events, pending, notBefore)),
    dispatchAnnounced: (workerId, events, notBefore) =>
      store.run('write', (rows) => dispatchAnnounced(rows, workerId, events, notBefore)),
    settle: (workerId, settlement, known) => store.run('write', (rows) => settle(rows, workerId, settlement, known)),
    readDue: (shards, limit, except, known) =>
      read('deliveries', known, (rows) => readDue(rows, shards, limit, except)),
    readQueued: (queues, except, known) => read('deliveries', known, (rows) => readQueued(rows, queues, except)),
    recover: (workerId, shards) => store.run('write', (rows) => recover(rows, workerId, shards)),
    readEndpoints: (accountIds, known) => read('endpoints', known, (rows) => readEndpoints(rows, accountIds)),
    readQueuedAccounts: (ranges, limit) => store.run('read', (rows) => readQueuedAccounts(rows, ranges, limit)),
  };
};
