// A process of a receiver whose handler takes effect outside of any transaction: it writes a line to a file that all
// processes share.
import { openSync, writeSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import type { SeenKeys } from '@partnerkit/core/adapter';
import { createPrng } from '../../../conformance/src/simulator/prng.ts';
import { createReceiver, dedupKey } from '../../../receiver/src/index.ts';
import { secret } from '../../../receiver/test/processes/secret.ts';
import { serve } from '../../../receiver/test/processes/serve.ts';
import { redisSeenKeys } from '../../src/index.ts';
import { ioRedis, nodeRedis } from '../support/clients.ts';
import { type Entry, type JournalTask, lineOf } from './journal.ts';

await serve<JournalTask>(async ({ url, prefix, journal: file, nth }) => {
  const connect = nth % 2 === 0 ? nodeRedis : ioRedis;
  const { client, close } = await connect(url);
  const { claim, confirm, ...keys } = redisSeenKeys(client, { prefix, timeout: 60_000 });
  const journal = openSync(file, 'a');
  const note = (entry: Omit<Entry, 'process'>): void =>
    void writeSync(journal, lineOf({ process: String(nth), ...entry }));

  const leases = new Map<string, string>();
  /** They say which lease an effect was taken under, and which were confirmed. */
  const seen: SeenKeys = {
    ...keys,
    claim: async (key, time) => {
      const claimed = await claim(key, time);
      if (claimed.kind === 'claimed') leases.set(key, claimed.lease);
      return claimed;
    },
    confirm: async (key, lease, time) => {
      const confirmed = await confirm(key, lease, time);
      if (confirmed) note({ what: 'confirmed', key, lease });
      return confirmed;
    },
  };
  const prng = createPrng(nth);
  const receiver = createReceiver({
    secrets: [secret],
    seen,
    dedup: { lease: 3_600_000 },
    on: {
      RequestPayment: {
        payed: async (event) => {
          if (prng.chance(0.02)) throw new Error('The handler failed.');
          const key = dedupKey(event);
          note({ what: 'effect', key, lease: leases.get(key) ?? '' });
          // Handlers have more to do.
          await turn();
        },
      },
    },
  });
  return { receiver, close };
});
