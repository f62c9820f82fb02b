import { isSelected } from '../catalogue/event-selector.ts';
import type { NewEvent } from '../events/event.ts';
import type { OwnedEndpoint, StoreState } from './delivery-store.ts';
import { readHealth } from './health.ts';
import { type AccountLane, type EndpointLane, readyCount } from './in-hand.ts';
import { shardCount, shardOf } from './shard.ts';

/** How many accounts without anything to do are remembered. */
const maxIdle = 20_000;

/** @internal */
export interface LanesDeps {
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  /** An endpoint is disabled or deleted: what it has in memory goes to the store. */
  readonly onClosed: (lane: EndpointLane) => void;
  /** An endpoint may be sent to again. */
  readonly onOpened: (lane: EndpointLane) => void;
}

/** The accounts and endpoints that a worker knows, as of the last time the store told of changes. @internal */
export interface Lanes {
  /**
   * Takes note of changes, and says whether there are any. Accounts that changed are stale: nothing is sent to them before they are read
   * again.
   */
  observe(state: StoreState): boolean;
  /** An account whose endpoints are known; they may have changed since. */
  get(accountId: string): AccountLane | undefined;
  /** Accounts to be read again, because they are stale and have deliveries; and the shards that changed since the last reading. */
  outdated(): { readonly accountIds: readonly string[]; readonly shards: readonly number[] };
  /**
   * What was read of these accounts, and of others with queued deliveries. `isExact`: nothing was queued while it was read, so that what it
   * says of queues holds.
   */
  learn(accountIds: readonly string[], state: StoreState, endpoints: readonly OwnedEndpoint[], isExact: boolean): void;
  all(): Iterable<AccountLane>;
  /** Some endpoint of some account receives the events of children. */
  hasIncludeChildren(): boolean;
  /** Forgets the accounts of shards that are no longer owned. */
  drop(shards: ReadonlySet<number>): void;
  /** Forgets idle accounts if there are too many. */
  trim(): void;
}

const isIdle = ({ lanes, inFlight }: AccountLane): boolean =>
  inFlight === 0 &&
  lanes.every((lane) => readyCount(lane) === 0 && lane.queue === 'none' && lane.queueing === 0 && !lane.health);

/** The endpoints of an account to which an event is to be delivered. @internal */
export const matchingLanes = ({ lanes }: AccountLane, event: NewEvent): readonly EndpointLane[] =>
  lanes.filter(({ endpoint }) => {
    if (endpoint.state === 'disabled') return false;
    if (event.onlyTo !== undefined) return endpoint.id === event.onlyTo;
    return isSelected(endpoint.events, event) && (event.origin === undefined || endpoint.includeChildren);
  });

/** @internal */
export const createLanes = ({ now, onClosed, onOpened }: LanesDeps): Lanes => {
  const accounts = new Map<string, AccountLane>();
  const known: number[] = new Array(shardCount).fill(0);
  let lastText = '';
  let changed = new Set<number>();
  let hasIncludeChildren = false;

  const observe = (state: StoreState): boolean => {
    hasIncludeChildren = state.hasIncludeChildren;
    if (state.endpointVersions === lastText) return false;
    lastText = state.endpointVersions;
    const grown = new Set<number>();
    for (const [shard, text] of lastText.split(',').entries()) {
      const version = Number(text);
      if (version <= (known[shard] ?? 0)) continue;
      known[shard] = version;
      grown.add(shard);
    }
    for (const shard of grown) changed.add(shard);
    for (const account of accounts.values()) if (grown.has(account.shard)) account.isStale = true;
    return grown.size > 0;
  };

  const newLane = (account: AccountLane, { endpoint, health, hasQueued }: OwnedEndpoint): EndpointLane => ({
    account,
    endpoint,
    health: readHealth(health, now()),
    ready: [],
    head: 0,
    inFlight: 0,
    isListed: false,
    queue: hasQueued ? 'some' : 'none',
    queueing: 0,
    isGone: false,
  });

  const update = (lane: EndpointLane, { endpoint, health, hasQueued }: OwnedEndpoint, isExact: boolean): void => {
    const before = lane.endpoint;
    lane.endpoint = endpoint;
    // Its health was deleted with a change of state; whatever else changed, the store knows it well enough.
    if (before.version !== endpoint.version) lane.health = readHealth(health, now());
    if (hasQueued) lane.queue = 'some';
    else if (isExact && lane.queueing === 0) lane.queue = 'none';
    if (endpoint.state !== 'enabled') onClosed(lane);
  };

  const learnAccount = (account: AccountLane, owned: readonly OwnedEndpoint[], isExact: boolean): void => {
    const before = new Map(account.lanes.map((lane) => [lane.endpoint.id, lane]));
    account.lanes = owned.map((each) => {
      const lane = before.get(each.endpoint.id);
      before.delete(each.endpoint.id);
      if (!lane) return newLane(account, each);
      update(lane, each, isExact);
      return lane;
    });
    for (const lane of before.values()) {
      lane.isGone = true;
      lane.endpoint = { ...lane.endpoint, state: 'disabled' };
      onClosed(lane);
    }
  };

  return {
    observe,
    get: (accountId) => accounts.get(accountId),
    outdated: () => {
      const shards = [...changed];
      changed = new Set();
      const stale = [...accounts.values()].filter((account) => account.isStale && !isIdle(account));
      return { accountIds: stale.map(({ accountId }) => accountId), shards };
    },
    learn: (accountIds, state, endpoints, isExact) => {
      observe(state);
      const versions = state.endpointVersions.split(',');
      const owned = new Map<string, OwnedEndpoint[]>(accountIds.map((accountId) => [accountId, []]));
      for (const each of endpoints) {
        const { accountId } = each.endpoint;
        const others = owned.get(accountId);
        if (others) others.push(each);
        else owned.set(accountId, [each]);
      }
      for (const [accountId, each] of owned) {
        const shard = shardOf(accountId);
        const version = Number(versions[shard]);
        const account = accounts.get(accountId) ?? {
          accountId,
          shard,
          lanes: [],
          ring: [],
          inFlight: 0,
          isListed: false,
          version,
          isStale: false,
        };
        accounts.set(accountId, account);
        account.version = version;
        account.isStale = version < (known[shard] ?? 0);
        learnAccount(account, each, isExact);
        for (const lane of account.lanes) onOpened(lane);
      }
    },
    all: () => accounts.values(),
    hasIncludeChildren: () => hasIncludeChildren,
    drop: (shards) => {
      for (const [accountId, account] of accounts) if (shards.has(account.shard)) accounts.delete(accountId);
    },
    trim: () => {
      if (accounts.size <= maxIdle) return;
      for (const [accountId, account] of accounts) if (isIdle(account)) accounts.delete(accountId);
    },
  };
};
