import type { DeliveryKey } from '@partnerkit/core/adapter';
import { deliveryKey, keyText } from '../delivery-key.ts';
import { excusesOf, requestedPausesOf } from './excuses.ts';
import { type Facts, firstWrong, type Law } from './facts.ts';
import { attemptTime } from './in-time.ts';
import { outside } from './intervals.ts';
import type { DeliveryRecord } from './ledger.ts';
import { shardOfAccount } from './numbers.ts';

/** A delivery that a person asked for, and the effect that made it due. */
interface Wish {
  readonly delivery: DeliveryRecord;
  readonly at: number;
  readonly order: number;
}

const wishesOf = function* ({ ledger, callsOf }: Facts): Generator<Wish> {
  for (const delivery of ledger.deliveries.values()) {
    const { accountId, eventId, replay, createdAt, createdOrder } = delivery;
    const isTest = ledger.dispatches.get(`${accountId} ${eventId}`)?.event.onlyTo !== undefined;
    if (isTest && replay === 0) yield { delivery, at: createdAt, order: createdOrder };
  }
  for (const { args, result, effectAt = 0, order = 0 } of callsOf('log.sendAgain')) {
    if (result?.kind !== 'sent') continue;
    const delivery = ledger.deliveries.get(keyText(deliveryKey(args[0].accountId, result.deliveryId)));
    if (delivery) yield { delivery, at: effectAt, order };
  }
};

/** Whether a delivery was in its worker's memory alone: there was no row to mark as urgent. */
const isFresh = (
  { ledger, callsOf }: Facts,
  { accountId, eventId, endpointId, replay }: DeliveryRecord,
  order: number,
  ownedSince: number,
): boolean => {
  const dispatch = ledger.dispatches.get(`${accountId} ${eventId}`);
  if (replay > 0 || dispatch?.event.onlyTo !== undefined || (dispatch?.order ?? 0) < ownedSince) return false;
  const isOf = (key: DeliveryKey): boolean =>
    key.accountId === accountId && key.eventId === eventId && key.endpointId === endpointId && key.replay === 0;
  return ![
    ...callsOf('deliveries.settle').map(({ args: [, { pending }], order: at }) => ({ pending, at })),
    ...callsOf('deliveries.dispatch').map(({ args: [, , pending], order: at }) => ({ pending, at })),
  ].some(({ pending, at = 0 }) => at < order && pending.some(isOf));
};

export const urgentIsAttempted: Law = {
  name: 'what a person sends is attempted within a poll and a lease, also while the breaker is open, unless the receiver asks for a pause',
  check: (facts) => {
    const { trace, membership, endpoints } = facts;
    const { urgent } = excusesOf(facts);
    return firstWrong(wishesOf(facts), ({ delivery, at, order }) => {
      const { accountId, endpointId, id, posts, rows } = delivery;
      // An attempt that was in flight, or not stored, counts as the one that was asked for.
      if (posts.some((post) => post.order < order && (post.learnedAt ?? post.until) >= at)) return undefined;
      if (rows.some((row) => row.order > order && (row.post?.order ?? order) < order)) return undefined;
      const next = posts.find((post) => post.order > order);
      const ended = rows.find((row) => row.order > order && row.state !== undefined)?.at ?? trace.endedAt;
      const gone = endpoints.get(endpointId)?.find(({ endpoint }) => endpoint === undefined)?.from ?? trace.endedAt;
      const to = Math.min(next?.at ?? trace.endedAt, ended, gone);
      // A successor does not know that it was urgent.
      const shard = shardOfAccount(accountId);
      const tenure = membership.tenures.findLast((each) => each.shard === shard && each.from.order <= order);
      if (tenure === undefined || (tenure.to !== undefined && tenure.to.at <= to)) return undefined;
      if (isFresh(facts, delivery, order, tenure.from.order)) return undefined;
      // After a pause that the receiver requested, it waits with the others.
      if (requestedPausesOf(facts, endpointId).some((pause) => pause.from <= to && pause.to >= at)) return undefined;
      const wait = outside({ from: at, to }, urgent(endpointId));
      return (
        wait > attemptTime(facts) &&
        `delivery ${id}, which a person sent at ${at - trace.startedAt}, was not attempted for ${wait} ms`
      );
    });
  },
};
