import type { Abandoned, ClaimedDelivery, ClaimRequest, DeliveryQueue, Taken } from '../deliveries/delivery-queue.ts';
import { envelopeText } from '../events/envelope.ts';
import type { StampedEvent } from '../events/event.ts';
import { aheadBy, stampSecond } from '../events/stamp.ts';
import type { Clock } from '../runtime/clock.ts';
import { newId } from '../runtime/id.ts';
import type { Random } from '../runtime/random.ts';
import type { DurationMs, EpochMs, EpochSeconds } from '../runtime/time.ts';
import type { DeliveryRow, MemoryDeliveries } from './deliveries.ts';
import type { MemoryEndpoints } from './endpoints.ts';
import type { MemoryEvents, PendingEvent } from './events.ts';

/** @internal */
export interface QueueDeps {
  readonly events: MemoryEvents;
  readonly endpoints: MemoryEndpoints;
  readonly deliveries: MemoryDeliveries;
  readonly clock: Clock;
  readonly random: Random;
}

/** So many events are dispatched at once: a short transaction. */
const batch = 500;

/** @internal */
export const memoryQueue = ({ events, endpoints, deliveries, clock, random }: QueueDeps): DeliveryQueue => {
  const lastSeconds = new Map<string, EpochSeconds>();
  let leases = 0;
  let places = 0;

  const stamp = ({ event, storedAt }: PendingEvent, now: EpochMs): StampedEvent => {
    const object = JSON.stringify([event.accountId, event.objectId]);
    const timestamp = stampSecond(event.occurredAt ?? storedAt, now, lastSeconds.get(object));
    lastSeconds.set(object, timestamp);
    const stamped = { ...event, timestamp, body: envelopeText(timestamp, event.rest) };
    events.stamped(stamped);
    return stamped;
  };

  const fanOut = (event: StampedEvent, now: EpochMs): void => {
    for (const endpoint of endpoints.ofAccount(event.accountId)) {
      if (endpoint.state === 'disabled' || !endpoint.events.includes(event.type)) continue;
      const id = newId(clock, random);
      const row: DeliveryRow = {
        id,
        endpointId: endpoint.id,
        event,
        place: places++,
        attempts: [],
        settled: new Set(),
        counted: 0,
        state: 'waiting',
        dueAt: now,
        lease: undefined,
      };
      deliveries.rows.insert(id, row);
      deliveries.retry(row, now + aheadBy(event.timestamp, now));
    }
  };

  const living = (rows: Iterable<DeliveryRow>, now: EpochMs, worker?: string): number => {
    let count = 0;
    for (const { lease } of rows)
      if (lease && lease.until > now && (worker === undefined || lease.worker === worker)) count++;
    return count;
  };

  /** Whoever held the lease is gone: its attempt counts, and the next one is due as after any failure. */
  const takeOver = (row: DeliveryRow, now: EpochMs, schedule: readonly DurationMs[]): Abandoned => {
    row.attempts.push({ kind: 'failed', reason: 'abandoned', took: 0, at: now });
    const wait = schedule[row.counted++];
    if (wait === undefined) deliveries.finish(row, 'exhausted');
    else deliveries.retry(row, now + wait);
    return {
      accountId: row.event.accountId,
      deliveryId: row.id,
      endpointId: row.endpointId,
      attempt: row.counted,
      exhausted: wait === undefined,
    };
  };

  const takeFrom = (
    endpointId: string,
    want: ClaimRequest,
    now: EpochMs,
    abandoned: Abandoned[],
  ): ClaimedDelivery | undefined => {
    if (living(deliveries.leasedOfEndpoint(endpointId), now) >= want.perEndpoint) return undefined;
    for (let row = deliveries.firstDue(endpointId, now); row; row = deliveries.firstDue(endpointId, now)) {
      const endpoint = deliveries.endpoints.get(endpointId);
      if (endpoint && living(deliveries.leasedOfAccount(endpoint.accountId), now, want.worker) >= want.perAccount)
        return undefined;
      if (row.lease) {
        abandoned.push(takeOver(row, now, want.schedule));
        continue;
      }
      if (!endpoint) return undefined;
      const token = `${want.worker}:${leases++}`;
      deliveries.lease(row, { token, worker: want.worker, until: now + want.lease });
      return { deliveryId: row.id, lease: token, attempt: row.counted + 1, event: row.event, endpoint };
    }
    return undefined;
  };

  const claim = (want: ClaimRequest): Taken => {
    const now = clock.now();
    const claimed: ClaimedDelivery[] = [];
    const abandoned: Abandoned[] = [];
    let misses = 0;
    for (const [endpointId, line] of deliveries.lines) {
      if (claimed.length >= want.limit || misses > deliveries.lines.size) break;
      const taken = takeFrom(endpointId, want, now, abandoned);
      if (!taken) {
        misses++;
        continue;
      }
      misses = 0;
      claimed.push(taken);
      // To the end of the turns; this loop comes by again.
      deliveries.lines.delete(endpointId);
      deliveries.lines.set(endpointId, line);
    }
    return { claimed, abandoned };
  };

  return {
    dispatch: async (want) => {
      const now = clock.now();
      const stamped = events.takePending(batch).map((pending) => stamp(pending, now));
      for (const event of stamped) fanOut(event, now);
      const ahead = stamped
        .map(({ accountId, id, timestamp }) => ({ accountId, eventId: id, by: aheadBy(timestamp, now) }))
        .filter(({ by }) => by > 0);
      const taken = stamped.length > 0 ? claim(want) : { claimed: [], abandoned: [] };
      return { ...taken, events: stamped.length, ahead };
    },
    claim: async (want) => claim(want),
    settle: async (settlements) => {
      const now = clock.now();
      for (const { deliveryId, lease, outcome, next } of settlements) {
        const row = deliveries.rows.get(deliveryId);
        if (!row || row.settled.has(lease)) continue;
        row.settled.add(lease);
        row.attempts.push({ ...outcome, at: now });
        if (row.lease?.token !== lease) continue;
        row.counted++;
        if (typeof next === 'string') deliveries.finish(row, next);
        else deliveries.retry(row, now + next.retryIn);
      }
    },
    release: async (claims) => {
      for (const { deliveryId, lease } of claims) {
        const row = deliveries.rows.get(deliveryId);
        if (row?.lease?.token === lease) deliveries.retry(row, clock.now());
      }
    },
    watch: async (onDue) => events.onCommit(onDue),
  };
};
