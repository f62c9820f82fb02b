/** The sockets of one origin: clients of undici, or an Agent of Node.js. */
interface Pool {
  /** Closes each socket once it is idle. */
  close(): unknown;
  /** Closes every socket now. */
  destroy(): unknown;
}

/** A pool lives for once to twice as long. Outlives every idle socket. */
const generationTime = 150_000;

/**
 * One pool for each origin, and a new one every few minutes, used or not: so a changed name is followed, and an origin that is no longer
 * used is forgotten. undici's Agent would keep it for ever when its last request was aborted, and its `clientTtl` looks at each of a
 * pool's sockets at every request.
 * @internal
 */
export const originPools = <P extends Pool>(
  create: (origin: string) => P,
  now: () => number = () => performance.now(),
) => {
  let young = new Map<string, P>();
  let old = new Map<string, P>();
  let turnedAt = now();

  const turn = () => {
    // Closing waits for what is in flight.
    for (const pool of old.values()) void pool.close();
    old = young;
    young = new Map();
  };
  const keepUp = () => {
    const passed = Math.floor((now() - turnedAt) / generationTime);
    for (let turns = 0; turns < Math.min(passed, 2); turns++) turn();
    turnedAt += passed * generationTime;
  };

  return {
    get: (origin: string): P => {
      keepUp();
      const known = young.get(origin) ?? old.get(origin);
      if (known) return known;
      const pool = create(origin);
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
