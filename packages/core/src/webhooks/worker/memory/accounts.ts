import { compareBytes } from '../../../base/runtime/byte-order.ts';
import type { OwnedEndpoint, ShardRange, StoreState } from '../../deliveries/delivery-store.ts';
import type { RegisteredHandler } from '../../deliveries/handler-store.ts';
import { type Health, readHealth } from '../../delivery-rules/breaker.ts';
import { shardCount, shardOf } from '../../shards/shard.ts';
import { type AccountLane, type EndpointLane, readyCount } from './lane.ts';

/** Maximum number of idle accounts in memory. */
const maxIdle = 20_000;

/** An endpoint of which a read told. */
interface LearnedLane {
  readonly lane: EndpointLane;
  /** Whether the store has queued deliveries of it. */
  readonly hasQueued: boolean;
}

/** The accounts and endpoints in a worker's memory, as last read. */
export interface Accounts {
  /** The last version of endpoints of which the store told. */
  knownVersion(): number;
  /**
   * Notes which endpoints changed; returns whether any did. Accounts of changed shards become stale: nothing is sent
   * to them before they are read again. An answer that comes after a later one tells nothing new.
   */
  observe(state: StoreState): boolean;
  /** An account in memory; its endpoints may have changed since. */
  get(accountId: string): AccountLane | undefined;
  /** An endpoint in memory. */
  laneOf(accountId: string, endpointId: string): EndpointLane | undefined;
  /** Stale accounts with deliveries. */
  stale(): readonly string[];
  /** The accounts with queued deliveries of these ranges are to be read; of two of one shard, the larger one. */
  expect(ranges: readonly ShardRange[]): void;
  /** Whether `observe` found changes since the last `takeExpected`. */
  hasChanged(): boolean;
  /** Whether accounts with queued deliveries are to be read. */
  hasExpected(): boolean;
  /** Takes ranges whose accounts with queued deliveries are to be read: expected ones, and shards that changed. */
  takeExpected(limit: number): readonly ShardRange[];
  /**
   * Stores what was read of these accounts, and of others with queued deliveries. Returns their endpoints, with those
   * that are gone.
   */
  learn(accountIds: readonly string[], state: StoreState, endpoints: readonly OwnedEndpoint[]): readonly LearnedLane[];
  /** Stores the health of an endpoint after an attempt; `isDisabled`: the breaker disabled it. */
  setHealth(lane: EndpointLane, health: Health | undefined, isDisabled: boolean): void;
  /** All accounts in memory. */
  all(): Iterable<AccountLane>;
  /** Whether any endpoint receives events of child accounts. */
  hasIncludeChildren(): boolean;
  /** The registered handlers of the host. */
  handlers(): readonly RegisteredHandler[];
  /** Removes the accounts of shards that are no longer owned. Returns their endpoints, which are gone. */
  drop(shards: ReadonlySet<number>): readonly EndpointLane[];
  /** Removes idle accounts when there are too many. */
  trim(): void;
}

const isIdle = ({ lanes, inFlight }: AccountLane): boolean =>
  inFlight === 0 &&
  lanes.every((lane) => readyCount(lane) === 0 && lane.queue === 'none' && lane.queueing === 0 && !lane.health);

const newAccount = (accountId: string, shard: number): AccountLane => ({
  accountId,
  shard,
  lanes: [],
  version: 0,
  isStale: false,
  ring: [],
  inFlight: 0,
  isListed: false,
});

/** Creates the memory of a worker's accounts. */
export const createAccounts = (now: () => number): Accounts => {
  const accounts = new Map<string, AccountLane>();
  /** Those of `accounts` that are stale: a search among all would cost each read as much as there are accounts. */
  const stale = new Set<AccountLane>();
  /** For each shard, the first version known to have its last change. */
  const changedIn: number[] = new Array(shardCount).fill(0);
  const expected = new Map<number, ShardRange>();
  let knownVersion = 0;
  let hasChanged = false;
  let hasIncludeChildren = false;
  let handlers: readonly RegisteredHandler[] = [];

  const mark = (account: AccountLane, isStale: boolean): void => {
    account.isStale = isStale;
    if (isStale) stale.add(account);
    else stale.delete(account);
  };

  const forget = (account: AccountLane): void => {
    accounts.delete(account.accountId);
    stale.delete(account);
  };

  const observe = (state: StoreState): boolean => {
    if (state.endpointVersion < knownVersion) return false;
    hasIncludeChildren = state.hasIncludeChildren;
    if (state.endpointVersion === knownVersion) return false;
    knownVersion = state.endpointVersion;
    handlers = state.handlers ?? handlers;
    const changed = new Set(state.changedShards);
    for (const shard of changed) {
      changedIn[shard] = knownVersion;
      expected.set(shard, { shard });
    }
    hasChanged ||= changed.size > 0;
    for (const account of accounts.values()) if (changed.has(account.shard)) mark(account, true);
    return changed.size > 0;
  };

  const newLane = (account: AccountLane, { endpoint, health, isSendingPaused }: OwnedEndpoint): EndpointLane => ({
    account,
    endpoint,
    isSendingPaused,
    health: readHealth(health, now()),
    isGone: false,
    ready: [],
    head: 0,
    inFlight: 0,
    pace: 'untried',
    isListed: false,
    queue: 'none',
    queueing: 0,
  });

  const update = (lane: EndpointLane, { endpoint, health, isSendingPaused }: OwnedEndpoint): void => {
    lane.isSendingPaused = isSendingPaused;
    const before = lane.endpoint;
    // This worker has disabled it, and the storage had not stored that when it was read.
    const isDisabling = before.state === 'disabled_by_breaker' && before.version === endpoint.version;
    lane.endpoint = isDisabling ? before : endpoint;
    // A change of state deletes the stored health; after other changes, the stored health is recent enough.
    if (before.version !== endpoint.version) lane.health = readHealth(health, now());
  };

  const learnAccount = (account: AccountLane, owned: readonly OwnedEndpoint[], learned: LearnedLane[]): void => {
    const before = new Map(account.lanes.map((lane) => [lane.endpoint.id, lane]));
    account.lanes = owned.map((each) => {
      const known = before.get(each.endpoint.id);
      before.delete(each.endpoint.id);
      if (known) update(known, each);
      const lane = known ?? newLane(account, each);
      learned.push({ lane, hasQueued: each.hasQueued });
      return lane;
    });
    for (const lane of before.values()) {
      lane.isGone = true;
      lane.endpoint = { ...lane.endpoint, state: 'disabled' };
      learned.push({ lane, hasQueued: false });
    }
  };

  return {
    knownVersion: () => knownVersion,
    observe,
    get: (accountId) => accounts.get(accountId),
    laneOf: (accountId, endpointId) =>
      accounts.get(accountId)?.lanes.find(({ endpoint }) => endpoint.id === endpointId),
    stale: () => [...stale].filter((account) => !isIdle(account)).map(({ accountId }) => accountId),
    expect: (ranges) => {
      for (const range of ranges) {
        const { after: known = '' } = expected.get(range.shard) ?? range;
        const { shard, after = '' } = range;
        const first = compareBytes(known, after) < 0 ? known : after;
        expected.set(shard, first === '' ? { shard } : { shard, after: first });
      }
    },
    hasChanged: () => hasChanged,
    hasExpected: () => expected.size > 0,
    takeExpected: (limit) => {
      hasChanged = false;
      const ranges = [...expected.values()].slice(0, limit);
      for (const { shard } of ranges) expected.delete(shard);
      return ranges;
    },
    learn: (accountIds, state, endpoints) => {
      observe(state);
      const owned = new Map<string, OwnedEndpoint[]>(accountIds.map((accountId) => [accountId, []]));
      for (const each of endpoints) {
        const { accountId } = each.endpoint;
        const others = owned.get(accountId);
        if (others) others.push(each);
        else owned.set(accountId, [each]);
      }
      const learned: LearnedLane[] = [];
      for (const [accountId, each] of owned) {
        const shard = shardOf(accountId);
        const account = accounts.get(accountId) ?? newAccount(accountId, shard);
        accounts.set(accountId, account);
        account.version = state.endpointVersion;
        mark(account, account.version < (changedIn[shard] ?? 0));
        learnAccount(account, each, learned);
      }
      return learned;
    },
    setHealth: (lane, health, isDisabled) => {
      lane.health = health;
      if (isDisabled) lane.endpoint = { ...lane.endpoint, state: 'disabled_by_breaker' };
    },
    all: () => accounts.values(),
    hasIncludeChildren: () => hasIncludeChildren,
    handlers: () => handlers,
    drop: (shards) => {
      const dropped: EndpointLane[] = [];
      for (const account of accounts.values()) {
        if (!shards.has(account.shard)) continue;
        forget(account);
        dropped.push(...account.lanes);
      }
      for (const lane of dropped) lane.isGone = true;
      return dropped;
    },
    trim: () => {
      if (accounts.size <= maxIdle) return;
      for (const account of accounts.values()) if (isIdle(account)) forget(account);
    },
  };
};
