import type { RateLimiter } from '../../access/tokens/rate-limiter.ts';
import { createCache } from '../../base/runtime/cache.ts';
import type { Clock } from '../../base/runtime/clock.ts';
import { systemClock } from '../../base/runtime/system.ts';
import type { EpochMs } from '../../base/runtime/time.ts';

/**
 * Rate limits of this process. Stores at least the last 50,000 keys. Several processes share limits through another
 * adapter.
 * @example
 * const kit = createPartnerkit({ ...options, shared: { limiter: memoryRateLimiter() } });
 * @public
 */
export const memoryRateLimiter = ({
  clock = systemClock,
}: {
  /** Source of time. @defaultValue the system clock */
  readonly clock?: Clock;
} = {}): RateLimiter => {
  const windows = createCache<{ used: number; readonly endsAt: EpochMs }>(50_000);
  return {
    take: async (key, { points, window }) => {
      const now = clock.now();
      const known = windows.get(key);
      if (!known || known.endsAt <= now) {
        windows.set(key, { used: 1, endsAt: now + window });
        return 0;
      }
      if (known.used >= points) return known.endsAt - now;
      known.used++;
      return 0;
    },
    refund: async (key) => {
      const known = windows.get(key);
      if (known) known.used = Math.max(known.used - 1, 0);
    },
  };
};
