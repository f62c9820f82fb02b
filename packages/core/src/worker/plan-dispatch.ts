import type { DispatchedEvent, OutboxEvent, PendingChange } from '../delivery-ports/delivery-store.ts';
import { aheadByMs, stampSecond } from '../delivery-rules/timestamp.ts';
import type { NewEvent } from '../events/event.ts';
import type { DurationMs, EpochMs, EpochSeconds } from '../runtime/time.ts';
import type { AccountLane, EndpointLane, LoadedDelivery, LoadedEvent } from './memory/in-hand.ts';
import { matchingLanes } from './memory/lanes.ts';
import type { Batch } from './memory/watermark.ts';

/** The input of {@link planDispatch}. @internal */
export interface DispatchInput {
  /** The events to dispatch. */
  readonly events: readonly OutboxEvent[];
  /** The store's clock when the events were read. */
  readonly now: EpochMs;
  /** The monotonic clock. */
  readonly monotonic: number;
  /** The batch of this dispatch. */
  readonly batch: Batch;
  /** Whether any endpoint receives events of child accounts. */
  readonly hasIncludeChildren: boolean;
  /** The account with its endpoints. */
  readonly accountOf: (accountId: string) => AccountLane;
  /**
   * Whether memory has capacity for one more delivery of the endpoint, beside `planned` ones; otherwise the store
   * queues it.
   */
  readonly accepts: (lane: EndpointLane, planned: number) => boolean;
}

/** The dispatch of a page of the outbox. @internal */
export interface DispatchPlan {
  /** The events with their seconds and endpoints. */
  readonly events: readonly DispatchedEvent[];
  /** Deliveries that the store holds for later. */
  readonly pending: readonly PendingChange[];
  /** The endpoints of queued deliveries. */
  readonly queued: readonly EndpointLane[];
  /** Deliveries to send from memory, once the stamp is stored. */
  readonly inHand: readonly LoadedDelivery[];
  /** Events whose seconds are more than a minute ahead of the clock: their deliveries wait. */
  readonly ahead: readonly { readonly accountId: string; readonly eventId: string; readonly by: DurationMs }[];
}

const keyOf = ({ accountId, objectId }: NewEvent): string => `${accountId.length} ${accountId}${objectId}`;

/** A copy uses the second of its original, not the current time. */
const secondOf = (event: OutboxEvent, now: EpochMs, last: EpochSeconds | undefined): EpochSeconds => {
  const occurredAt = event.occurredAt ?? event.storedAt;
  return stampSecond(occurredAt, event.origin === undefined ? now : occurredAt, last);
};

/**
 * Gives each event its second and its endpoints (specification §6.5). Within one account, the seconds of one object
 * strictly increase.
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
  const dispatched: DispatchedEvent[] = [];
  const pending: PendingChange[] = [];
  const queued: EndpointLane[] = [];
  const planned = new Map<EndpointLane, number>();
  const inHand: LoadedDelivery[] = [];
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
    const by = aheadByMs(timestamp, now);
    if (by > 0 && lanes.length > 0) ahead.push({ accountId, eventId, by });
    const shared: LoadedEvent = { event, timestamp, body: undefined };
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
          isUrgent: event.onlyTo !== undefined,
          stored: 'fresh',
          batch,
          since: monotonic,
        });
      } else if (event.onlyTo !== undefined) {
        pending.push({ ...key, state: 'scheduled', dueIn: 0, attempts: 0, logged: 0, isUrgent: true });
      } else {
        queued.push(lane);
        pending.push({ ...key, state: 'queued', dueIn: 0, attempts: 0, logged: 0 });
      }
    }
  }
  return { events: dispatched, pending, queued, inHand, ahead };
};
