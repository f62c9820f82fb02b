import type { DeliveryLog } from '../log/delivery-log.ts';
import type { ExplainSnapshot } from '../log/explain-snapshot.ts';
import type { Clock } from '../runtime/clock.ts';
import { type DeliveryFacts, deliveriesOf } from './delivery-facts.ts';
import { pausedUntil } from './endpoint-health.ts';
import type { EndpointHistory } from './endpoint-history.ts';
import type { EventRow } from './rows.ts';
import { isDispatched, type Tables } from './tables.ts';

/** Reads the facts that explain an event for an endpoint. @internal */
export const readExplainSnapshot = (
  { shards, findAccount, findEvent }: Tables,
  facts: DeliveryFacts,
  history: EndpointHistory,
  clock: Clock,
): DeliveryLog['readExplainSnapshot'] => {
  const ofEvent = (
    { event: { objectName, type, onlyTo, origin }, dispatch }: EventRow,
    endpointId: string,
  ): Pick<ExplainSnapshot, 'event'> => ({
    event: {
      objectName,
      type,
      ...(onlyTo === undefined ? {} : { onlyTo }),
      ...(origin === undefined ? {} : { origin }),
      ...(dispatch ? { endpointSnapshot: history.at(endpointId, dispatch.moment) } : {}),
    },
  });

  const ofChild = (eventId: string): Pick<ExplainSnapshot, 'propagating'> => {
    for (const { propagated } of shards)
      for (const { event } of propagated.rows()) if (event.id === eventId) return { propagating: event.accountId };
    return {};
  };

  const ofEndpoint = (accountId: string, endpointId: string, now: number): Pick<ExplainSnapshot, 'endpoint'> => {
    if (!history.knows(accountId, endpointId)) return {};
    const disabledBy = history.disabledBy(endpointId);
    const health = findAccount(accountId)?.endpoints.get(endpointId)?.health;
    const until = health ? pausedUntil(health) : 0;
    return {
      endpoint: { ...(disabledBy ? { disabledBy } : {}), ...(until > now ? { pausedUntil: until } : {}) },
    };
  };

  return async (accountId, eventId, endpointId) => {
    const now = clock.now();
    const row = findEvent(accountId, eventId);
    const deliveries = isDispatched(row) ? deliveriesOf(row) : [];
    return {
      now,
      ...(row ? ofEvent(row, endpointId) : ofChild(eventId)),
      ...ofEndpoint(accountId, endpointId, now),
      deliveries: deliveries.filter((each) => each.endpointId === endpointId).map(facts.of),
    };
  };
};
