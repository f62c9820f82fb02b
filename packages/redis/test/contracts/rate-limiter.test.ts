import { rateLimiterContract } from '@partnerkit/conformance/contracts';
import { test } from 'vitest';
import { redisRateLimiter } from '../../src/index.ts';
import { keysOf } from '../support/store-time.ts';
import { onEveryClient, timeout } from '../support/suites.ts';

onEveryClient((host) => {
  rateLimiterContract({
    test,
    create: async (settings) => {
      const keys = keysOf(host.admins, settings);
      return { ...keys, limiter: redisRateLimiter(host.client, { prefix: keys.prefix, timeout }) };
    },
  });
});
