import { isSelected } from '../../catalogue/event-selector.ts';
import type { OwnedEndpoint, StoreState } from '../../delivery-ports/delivery-store.ts';
import { shardCount, shardOf } from '../../delivery-ports/shard.ts';
import { readHealth } from '../../delivery-rules/breaker.ts';
import type { NewEvent } from '../../events/event.ts';
import { type AccountLane, type EndpointLane, readyCount } from './in-hand.ts';

/** Maximum number of idle accounts in memory. */
const maxIdle = 20_000;

/** What {@link createLanes} calls. @internal */
export interface LanesDeps {
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  /** An endpoint was disabled or deleted: its deliveries in memory go to the store. */
  readonly onClosed: (lane: EndpointLane) => void;
  /** An endpoint may receive again. */
  readonly onOpened: (lane: EndpointLane) => void;
}

/** The accounts and endpoints in a worker's memory, as last read. @internal */
export interface Lanes {
  /**
   * Compares endpoint versions; returns whether any changed. Accounts of changed shards become stale: nothing is sent
   * to them before they are read again.
   */
  observe(state: StoreState): boolean;
  /** An account in memory; its endpoints may have changed since. */
  get(accountId: string): AccountLane | undefined;
  /** Stale accounts with deliveries, and the shards that changed since the last call. */
  outdated(): { readonly accountIds: readonly string[]; readonly shards: readonly number[] };
  /**
   * Stores what was read of these accounts, and of others with queued deliveries. `isExact`: nothing was queued during
   * the read, so its `hasQueued` is current.
   */
  learn(accountIds: readonly string[], state: StoreState, endpoints: readonly OwnedEndpoint[], isExact: boolean): void;
  /** All accounts in memory. */
  all(): Iterable<AccountLane>;
  /** Whether any endpoint receives events of child accounts. */
  hasIncludeChildren(): boolean;
  /** Removes the accounts of shards that are no longer owned. */
  drop(shards: ReadonlySet<number>): void;
  /** Removes idle accounts when there are too many. */
  trim(): void;
}

const isIdle = ({ lanes, inFlight }: AccountLane): boolean =>
  inFlight === 0 &&
  lanes.every((lane) => readyCount(lane) === 0 && lane.queue === 'none' && lane.queueing === 0 && !lane.health);

/** The endpoints of an account that receive an event. @internal */
export const matchingLanes = ({ lanes }: AccountLane, event: NewEvent): readonly EndpointLane[] =>
  lanes.filter(({ endpoint }) => {
    if (endpoint.state === 'disabled') return false;
    if (event.onlyTo !== undefined) return endpoint.id === event.onlyTo;
    return isSelected(endpoint.events, event) && (event.origin === undefined || endpoint.includeChildren);
  });

/** Creates the memory of a worker's accounts. @internal */
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
    hasTimedOut: false,
    isListed: false,
    queue: hasQueued ? 'some' : 'none',
    queueing: 0,
    isGone: false,
  });

  const update = (lane: EndpointLane, { endpoint, health, hasQueued }: OwnedEndpoint, isExact: boolean): void => {
    const before = lane.endpoint;
    // This worker has disabled it, and the storage had not stored that when it was read.
    const isDisabling = before.state === 'disabled_by_breaker' && before.version === endpoint.version;
    lane.endpoint = isDisabling ? before : endpoint;
    // A change of state deletes the stored health; after other changes, the stored health is recent enough.
    if (before.version !== endpoint.version) lane.health = readHealth(health, now());
    if (hasQueued) lane.queue = 'some';
    else if (isExact && lane.queueing === 0) lane.queue = 'none';
    if (lane.endpoint.state !== 'enabled') onClosed(lane);
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
