import { seenKeysContract } from '@partnerkit/conformance/contracts';
import { test } from 'vitest';
import { redisSeenKeys } from '../../src/index.ts';
import { keysOf } from '../support/store-time.ts';
import { onEveryClient, timeout } from '../support/suites.ts';

onEveryClient((host) => {
  seenKeysContract({
    test,
    create: async (settings) => {
      const keys = keysOf(host.admins, settings);
      return { ...keys, seen: redisSeenKeys(host.client, { prefix: keys.prefix, timeout }) };
    },
  });
});
