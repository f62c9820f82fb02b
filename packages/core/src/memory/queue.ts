import { judge, roomFor } from '../deliveries/breaker.ts';
import type {
  Abandoned,
  ClaimedDelivery,
  ClaimRequest,
  DeliveryQueue,
  Settlement,
  Taken,
} from '../deliveries/delivery-queue.ts';
import { type EndpointTurn, mostCounted, type Turn } from '../deliveries/endpoint-turn.ts';
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
import { memoryPruning } from './pruning.ts';
import type { MemoryReferrals } from './referrals.ts';

/** @internal */
export interface QueueDeps {
  readonly events: MemoryEvents;
  readonly endpoints: MemoryEndpoints;
  readonly deliveries: MemoryDeliveries;
  readonly referrals: MemoryReferrals;
  readonly clock: Clock;
  readonly random: Random;
}

type BareTurn = Turn & Pick<EndpointTurn, 'accountId' | 'endpointId'>;

/** So many events are dispatched at once: a short transaction. */
const batch = 500;

/** It may be of interest to the parent of its account. */
const isReferred = ({ onlyTo, origin }: StampedEvent): boolean => onlyTo === undefined && origin === undefined;

/** @internal */
export const memoryQueue = ({ events, endpoints, deliveries, referrals, clock, random }: QueueDeps): DeliveryQueue => {
  const lastSeconds = new Map<string, EpochSeconds>();
  let leases = 0;

  const stamp = ({ event, storedAt }: PendingEvent, now: EpochMs): StampedEvent => {
    const object = `${event.accountId.length} ${event.accountId}${event.objectId}`;
    const occurredAt = event.occurredAt ?? storedAt;
    const timestamp = stampSecond(occurredAt, event.origin === undefined ? now : occurredAt, lastSeconds.get(object));
    lastSeconds.set(object, timestamp);
    const stamped = { ...event, timestamp, body: envelopeText(timestamp, event.rest) };
    events.stamped(stamped, deliveries.history.moment());
    return stamped;
  };

  const fanOut = (event: StampedEvent, now: EpochMs): void => {
    for (const endpoint of endpoints.ofAccount(event.accountId)) {
      const takes = event.onlyTo === undefined ? endpoint.events.includes(event.type) : endpoint.id === event.onlyTo;
      const ofIts = event.origin === undefined || endpoint.includeChildren;
      if (endpoint.state === 'disabled' || !takes || !ofIts) continue;
      const row = deliveries.add(newId(clock, random), event, endpoint.id);
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
    row.attempts = row.attempts.concat({ kind: 'failed', reason: 'abandoned', took: 0, at: now });
    const wait = schedule[row.counted++];
    if (wait === undefined) deliveries.finish(row, 'exhausted');
    else deliveries.retry(row, now + wait);
    const { accountId, id: eventId, traceContext } = row.event;
    return {
      accountId,
      eventId,
      deliveryId: row.id,
      endpointId: row.endpointId,
      attempt: row.counted,
      exhausted: wait === undefined,
      ...(traceContext === undefined ? {} : { traceContext }),
    };
  };

  const takeFrom = (
    endpointId: string,
    want: ClaimRequest,
    now: EpochMs,
    abandoned: Abandoned[],
  ): ClaimedDelivery | undefined => {
    const leased = deliveries.leasedOfEndpoint(endpointId);
    for (const row of [...leased])
      if (row.lease && row.lease.until <= now) abandoned.push(takeOver(row, now, want.schedule));
    const endpoint = deliveries.endpoints.get(endpointId);
    const health = deliveries.health.get(endpointId);
    if (roomFor(health, living(leased, now), want.perEndpoint, now) === 0) return undefined;
    const first = deliveries.firstDue(endpointId, now);
    const row = health && health.openings > 0 ? deliveries.probe(endpointId, now) : first;
    if (!row || !endpoint) return undefined;
    if (living(deliveries.leasedOfAccount(endpoint.accountId), now, want.worker) >= want.perAccount) return undefined;
    const token = `${want.worker}:${leases++}`;
    deliveries.lease(row, { token, worker: want.worker, until: now + want.lease });
    return { deliveryId: row.id, lease: token, attempt: row.counted + 1, event: row.event, endpoint };
  };

  const claim = (want: ClaimRequest): Taken => {
    const now = clock.now();
    const claimed: ClaimedDelivery[] = [];
    const abandoned: Abandoned[] = [];
    for (const [endpointId, line] of deliveries.lines) {
      if (claimed.length >= want.limit) break;
      const taken = takeFrom(endpointId, want, now, abandoned);
      if (!taken) continue;
      claimed.push(taken);
      // To the end of the turns; this loop comes by again.
      deliveries.lines.delete(endpointId);
      deliveries.lines.set(endpointId, line);
    }
    return { claimed, abandoned };
  };

  /** How the endpoint turned by it. */
  const judged = (row: DeliveryRow, settlement: Settlement, now: EpochMs): BareTurn | undefined => {
    const endpoint = deliveries.endpoints.get(row.endpointId);
    if (endpoint?.state !== 'enabled') return undefined;
    const { id: endpointId, accountId } = endpoint;
    const { health, turn } = judge(deliveries.health.get(endpointId), settlement, now);
    if (health) deliveries.health.set(endpointId, health);
    else deliveries.health.delete(endpointId);
    if (turn?.kind === 'endpoint_disabled') endpoints.disable(endpoint, turn.reason);
    return turn && { ...turn, accountId, endpointId };
  };

  const settleOne = (settlement: Settlement, now: EpochMs): BareTurn | undefined => {
    const { deliveryId, lease, outcome, next } = settlement;
    const row = deliveries.rows.get(deliveryId);
    if (!row || row.settled.includes(lease)) return undefined;
    row.settled = row.settled.concat(lease);
    row.attempts = row.attempts.concat({ ...outcome, at: now });
    if (row.lease?.token !== lease) return undefined;
    const turn = judged(row, settlement, now);
    if (next !== 'gone' && next !== 'out_of_reach') row.counted++;
    if (next === 'gone') deliveries.retry(row, now);
    else if (next === 'out_of_reach') {
      deliveries.finish(row, 'expired');
      row.why = next;
    } else if (typeof next === 'string') deliveries.finish(row, next);
    else deliveries.retry(row, now + next.retryIn);
    return turn;
  };

  return {
    dispatch: async (want) => {
      const now = clock.now();
      const stamped = events.takePending(batch).map((pending) => stamp(pending, now));
      for (const event of stamped) fanOut(event, now);
      const referring = endpoints.anyIncludesChildren() ? stamped.filter(isReferred) : [];
      for (const event of referring) referrals.note(event);
      const ahead = stamped
        .map(({ accountId, id, timestamp }) => ({ accountId, eventId: id, by: aheadBy(timestamp, now) }))
        .filter(({ by }) => by > 0);
      const traced = stamped.flatMap(({ accountId, id: eventId, traceContext }) =>
        traceContext === undefined ? [] : [{ accountId, eventId, traceContext }],
      );
      const taken = stamped.length > 0 ? claim(want) : { claimed: [], abandoned: [] };
      return { ...taken, events: stamped.length, ahead, traced, referring: referring.length > 0 };
    },
    claim: async (want) => claim(want),
    settle: async (settlements) => {
      const now = clock.now();
      const turns = settlements.map((settlement) => settleOne(settlement, now)).filter((turn) => turn !== undefined);
      return turns.map((turn) => ({ ...turn, unfinished: deliveries.unfinished(turn.endpointId, mostCounted) }));
    },
    release: async (claims) => {
      for (const { deliveryId, lease } of claims) {
        const row = deliveries.rows.get(deliveryId);
        if (row?.lease?.token === lease) deliveries.release(row);
      }
    },
    watch: async (onDue) => events.onCommit(onDue),
    prune: memoryPruning(deliveries, events, referrals, clock),
  };
};
