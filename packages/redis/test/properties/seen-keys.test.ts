import { randomUUID } from 'node:crypto';
import { seenKeysProperties } from '@partnerkit/conformance/contracts';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { propertyRuns } from '../../../../tools/tests/effort.ts';
import { redisSeenKeys } from '../../src/index.ts';
import { type HostClient, singleClients } from '../support/clients.ts';

/** Every key expires sooner: in one call, for histories let time pass thousands of times. */
const age = `
for _, key in ipairs(redis.call('keys', ARGV[1])) do
  redis.call('pexpire', key, redis.call('pttl', key) - ARGV[2])
end`;

describe.each(singleClients)('%s', (_name, connect) => {
  const admin = createClient({ url: inject('redis') });
  let host: HostClient;
  beforeAll(async () => {
    await admin.connect();
    host = await connect(inject('redis'));
  });
  afterAll(async () => {
    admin.destroy();
    await host.close();
  });

  seenKeysProperties({
    test,
    runs: propertyRuns(50).numRuns,
    create: async () => {
      const prefix = `test:${randomUUID()}:`;
      return {
        seen: redisSeenKeys(host.client, { prefix }),
        elapse: async (time) => {
          await admin.eval(age, { arguments: [`${prefix}*`, String(time)] });
        },
      };
    },
  });
});
