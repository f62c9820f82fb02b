import type { Sealed } from '../../src/base/crypto/seal.ts';
import { second } from '../../src/base/runtime/time.ts';
import type { OutboxEvent, OwnedEndpoint, StoreState } from '../../src/webhooks/deliveries/delivery-store.ts';
import type { Endpoint } from '../../src/webhooks/endpoints/endpoint.ts';
import { shardOf } from '../../src/webhooks/shards/shard.ts';
import type { AccountLane, EndpointLane, LoadedDelivery } from '../../src/webhooks/worker/memory/lane.ts';
import { start } from './clock.ts';

/** An account whose endpoints are given, as the owner of its shard has it in memory. */
export const accountLane = (
  accountId: string,
  endpoints: readonly (Partial<Endpoint> & { readonly id: string })[],
): AccountLane & { readonly lanes: readonly EndpointLane[] } => {
  const account: AccountLane = {
    accountId,
    shard: shardOf(accountId),
    lanes: [],
    version: 0,
    isStale: false,
    ring: [],
    inFlight: 0,
    isListed: false,
  };
  account.lanes = endpoints.map((endpoint) => ({
    account,
    endpoint: {
      accountId,
      kind: 'push',
      url: `https://${endpoint.id}.example/`,
      events: ['payed'],
      state: 'enabled',
      standardWebhooks: false,
      includeChildren: false,
      createdAt: start,
      secret: 'k1.sealed' as Sealed,
      version: 1,
      ...endpoint,
    },
    health: undefined,
    isSendingPaused: false,
    isGone: false,
    ready: [],
    head: 0,
    inFlight: 0,
    pace: 'prompt',
    isListed: false,
    queue: 'none',
    queueing: 0,
  }));
  return account;
};

/** An event as it is read from the outbox. */
export const outboxEvent = (id: string, change: Partial<OutboxEvent> = {}): OutboxEvent => {
  const { accountId = 'acc_a' } = change;
  return {
    id,
    accountId,
    objectName: 'RequestPayment',
    objectId: id,
    type: 'payed',
    bodyTail: `,"data":{"id":"${id}"}}`,
    shard: shardOf(accountId),
    position: id,
    storedAt: start,
    ...change,
  };
};

/** A delivery that waits in memory. */
export const loadedDelivery = (
  lane: EndpointLane,
  eventId: string,
  change: Partial<LoadedDelivery> = {},
): LoadedDelivery => {
  const { accountId, shard } = lane.account;
  return {
    shard,
    accountId,
    eventId,
    endpointId: lane.endpoint.id,
    replay: 0,
    lane,
    event: {
      event: outboxEvent(eventId, { accountId }),
      timestamp: start / second,
      body: undefined,
      otherBodies: undefined,
    },
    attempts: 0,
    logged: 0,
    wasAbandoned: false,
    isUrgent: false,
    stored: 'fresh',
    batch: undefined,
    since: start,
    ...change,
  };
};

/** What a store tells a worker that knows no version: the last changes of the shards of these accounts. */
export const storeState = (
  versions: Readonly<Record<string, number>> = {},
  change: Partial<StoreState> = {},
): StoreState => {
  const endpointVersion = Math.max(0, ...Object.values(versions));
  const changedShards = Object.keys(versions).map(shardOf);
  return { now: 0, endpointVersion, changedShards, hasIncludeChildren: false, ...change };
};

/** An endpoint as the owner of its shard reads it: `one` of `acc_a`, unless told otherwise. */
export const ownedEndpoint = (
  change: Partial<Endpoint> = {},
  more: Omit<Partial<OwnedEndpoint>, 'endpoint'> = {},
): OwnedEndpoint => {
  const { accountId = 'acc_a', ...endpoint } = change;
  const [lane] = accountLane(accountId, [{ id: 'one', ...endpoint }]).lanes;
  return { endpoint: (lane as EndpointLane).endpoint, hasQueued: false, isSendingPaused: false, ...more };
};
