import { type Cache, createCache } from '../../base/runtime/cache.ts';
import type { Soon } from '../../base/runtime/chain.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import type { DurationMs, EpochMs } from '../../base/runtime/time.ts';
import { wrongAnswer } from '../../base/runtime/wrong-answer.ts';
import type { Client } from './client.ts';
import type { ClientChangeFeed } from './client-change-feed.ts';
import { createClientChangeListener } from './client-change-listener.ts';
import type { ClientStore } from './client-store.ts';

/** Reads clients and revocations, at most `staleness` old. */
export interface ClientCache {
  /** Reads a client. What is cached is at hand. */
  client(clientId: string): Soon<Client | undefined>;
  /** Whether a token is revoked. */
  isTokenRevoked(jti: string): Soon<boolean>;
  /** Runs a change of a client or a token: drops it from this cache and announces it to other processes. */
  runChange<T>(id: string, change: () => Promise<T>): Promise<T>;
}

export interface ClientCacheDeps {
  readonly store: ClientStore;
  readonly clock: Clock;
  /** Maximum age of a read, in milliseconds; 0 reads the store each time. */
  readonly staleness: DurationMs;
  /**
   * With a feed, a read is valid for `maxStaleness` while the feed is current and announces no change of its subject.
   */
  readonly changeFeed?: ClientChangeFeed | undefined;
  /** Maximum age of a read while the feed is current, in milliseconds. */
  readonly maxStaleness: DurationMs;
  /** Receives errors of the feed. */
  readonly onError: (cause: unknown) => void;
}

interface CachedRead<T> {
  readonly readAt: EpochMs;
  readonly isCacheable: boolean;
  readonly value: Promise<T>;
  /** The value, once it has come. */
  came?: { readonly value: T };
}

const maxCached = 10_000;

const readRevocation = async (store: ClientStore, jti: string): Promise<boolean> => {
  const isRevoked: unknown = await store.isTokenRevoked(jti);
  if (typeof isRevoked === 'boolean') return isRevoked;
  throw wrongAnswer('storage.clients.isTokenRevoked', 'true or false');
};

export const createClientCache = (deps: ClientCacheDeps): ClientCache => {
  const { store, clock, staleness, changeFeed, maxStaleness, onError } = deps;
  let clients = createCache<CachedRead<Client | undefined>>(maxCached);
  let revocations = createCache<CachedRead<boolean>>(maxCached);

  /** Ids of clients and tokens are never equal, so both caches can drop the id. */
  const forget = (id: string): void => {
    clients.delete(id);
    revocations.delete(id);
  };
  const forgetAll = (): void => {
    clients = createCache(maxCached);
    revocations = createCache(maxCached);
  };
  const listener =
    changeFeed &&
    createClientChangeListener({
      changeFeed,
      clock,
      staleness,
      maxStaleness,
      onChanged: forget,
      onMissed: forgetAll,
      onError,
    });

  /** Simultaneous requests share one read; a failed read is not cached. */
  const readCached = <T>(cache: Cache<CachedRead<T>>, id: string, read: () => Promise<T>): Soon<T> => {
    const now = clock.now();
    const isCurrent = staleness > 0 && (listener?.isCurrent(now) ?? false);
    const known = cache.get(id);
    if (known) {
      const age = now - known.readAt;
      // A clock that was set back must not extend the life of a read.
      if (age >= 0 && (age < staleness || (isCurrent && known.isCacheable && age < maxStaleness)))
        return known.came ? known.came.value : known.value;
    }
    const value = read();
    const made: CachedRead<T> = { readAt: now, isCacheable: listener?.isCacheable(id, now) ?? false, value };
    if (staleness > 0) cache.set(id, made);
    // Also without caching: a caller with several reads may stop at the first failure and leave this one unhandled.
    value.then(
      (came) => {
        made.came = { value: came };
      },
      () => cache.delete(id),
    );
    return value;
  };

  return {
    client: (clientId) => readCached(clients, clientId, () => store.findClient(clientId)),
    isTokenRevoked: (jti) => readCached(revocations, jti, () => readRevocation(store, jti)),
    runChange: async (id, change) => {
      if (listener) return listener.runAnnounced(id, change);
      try {
        return await change();
      } finally {
        forget(id);
      }
    },
  };
};
