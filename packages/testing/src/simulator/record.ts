import type { ClaimRequest, Endpoint, Storage, Taken } from '@partnerkit/core';
import type { Process, Scheduler } from './scheduler.ts';
import type { Ended, Grant, Happened } from './trace.ts';

/** What the storage did, at the moment of its effect. @internal */
export interface Records {
  readonly grants: Grant[];
  readonly ended: Ended[];
  readonly happened: Happened[];
}

/** An event of the trace before it has its place. */
type Placeless<T> = T extends unknown ? Omit<T, 'order' | 'at'> : never;

/** Storage that notes the leases which it gives a process, their ends, and what becomes of endpoints. @internal */
export const recordStorage = <Tx extends object>(
  storage: Storage<Tx>,
  process: Process,
  scheduler: Scheduler,
  { grants, ended, happened }: Records,
): Storage<Tx> => {
  const { queue, endpoints } = storage;
  const place = () => ({ order: grants.length + ended.length + happened.length, at: scheduler.now() });
  const note = (event: Placeless<Happened>): void => {
    happened.push({ ...place(), ...event });
  };
  const noteTaken = ({ claimed, abandoned }: Taken, { lease }: ClaimRequest): void => {
    for (const each of abandoned) note({ kind: 'abandoned', abandoned: each });
    for (const { deliveryId, lease: token, attempt, event, endpoint } of claimed) {
      grants.push({
        ...place(),
        process: process.name,
        deliveryId,
        lease: token,
        until: scheduler.now() + lease,
        attempt,
        accountId: event.accountId,
        endpointId: endpoint.id,
      });
    }
  };
  return {
    ...storage,
    endpoints: {
      ...endpoints,
      replaceEndpoint: async (endpoint: Endpoint) => {
        const replaced = await endpoints.replaceEndpoint(endpoint);
        if (replaced) note({ kind: 'changed', endpointId: endpoint.id, state: endpoint.state });
        return replaced;
      },
      deleteEndpoint: async (accountId, endpointId) => {
        const deleted = await endpoints.deleteEndpoint(accountId, endpointId);
        if (deleted) note({ kind: 'changed', endpointId, state: undefined });
        return deleted;
      },
    },
    queue: {
      ...queue,
      dispatch: async (want) => {
        const dispatched = await queue.dispatch(want);
        noteTaken(dispatched, want);
        return dispatched;
      },
      claim: async (want) => {
        const taken = await queue.claim(want);
        noteTaken(taken, want);
        return taken;
      },
      settle: async (settlements) => {
        const turns = await queue.settle(settlements);
        for (const settlement of settlements) {
          const { deliveryId, lease, next } = settlement;
          ended.push({ ...place(), deliveryId, lease, next, settlement });
        }
        for (const turn of turns) note({ kind: 'turned', turn });
        return turns;
      },
      release: async (claims) => {
        await queue.release(claims);
        for (const { deliveryId, lease } of claims) ended.push({ ...place(), deliveryId, lease });
      },
      prune: async (limits) => {
        const pruned = await queue.prune(limits);
        for (const { endpointId, deliveries } of pruned.expired) note({ kind: 'expired', endpointId, deliveries });
        return pruned;
      },
    },
  };
};
