import { randomUUID } from 'node:crypto';
import { clientNewsContract } from '@partnerkit/testing';
import { test } from 'vitest';
import { redisClientNews } from '../../src/index.ts';
import { forget } from '../support/store-time.ts';
import { onEveryClient, patience } from '../support/suites.ts';

onEveryClient((host) => {
  clientNewsContract({
    test,
    create: async () => {
      const prefix = `test:${randomUUID()}:`;
      return { news: redisClientNews(host.client, { prefix, patience }), lose: () => forget(host.urls, prefix) };
    },
  });
});
