import { inboxContract } from '@partnerkit/conformance/contracts';
import { test } from 'vitest';
import { redisInbox } from '../../src/index.ts';
import { keysOf } from '../support/store-time.ts';
import { onEveryClient, timeout } from '../support/suites.ts';

onEveryClient((host) => {
  inboxContract({
    test,
    create: async (settings) => {
      const keys = keysOf(host.admins, settings);
      return { ...keys, inbox: redisInbox(host.client, { prefix: keys.prefix, timeout }) };
    },
  });
});
