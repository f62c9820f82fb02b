import type { Client } from '../clients/client.ts';
import type { ClientStore } from '../clients/client-store.ts';
import { type Cache, createCache } from '../runtime/cache.ts';
import type { Clock } from '../runtime/clock.ts';
import type { DurationMs, EpochMs } from '../runtime/time.ts';
import type { ClientNews } from './client-news.ts';
import { createNewsFeed } from './news-feed.ts';

/**
 * Clients and revocations as they were at most `staleness` ago: how late a disabled client or a revoked secret is refused.
 * @internal
 */
export interface FreshClients {
  client(clientId: string): Promise<Client | undefined>;
  isTokenRevoked(jti: string): Promise<boolean>;
  /** Makes a change of a client, or of a token: this process forgets what it knew, and the others hear of it. */
  changing<T>(id: string, change: () => Promise<T>): Promise<T>;
}

/** @internal */
export interface FreshClientsDeps {
  readonly store: ClientStore;
  readonly clock: Clock;
  readonly staleness: DurationMs;
  /** With it, answers last `untoldStaleness` while nothing is heard of their subject, and silence is known to mean that nothing was told. */
  readonly news?: ClientNews | undefined;
  readonly untoldStaleness: DurationMs;
  readonly onTrouble: (cause: unknown) => void;
}

interface Answer<T> {
  readonly askedAt: EpochMs;
  readonly mayLast: boolean;
  readonly value: Promise<T>;
}

const kept = 10_000;

/** @internal */
export const createFreshClients = (deps: FreshClientsDeps): FreshClients => {
  const { store, clock, staleness, news, untoldStaleness, onTrouble } = deps;
  let clients = createCache<Answer<Client | undefined>>(kept);
  let revocations = createCache<Answer<boolean>>(kept);

  /** Ids of clients and of tokens never meet; and to forget too much does no harm. */
  const forget = (id: string): void => {
    clients.delete(id);
    revocations.delete(id);
  };
  const forgetAll = (): void => {
    clients = createCache(kept);
    revocations = createCache(kept);
  };
  const feed =
    news &&
    createNewsFeed({ news, clock, staleness, untoldStaleness, onChanged: forget, onMissed: forgetAll, onTrouble });

  /** Simultaneous requests share one question; a question that failed is asked again. */
  const remember = <T>(cache: Cache<Answer<T>>, id: string, question: () => Promise<T>): Promise<T> => {
    const now = clock.now();
    const hears = staleness > 0 && (feed?.hears(now) ?? false);
    const known = cache.get(id);
    if (known) {
      const age = now - known.askedAt;
      // A clock that was set back must not make an answer last longer.
      if (age >= 0 && (age < staleness || (hears && known.mayLast && age < untoldStaleness))) return known.value;
    }
    const value = question();
    if (staleness > 0) cache.set(id, { askedAt: now, mayLast: feed?.mayLast(id, now) ?? false, value });
    // Also where nothing is kept: whoever asks several questions may end at the first that fails.
    value.catch(() => cache.delete(id));
    return value;
  };

  return {
    client: (clientId) => remember(clients, clientId, () => store.findClient(clientId)),
    isTokenRevoked: (jti) => remember(revocations, jti, () => store.isTokenRevoked(jti)),
    changing: async (id, change) => {
      if (feed) return feed.tellOf(id, change);
      try {
        return await change();
      } finally {
        forget(id);
      }
    },
  };
};
