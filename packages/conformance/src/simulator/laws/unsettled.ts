import type { Call } from '../trace.ts';
import type { Dispatch } from './dispatch.ts';
import type { Facts } from './facts.ts';
import { shardOfAccount } from './numbers.ts';

/** Whether a call of a worker was stored. */
export const wasWritten = ({ result }: Call): boolean => result !== undefined && result !== 'fenced';

/** A dispatched delivery, and when the storage learned of it, so that it was no longer only in memory of its owner. */
export interface Unsettled {
  readonly dispatch: Dispatch;
  readonly endpointId: string;
  /** The effect that logged it or made it pending; infinite when none did. */
  readonly settledOrder: number;
}

const keysOf = (call: Call) => {
  if (call.name === 'deliveries.dispatch') return (call as Call<'deliveries.dispatch'>).args[2];
  if (call.name !== 'deliveries.settle') return [];
  const [, { attempts, pending }] = (call as Call<'deliveries.settle'>).args;
  return [...attempts, ...pending];
};

export const unsettledOf = ({ ledger, effects, callsOf }: Facts): readonly Unsettled[] => {
  const settled = new Map<string, number>();
  for (const call of effects) {
    if (!wasWritten(call)) continue;
    for (const { accountId, eventId, endpointId } of keysOf(call)) {
      const key = `${accountId} ${eventId} ${endpointId}`;
      if (!settled.has(key)) settled.set(key, call.order ?? 0);
    }
  }
  const recoveries = callsOf('deliveries.recover').filter(({ result }) => result === 'stored');
  /** A delivery that a successor found and queued is pending. */
  const recoveredOrder = ({ accountId, order, dispatchedAt }: Dispatch): number =>
    recoveries.find(
      ({ args: [, acquired], order: at = 0 }) =>
        at > order &&
        acquired.some(({ shard, watermark }) => shard === shardOfAccount(accountId) && watermark <= dispatchedAt),
    )?.order ?? Number.POSITIVE_INFINITY;
  return [...ledger.dispatches.values()].flatMap((dispatch) => {
    const recovered = recoveredOrder(dispatch);
    return dispatch.endpointIds.map((endpointId) => ({
      dispatch,
      endpointId,
      settledOrder: Math.min(
        settled.get(`${dispatch.accountId} ${dispatch.event.id} ${endpointId}`) ?? Number.POSITIVE_INFINITY,
        recovered,
      ),
    }));
  });
};
