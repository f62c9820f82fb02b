import type { Pool } from 'undici';

/** An origin that is not used for as long, or at most twice as long, is forgotten. Outlives every idle socket. */
const generationTime = 60_000;

/**
 * One pool for each origin in use. undici's Agent would keep the pool of an origin for ever when its last request was
 * aborted; here two generations take turns, and what was used in neither is closed.
 * @internal
 */
export const originPools = (create: (origin: string) => Pool, now: () => number = () => performance.now()) => {
  let young = new Map<string, Pool>();
  let old = new Map<string, Pool>();
  let turnedAt = now();

  const turn = () => {
    // Closing waits for what is in flight.
    for (const pool of old.values()) void pool.close();
    old = young;
    young = new Map();
    turnedAt = now();
  };

  return {
    get: (origin: string): Pool => {
      if (now() - turnedAt >= generationTime) turn();
      const known = young.get(origin);
      if (known) return known;
      const pool = old.get(origin) ?? create(origin);
      old.delete(origin);
      young.set(origin, pool);
      return pool;
    },
    /** Ends every pool, and what is in flight with it. */
    destroy: async (): Promise<void> => {
      const pools = [...young.values(), ...old.values()];
      young.clear();
      old.clear();
      await Promise.all(pools.map((pool) => pool.destroy()));
    },
  };
};
