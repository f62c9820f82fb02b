import type { ClaimedDelivery, ClaimRequest, Storage } from '@partnerkit/core';
import type { Process, Scheduler } from './scheduler.ts';
import type { Ended, Grant } from './trace.ts';

/** What the queue did, at the moment of its effect. @internal */
export interface Records {
  readonly grants: Grant[];
  readonly ended: Ended[];
}

/** Storage that notes the leases which it gives a process, and their ends. @internal */
export const recordStorage = <Tx extends object>(
  storage: Storage<Tx>,
  process: Process,
  scheduler: Scheduler,
  { grants, ended }: Records,
): Storage<Tx> => {
  const { queue } = storage;
  const order = (): number => grants.length + ended.length;
  const note = (claimed: readonly ClaimedDelivery[], { lease }: ClaimRequest): void => {
    for (const { deliveryId, lease: token, attempt, event, endpoint } of claimed) {
      const at = scheduler.now();
      grants.push({
        order: order(),
        at,
        process: process.name,
        deliveryId,
        lease: token,
        until: at + lease,
        attempt,
        accountId: event.accountId,
        endpointId: endpoint.id,
      });
    }
  };
  return {
    ...storage,
    queue: {
      ...queue,
      dispatch: async (want) => {
        const dispatched = await queue.dispatch(want);
        note(dispatched.claimed, want);
        return dispatched;
      },
      claim: async (want) => {
        const taken = await queue.claim(want);
        note(taken.claimed, want);
        return taken;
      },
      settle: async (settlements) => {
        await queue.settle(settlements);
        for (const { deliveryId, lease, next } of settlements)
          ended.push({ order: order(), at: scheduler.now(), deliveryId, lease, next });
      },
      release: async (claims) => {
        await queue.release(claims);
        for (const { deliveryId, lease } of claims)
          ended.push({ order: order(), at: scheduler.now(), deliveryId, lease });
      },
    },
  };
};
