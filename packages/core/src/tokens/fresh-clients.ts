import type { Client } from '../clients/client.ts';
import type { ClientStore } from '../clients/client-store.ts';
import { type Cache, createCache } from '../runtime/cache.ts';
import type { Clock } from '../runtime/clock.ts';
import type { DurationMs, EpochMs } from '../runtime/time.ts';

/**
 * Clients and revocations as they were at most `staleness` ago: how late a disabled client or a revoked secret is refused.
 * @internal
 */
export interface FreshClients {
  client(clientId: string): Promise<Client | undefined>;
  isTokenRevoked(jti: string): Promise<boolean>;
  /** Forgets what this process itself changed. */
  forget(clientId: string): void;
  forgetToken(jti: string): void;
}

interface Answer<T> {
  readonly askedAt: EpochMs;
  readonly value: Promise<T>;
}

const kept = 10_000;

/** @internal */
export const createFreshClients = (store: ClientStore, staleness: DurationMs, clock: Clock): FreshClients => {
  const clients = createCache<Answer<Client | undefined>>(kept);
  const revocations = createCache<Answer<boolean>>(kept);

  /** Simultaneous requests share one question; a question that failed is asked again. */
  const remember = <T>(cache: Cache<Answer<T>>, key: string, question: () => Promise<T>): Promise<T> => {
    const now = clock.now();
    const known = cache.get(key);
    // A clock that was set back must not make an answer last longer.
    if (known && known.askedAt <= now && now - known.askedAt < staleness) return known.value;
    const value = question();
    if (staleness > 0) {
      cache.set(key, { askedAt: now, value });
      value.catch(() => cache.delete(key));
    }
    return value;
  };

  return {
    client: (clientId) => remember(clients, clientId, () => store.findClient(clientId)),
    isTokenRevoked: (jti) => remember(revocations, jti, () => store.isTokenRevoked(jti)),
    forget: clients.delete,
    forgetToken: revocations.delete,
  };
};
