import { randomUUID } from 'node:crypto';
import { clientChangeFeedContract } from '@partnerkit/conformance/contracts';
import { test } from 'vitest';
import { redisClientChangeFeed } from '../../src/index.ts';
import { forget } from '../support/store-time.ts';
import { onEveryClient, timeout } from '../support/suites.ts';

onEveryClient((host) => {
  clientChangeFeedContract({
    test,
    create: async () => {
      const prefix = `test:${randomUUID()}:`;
      return {
        changeFeed: redisClientChangeFeed(host.client, { prefix, timeout }),
        lose: () => forget(host.admins, prefix),
      };
    },
  });
});
