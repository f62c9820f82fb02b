/** The sockets of one origin: clients of undici, or an Agent of Node.js. */
interface Pool {
  /** Closes each socket once it is idle. */
  close(): unknown;
  /** Closes every socket now. */
  destroy(): unknown;
}

/** A pool lives for one to two generations, in milliseconds. Longer than the idle timeout of sockets. */
const generationTime = 150_000;

/**
 * One pool for each origin, replaced every few minutes: this follows changes in DNS and drops unused origins. undici's
 * Agent never drops an origin whose last request was aborted, and its `clientTtl` checks every socket at each request.
 */
export const originPools = <P extends Pool>(
  create: (origin: string) => P,
  now: () => number = () => performance.now(),
) => {
  let young = new Map<string, P>();
  let old = new Map<string, P>();
  let rotatedAt = now();

  const rotate = () => {
    // `close` waits for requests in flight.
    for (const pool of old.values()) void pool.close();
    old = young;
    young = new Map();
  };
  const rotateIfDue = () => {
    const passed = Math.floor((now() - rotatedAt) / generationTime);
    for (let rotations = 0; rotations < Math.min(passed, 2); rotations++) rotate();
    rotatedAt += passed * generationTime;
  };

  return {
    get: (origin: string): P => {
      rotateIfDue();
      const known = young.get(origin) ?? old.get(origin);
      if (known) return known;
      const pool = create(origin);
      young.set(origin, pool);
      return pool;
    },
    /** Destroys every pool and aborts its requests. */
    destroy: async (): Promise<void> => {
      const pools = [...young.values(), ...old.values()];
      young.clear();
      old.clear();
      await Promise.all(pools.map((pool) => pool.destroy()));
    },
  };
};
