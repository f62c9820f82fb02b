import type { DeliveryKey } from '../deliveries/delivery-id.ts';
import type { DeliveryLog, SendAgainOutcome } from '../log/delivery-log.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Wakes } from '../shards/wakes.ts';
import { type DeliveryFacts, deliveriesOf, deliveryId } from './delivery-facts.ts';
import { deliveryRow } from './delivery-rows.ts';
import { putPending } from './pending.ts';
import type { DeliveryRow, DispatchedRow, PendingRow } from './rows.ts';
import type { Tables } from './tables.ts';

/** The unfinished delivery of an event to an endpoint, if any. @internal */
export const unfinishedDelivery = (
  event: DispatchedRow,
  endpointId: string,
  facts: DeliveryFacts,
): DeliveryRow | undefined =>
  deliveriesOf(event).find(
    (each) => each.endpointId === endpointId && ['waiting', 'held'].includes(facts.of(each).state),
  );

/** Creates one more delivery of an event to an endpoint. @internal */
export const addReplay = (
  event: DispatchedRow,
  endpointId: string,
  change: Pick<PendingRow, 'state' | 'dueAt' | 'isUrgent' | 'since'>,
): DeliveryRow => {
  const replays = event.deliveries.filter((each) => each.endpointId === endpointId).map(({ replay }) => replay);
  const delivery = deliveryRow(event, endpointId, Math.max(0, ...replays) + 1);
  putPending({ ...change, delivery, attempts: 0, logged: 0, isAbandoned: false });
  return delivery;
};

/** Sends a delivery again. @internal */
export const sendAgain = (
  tables: Tables,
  facts: DeliveryFacts,
  wakes: Wakes,
  clock: Clock,
): DeliveryLog['sendAgain'] => {
  const find = ({ accountId, eventId, endpointId, replay }: DeliveryKey): DeliveryRow | undefined => {
    const event = tables.findDispatched(accountId, eventId);
    return event && deliveriesOf(event).find((each) => each.endpointId === endpointId && each.replay === replay);
  };

  const wake = ({ event }: DeliveryRow): void => wakes.wakeEvents([event.account.shard.shard]);

  const hurry = (delivery: DeliveryRow): SendAgainOutcome => {
    const { pending } = delivery;
    const now = clock.now();
    if (pending) {
      putPending({ ...pending, state: 'scheduled', dueAt: Math.min(pending.dueAt, now), isUrgent: true });
      wake(delivery);
    }
    return { kind: 'sent', deliveryId: deliveryId(delivery) };
  };

  return async (key) => {
    const delivery = find(key);
    if (!delivery) return { kind: 'not_found' };
    const { event, endpointId } = delivery;
    const { state } = facts.of(delivery);
    if (state === 'held') return { kind: 'held' };
    if (state === 'waiting') return hurry(delivery);
    if (event.isDropped) return { kind: 'event_dropped' };
    const endpoint = event.account.endpoints.get(endpointId)?.endpoint;
    if (!endpoint) return { kind: 'endpoint_deleted' };
    if (endpoint.state !== 'enabled') return { kind: 'endpoint_disabled' };
    const unfinished = unfinishedDelivery(event, endpointId, facts);
    if (unfinished) return { kind: 'unfinished', deliveryId: deliveryId(unfinished) };
    const now = clock.now();
    const made = addReplay(event, endpointId, { state: 'scheduled', dueAt: now, isUrgent: true, since: now });
    wake(made);
    return { kind: 'sent', deliveryId: deliveryId(made) };
  };
};
