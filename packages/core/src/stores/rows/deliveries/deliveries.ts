import type { DeliveryStore, PendingDelivery, StoreState } from '../../../webhooks/deliveries/delivery-store.ts';
import { readState } from '../endpoints/versions.ts';
import type { Plan, RowStore, RowTx } from '../port/row-store.ts';
import { dispatchAnnounced, dispatchEvents, readOutbox } from './dispatch.ts';
import { readDue, readEndpoints, readQueued, readQueuedAccounts } from './reads.ts';
import { recover } from './recover.ts';
import { settle } from './settle.ts';

/** Deliveries of workers over rows. */
export const rowDeliveries = (store: Pick<RowStore<object>, 'run'>): DeliveryStore => {
  /** A read with the state of the store at its moment. */
  const read = <T, R>(
    knownVersion: number,
    plan: (rows: RowTx) => Plan<T>,
    answer: (state: StoreState, found: T) => R,
  ): Promise<R> =>
    store.run('read', function* (rows) {
      const state = yield* readState(rows, knownVersion);
      return answer(state, yield* plan(rows));
    });
  const readDeliveries = (knownVersion: number, plan: (rows: RowTx) => Plan<readonly PendingDelivery[]>) =>
    read(knownVersion, plan, (state, deliveries) => ({ ...state, deliveries }));
  return {
    readOutbox: (ranges, limit, known) =>
      read(
        known,
        (rows) => readOutbox(rows, ranges, limit),
        (state, events) => ({ ...state, events }),
      ),
    dispatch: (workerId, dispatched, changes, notBefore) =>
      store.run('write', (rows) => dispatchEvents(rows, workerId, { dispatched, changes }, notBefore)),
    dispatchAnnounced: (workerId, events, notBefore) =>
      store.run('write', (rows) => dispatchAnnounced(rows, workerId, events, notBefore)),
    settle: (workerId, settlement, known) => store.run('write', (rows) => settle(rows, workerId, settlement, known)),
    readDue: (shards, limit, except, known) => readDeliveries(known, (rows) => readDue(rows, shards, limit, except)),
    readQueued: (queues, except, known) => readDeliveries(known, (rows) => readQueued(rows, queues, except)),
    recover: (workerId, shards) => store.run('write', (rows) => recover(rows, workerId, shards)),
    readEndpoints: (accountIds, known) =>
      read(
        known,
        (rows) => readEndpoints(rows, accountIds),
        (state, endpoints) => ({ ...state, endpoints }),
      ),
    readQueuedAccounts: (ranges, limit) => store.run('read', (rows) => readQueuedAccounts(rows, ranges, limit)),
  };
};
