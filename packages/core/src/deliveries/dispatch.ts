import type { NewEvent } from '../events/event.ts';
import { aheadBy, stampSecond } from '../events/stamp.ts';
import type { DurationMs, EpochMs, EpochSeconds } from '../runtime/time.ts';
import type { Dispatched, OutboxEvent, PendingChange } from './delivery-store.ts';
import type { AccountLane, DeliveryInHand, EndpointLane, EventInHand } from './in-hand.ts';
import { matchingLanes } from './lanes.ts';
import type { Batch } from './marks.ts';

/** @internal */
export interface DispatchInput {
  readonly events: readonly OutboxEvent[];
  /** By the store's clock, when they were read. */
  readonly now: EpochMs;
  /** By the monotonic clock. */
  readonly monotonic: number;
  readonly batch: Batch;
  readonly hasIncludeChildren: boolean;
  readonly accountOf: (accountId: string) => AccountLane;
  /** Whether one more delivery of the endpoint is kept in memory, beside those of this plan; else the store queues it. */
  readonly accepts: (lane: EndpointLane, planned: number) => boolean;
}

/** What becomes of events that were read from the outbox. @internal */
export interface DispatchPlan {
  readonly events: readonly Dispatched[];
  /** Deliveries that the store keeps for later. */
  readonly pending: readonly PendingChange[];
  /** The endpoints of those that are queued. */
  readonly queued: readonly EndpointLane[];
  /** Deliveries that are sent from memory, once the stamp is stored. */
  readonly inHand: readonly DeliveryInHand[];
  /** Events whose seconds run more than a minute ahead of the clock: their deliveries wait. */
  readonly ahead: readonly { readonly accountId: string; readonly eventId: string; readonly by: DurationMs }[];
}

const keyOf = ({ accountId, objectId }: NewEvent): string => `${accountId.length} ${accountId}${objectId}`;

/** A copy happened when its original was stamped, whatever the clock says now. */
const secondOf = (event: OutboxEvent, now: EpochMs, last: EpochSeconds | undefined): EpochSeconds => {
  const occurredAt = event.occurredAt ?? event.storedAt;
  return stampSecond(occurredAt, event.origin === undefined ? now : occurredAt, last);
};

/**
 * Gives each event its second and its endpoints (specification §6.5): within one account the seconds of one object strictly increase.
 * @internal
 */
export const planDispatch = ({
  events,
  now,
  monotonic,
  batch,
  hasIncludeChildren,
  accountOf,
  accepts,
}: DispatchInput): DispatchPlan => {
  const lastSeconds = new Map<string, EpochSeconds>();
  const dispatched: Dispatched[] = [];
  const pending: PendingChange[] = [];
  const queued: EndpointLane[] = [];
  const planned = new Map<EndpointLane, number>();
  const inHand: DeliveryInHand[] = [];
  const ahead: { accountId: string; eventId: string; by: DurationMs }[] = [];
  for (const event of events) {
    const { accountId, id: eventId, shard } = event;
    const object = keyOf(event);
    const timestamp = secondOf(event, now, lastSeconds.get(object) ?? event.lastSecond);
    lastSeconds.set(object, timestamp);
    const lanes = matchingLanes(accountOf(accountId), event);
    dispatched.push({
      event,
      timestamp,
      endpointIds: lanes.map(({ endpoint }) => endpoint.id),
      propagates: hasIncludeChildren && event.onlyTo === undefined && event.origin === undefined,
    });
    const by = aheadBy(timestamp, now);
    if (by > 0 && lanes.length > 0) ahead.push({ accountId, eventId, by });
    const shared: EventInHand = { event, timestamp, body: undefined };
    for (const lane of lanes) {
      const key = { shard, accountId, eventId, endpointId: lane.endpoint.id, replay: 0 };
      if (by > 0) {
        pending.push({ ...key, state: 'scheduled', dueIn: by, attempts: 0, logged: 0 });
      } else if (accepts(lane, planned.get(lane) ?? 0)) {
        planned.set(lane, (planned.get(lane) ?? 0) + 1);
        batch.open++;
        inHand.push({
          shard,
          accountId,
          eventId,
          endpointId: lane.endpoint.id,
          replay: 0,
          lane,
          event: shared,
          attempts: 0,
          logged: 0,
          wasAbandoned: false,
          stored: 'fresh',
          batch,
          since: monotonic,
        });
      } else {
        queued.push(lane);
        pending.push({ ...key, state: 'queued', dueIn: 0, attempts: 0, logged: 0 });
      }
    }
  }
  return { events: dispatched, pending, queued, inHand, ahead };
};
