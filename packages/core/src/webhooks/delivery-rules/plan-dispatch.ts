import type { DurationMs, EpochMs, EpochSeconds } from '../../base/runtime/time.ts';
import { isSelected } from '../catalogue/event-selector.ts';
import type { DispatchableEvent, EventDispatch, OutboxEvent, PendingChange } from '../deliveries/delivery-store.ts';
import type { RegisteredHandler } from '../deliveries/handler-store.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { isPulled } from '../endpoints/endpoint-kind.ts';
import { objectHash } from '../shards/object-hash.ts';
import { aheadByMs, nextTimestamp } from './timestamp.ts';

/** An endpoint as the caller has it in memory. */
interface Lane {
  readonly endpoint: Endpoint;
}

/** The input of {@link planDispatch}. */
export interface DispatchInput<L extends Lane, E extends DispatchableEvent = OutboxEvent> {
  /** The events to dispatch. */
  readonly events: readonly E[];
  /** The store's clock when the events were read. */
  readonly now: EpochMs;
  /** Once the planned events have this number of deliveries, the events after them are left for a later plan. */
  readonly maxDeliveries: number;
  /** Whether any endpoint receives events of child accounts. */
  readonly hasIncludeChildren: boolean;
  /** The registered handlers of the host. @defaultValue none */
  readonly handlers?: readonly RegisteredHandler[];
  /** The endpoints of an account. */
  readonly lanesOf: (accountId: string) => readonly L[];
  /**
   * Whether memory has capacity for one more delivery of the endpoint, beside `planned` ones; otherwise the store
   * queues it.
   */
  readonly accepts: (lane: L, planned: number) => boolean;
}

/** An event with its timestamp and endpoints. */
interface PlannedEvent<E extends DispatchableEvent> extends Omit<EventDispatch, 'event'> {
  readonly event: E;
}

/** An event to send from memory. */
export interface ReadyEvent<L, E> {
  readonly event: E;
  readonly timestamp: EpochSeconds;
  readonly lanes: readonly L[];
}

/** The dispatch of events. */
export interface DispatchPlan<L extends Lane, E extends DispatchableEvent = OutboxEvent> {
  /** The first events, at least one, with their timestamps and endpoints. */
  readonly events: readonly PlannedEvent<E>[];
  /** Deliveries that the store holds for later. */
  readonly pending: readonly PendingChange[];
  /** The endpoints of queued deliveries. */
  readonly queued: readonly L[];
  /** Deliveries to send from memory, once the dispatch is stored. */
  readonly ready: readonly ReadyEvent<L, E>[];
  /** Events whose timestamps are more than a minute ahead of the clock: their deliveries wait. */
  readonly ahead: readonly { readonly accountId: string; readonly eventId: string; readonly by: DurationMs }[];
}

/** A copy uses the timestamp of its original, not the current time. */
const timestampOf = (event: DispatchableEvent, now: EpochMs, last: EpochSeconds | undefined): EpochSeconds => {
  const occurredAt = event.occurredAt ?? event.storedAt;
  return nextTimestamp(occurredAt, event.origin === undefined ? now : occurredAt, last);
};

/** Whether an endpoint of the event's account receives it. */
const receives = ({ id, state, events, includeChildren }: Endpoint, event: DispatchableEvent): boolean => {
  if (state === 'disabled') return false;
  if (event.onlyTo !== undefined) return id === event.onlyTo;
  return isSelected(events, event) && (event.origin === undefined || includeChildren);
};

/** The names of the handlers that receive an event: only originals, and no test events. */
export const handlersOf = (
  handlers: readonly RegisteredHandler[],
  event: Pick<DispatchableEvent, 'objectName' | 'type' | 'onlyTo' | 'origin'>,
): readonly string[] =>
  event.onlyTo === undefined && event.origin === undefined
    ? handlers.filter(({ events }) => isSelected(events, event)).map(({ name }) => name)
    : [];

/**
 * Gives each event its timestamp and its endpoints (specification §6.5). Within one account, the timestamps of one
 * object strictly increase.
 */
export const planDispatch = <L extends Lane, E extends DispatchableEvent>({
  events,
  now,
  maxDeliveries,
  hasIncludeChildren,
  handlers = [],
  lanesOf,
  accepts,
}: DispatchInput<L, E>): DispatchPlan<L, E> => {
  const lastTimestamps = new Map<string, EpochSeconds>();
  const dispatched: PlannedEvent<E>[] = [];
  const pending: PendingChange[] = [];
  const queued: L[] = [];
  const planned = new Map<L, number>();
  const ready: ReadyEvent<L, E>[] = [];
  const ahead: DispatchPlan<L, E>['ahead'][number][] = [];
  let deliveries = 0;
  for (const event of events) {
    if (deliveries >= maxDeliveries) break;
    const { accountId, id: eventId, shard } = event;
    // As stores guard timestamps: of two objects with one hash, no two events of a batch share a timestamp.
    const object = objectHash(accountId, event.objectId);
    const timestamp = timestampOf(event, now, lastTimestamps.get(object) ?? event.lastTimestamp);
    lastTimestamps.set(object, timestamp);
    const selected = lanesOf(accountId).filter(({ endpoint }) => receives(endpoint, event));
    const pulled = selected.filter(({ endpoint }) => isPulled(endpoint));
    const lanes = pulled.length === 0 ? selected : selected.filter(({ endpoint }) => !isPulled(endpoint));
    deliveries += lanes.length;
    const handled = handlers.length === 0 ? [] : handlersOf(handlers, event);
    dispatched.push({
      event,
      timestamp,
      endpointIds: lanes.map(({ endpoint }) => endpoint.id),
      ...(pulled.length === 0 ? {} : { pullEndpointIds: pulled.map(({ endpoint }) => endpoint.id) }),
      ...(handled.length === 0 ? {} : { handlers: handled }),
      propagates: hasIncludeChildren && event.onlyTo === undefined && event.origin === undefined,
    });
    const by = aheadByMs(timestamp, now);
    if (by > 0 && lanes.length > 0) ahead.push({ accountId, eventId, by });
    const store = (lane: L, change: Pick<PendingChange, 'state' | 'dueIn' | 'isUrgent'>): void => {
      const { id: endpointId } = lane.endpoint;
      pending.push({ shard, accountId, eventId, endpointId, replay: 0, attempts: 0, logged: 0, ...change });
    };
    const readyLanes: L[] = [];
    for (const lane of lanes) {
      const others = planned.get(lane) ?? 0;
      if (by > 0) {
        store(lane, { state: 'scheduled', dueIn: by });
      } else if (accepts(lane, others)) {
        planned.set(lane, others + 1);
        readyLanes.push(lane);
      } else if (event.onlyTo !== undefined) {
        store(lane, { state: 'scheduled', dueIn: 0, isUrgent: true });
      } else {
        queued.push(lane);
        store(lane, { state: 'queued', dueIn: 0 });
      }
    }
    if (readyLanes.length > 0) ready.push({ event, timestamp, lanes: readyLanes });
  }
  return { events: dispatched, pending, queued, ready, ahead };
};
