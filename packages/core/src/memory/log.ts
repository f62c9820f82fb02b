import { pausedUntil } from '../deliveries/breaker.ts';
import type { Delivery, DeliveryLog, SentAgain } from '../deliveries/delivery-log.ts';
import { mostCounted } from '../deliveries/endpoint-turn.ts';
import type { DeliveryFact, DeliveryFacts } from '../deliveries/explain.ts';
import type { Clock } from '../runtime/clock.ts';
import { newId } from '../runtime/id.ts';
import type { Random } from '../runtime/random.ts';
import type { DeliveryRow, MemoryDeliveries } from './deliveries.ts';
import { fitsEvent, type MemoryEvents } from './events.ts';
import type { MemoryReferrals } from './referrals.ts';

/** @internal */
export interface LogDeps {
  readonly events: MemoryEvents;
  readonly deliveries: MemoryDeliveries;
  readonly referrals: MemoryReferrals;
  readonly clock: Clock;
  readonly random: Random;
}

const deliveryOf = ({ id, event, endpointId, state, counted }: DeliveryRow): Delivery => ({
  id,
  eventId: event.id,
  endpointId,
  state,
  attempts: counted,
});

const factOf = ({ id, counted, attempts, lease, state, dueAt, since, why }: DeliveryRow): DeliveryFact => {
  const { at: _at, ...outcome } = attempts.at(-1) ?? {};
  const fact = { id, attempts: counted, ...('kind' in outcome ? { last: outcome } : {}) };
  if (lease) return { ...fact, state: 'leased', until: lease.until };
  if (state === 'waiting') return { ...fact, state, dueAt };
  return state === 'expired' ? { ...fact, state, since, why } : { ...fact, state, since };
};

/** @internal */
export const memoryLog = ({ events, deliveries, referrals, clock, random }: LogDeps): DeliveryLog => {
  const owned = (accountId: string, deliveryId: string): DeliveryRow | undefined => {
    const row = deliveries.rows.get(deliveryId);
    return row?.event.accountId === accountId ? row : undefined;
  };
  const ofPair = (eventId: string, endpointId: string): readonly DeliveryRow[] =>
    [...deliveries.rows.values()].filter((row) => row.event.id === eventId && row.endpointId === endpointId);

  const endpointFacts = (accountId: string, endpointId: string): Pick<DeliveryFacts, 'endpoint'> => {
    if (!deliveries.history.knows(accountId, endpointId)) return {};
    const disabledBy = deliveries.history.disabledBy(endpointId);
    const health = deliveries.health.get(endpointId);
    const until = health ? pausedUntil(health) : 0;
    return {
      endpoint: {
        ...(disabledBy ? { disabledBy } : {}),
        ...(until > clock.now() ? { pausedUntil: until } : {}),
      },
    };
  };

  const again = async ({ event, endpointId }: DeliveryRow): Promise<SentAgain> => {
    if (!(await events.findEvent(event.accountId, event.id))) return { kind: 'event_dropped' };
    const state = deliveries.endpoints.get(endpointId)?.state;
    if (state !== 'enabled') return { kind: state === undefined ? 'endpoint_deleted' : 'endpoint_disabled' };
    const unfinished = ofPair(event.id, endpointId).find((row) => row.state === 'waiting' || row.state === 'held');
    if (unfinished) return { kind: 'unfinished', deliveryId: unfinished.id };
    const row = deliveries.add(newId(clock, random), event, endpointId);
    deliveries.wait(row, clock.now());
    return { kind: 'sent', deliveryId: row.id };
  };

  return {
    listDeliveries: async (accountId, { endpointId, eventId, state, ...filter }, page) => {
      const fits = (row: DeliveryRow): boolean =>
        row.event.accountId === accountId &&
        (endpointId ?? row.endpointId) === row.endpointId &&
        (eventId ?? row.event.id) === row.event.id &&
        (state ?? row.state) === row.state &&
        fitsEvent(row.event, row.id, filter);
      const { items, ...rest } = deliveries.rows.page(fits, page);
      return { ...rest, items: items.map(deliveryOf) };
    },
    listAttempts: async (accountId, deliveryId) => [...(owned(accountId, deliveryId)?.attempts ?? [])],
    findFacts: async (accountId, eventId, endpointId) => {
      const event = await events.findEvent(accountId, eventId);
      const dispatch = event && events.dispatchOf(event);
      const referring = event ? undefined : referrals.accountOf(eventId);
      const dispatched = dispatch && {
        at: dispatch.at,
        endpoint: deliveries.history.at(endpointId, dispatch.moment),
      };
      return {
        now: clock.now(),
        ...(event
          ? {
              event: {
                type: event.type,
                ...(event.onlyTo === undefined ? {} : { onlyTo: event.onlyTo }),
                ...(event.origin === undefined ? {} : { origin: event.origin }),
                ...(dispatched ? { dispatched } : {}),
              },
            }
          : {}),
        ...(referring === undefined ? {} : { referring }),
        ...endpointFacts(accountId, endpointId),
        deliveries: event ? ofPair(eventId, endpointId).map(factOf) : [],
      };
    },
    sendAgain: async (accountId, deliveryId) => {
      const row = owned(accountId, deliveryId);
      if (!row) return { kind: 'not_found' };
      if (row.lease) return { kind: 'being_attempted' };
      if (row.state === 'held') return { kind: 'held' };
      if (row.state !== 'waiting') return again(row);
      if (row.dueAt > clock.now() || row.replayed) {
        row.replayed = false;
        deliveries.wait(row, clock.now());
      }
      return { kind: 'sent', deliveryId };
    },
    replay: async (accountId, endpointId, { from, to, after }) => {
      const endpoint = deliveries.endpoints.get(endpointId);
      if (endpoint?.accountId !== accountId) return { kind: 'not_found' };
      if (endpoint.state !== 'enabled') return { kind: 'endpoint_disabled' };
      const page = { limit: 100, ...(after === undefined ? {} : { after }) };
      const { items, invalidCursor, ...rest } = await events.listEvents(accountId, page, { from, to });
      if (invalidCursor) return { kind: 'invalid_cursor' };
      const underWay = new Set(
        [...deliveries.waiting(endpointId), ...deliveries.held(endpointId)].map((row) => row.event.id),
      );
      let made = 0;
      for (const event of items) {
        const taken = endpoint.events.includes(event.type) && (event.origin === undefined || endpoint.includeChildren);
        const wanted = event.onlyTo === undefined && taken && !underWay.has(event.id);
        if (!wanted || !('body' in event)) continue;
        const row = deliveries.add(newId(clock, random), event, endpointId);
        row.replayed = true;
        deliveries.wait(row, row.dueAt);
        made++;
      }
      return { kind: 'replayed', deliveries: made, ...rest };
    },
    countBacklog: async (accountId) => {
      const rows = [...deliveries.rows.values()].filter(
        ({ event }) => (accountId ?? event.accountId) === event.accountId,
      );
      const waiting = rows.filter(({ state, lease }) => state === 'waiting' && !lease);
      const ordinary = waiting.filter(({ replayed }) => !replayed);
      const oldest = ordinary.reduce((least, { dueAt }) => Math.min(least, dueAt), Number.POSITIVE_INFINITY);
      const count = (counted: number): number => Math.min(counted, mostCounted);
      return {
        undispatched: count(events.pending(accountId)),
        waiting: count(waiting.length),
        held: count(rows.filter(({ state }) => state === 'held').length),
        beingAttempted: count(rows.filter(({ lease }) => lease).length),
        ...(oldest <= clock.now() ? { oldestDue: clock.now() - oldest } : {}),
      };
    },
  };
};
