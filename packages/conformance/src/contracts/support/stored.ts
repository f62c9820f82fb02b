import { ok } from 'node:assert';
import type { Delivery, DeliveryFilter, EventPairs } from '@partnerkit/core';
import {
  type DeliveryKey,
  type DispatchedEvent,
  type NewEvent,
  parseDeliveryId,
  type QueueRead,
  type Storage,
  shardOf,
} from '@partnerkit/core/adapter';
import { allPages } from './pages.ts';

export const eventIdsOf = async ({ events: store }: Storage<object>, accountId: string): Promise<readonly string[]> =>
  (await allPages((page) => store.listEvents(accountId, page))).map(({ id }) => id);

/** An event of an account, with its body. */
export const findEvent = (
  { events: store }: Pick<Storage<object>, 'events'>,
  accountId: string,
  eventId: string,
): Promise<NewEvent | DispatchedEvent | undefined> => store.findEvent(accountId, eventId);

/** The listed events of an account, each with its body. */
export const wholeEventsOf = async (
  storage: Pick<Storage<object>, 'events'>,
  accountId: string,
): Promise<readonly (NewEvent | DispatchedEvent | undefined)[]> => {
  const listed = await allPages((page) => storage.events.listEvents(accountId, page));
  return Promise.all(listed.map(({ id }) => findEvent(storage, accountId, id)));
};

export const deliveriesOf = (
  { log }: Storage<object>,
  accountId: string,
  filter: DeliveryFilter<EventPairs> = {},
): Promise<readonly Delivery[]> => allPages((page) => log.listDeliveries(accountId, filter, page));

export const parsed = (accountId: string, { id }: Delivery): DeliveryKey => {
  const key = parseDeliveryId(accountId, id);
  ok(key, `"${id}" is the id of a delivery`);
  return key;
};

/** Everything that is stored of an account, read through the ports, without the values that change with time alone. */
export const stored = async (storage: Storage<object>, accountId: string) => {
  const { deliveries, parents, log } = storage;
  const shard = shardOf(accountId);
  const isOwn = (each: { readonly accountId: string }): boolean => each.accountId === accountId;
  const { endpoints } = await deliveries.readEndpoints([accountId], 0);
  const listed = await deliveriesOf(storage, accountId);
  const queues = endpoints.map(
    ({ endpoint: { id: endpointId } }): QueueRead => ({ shard, accountId, endpointId, limit: 100, order: 'due' }),
  );
  return {
    endpoints: endpoints.map(({ health, ...rest }) => ({ ...rest, failures: health?.failures ?? 0 })),
    outbox: (await deliveries.readOutbox([{ shard }], 100, 0)).events.filter(isOwn),
    events: await wholeEventsOf(storage, accountId),
    deliveries: listed,
    attempts: await Promise.all(
      listed.map(async (each) =>
        (await log.listAttempts(parsed(accountId, each))).map(({ at: _at, ...outcome }) => outcome),
      ),
    ),
    due: (await deliveries.readDue([shard], 100, [], 0)).deliveries.filter(isOwn),
    queued: (await deliveries.readQueued(queues, [], 0)).deliveries,
    propagated: (await parents.readPropagated([{ shard }], 100)).filter(isOwn),
  };
};
