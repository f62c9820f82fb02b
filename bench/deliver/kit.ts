import { memoryStorage } from '@partnerkit/core/memory';
import { undiciSender } from '@partnerkit/node/undici';
import { openTelemetry } from '@partnerkit/opentelemetry';
import { giveUp, serve } from '../children.ts';
import { memoryHost } from '../memory-host.ts';
import { idleMeter, meter } from '../postgres/engines/engine.ts';
import { accounts, eventAt, inFlight, types } from '../postgres/load.ts';
import type { Receiver } from '../postgres/receiver.ts';

export interface KitInput {
  readonly receiver: Receiver;
  /** With the adapter for OpenTelemetry, and no SDK. */
  readonly openTelemetry?: boolean;
}

export interface Kit {
  /** Publishes `count` events and delivers them; resolves to the deliveries per second of the worker. */
  deliver(count: number): Promise<number>;
}

if (process.send)
  serve<Kit>(async ({ receiver, openTelemetry: traced = false }: KitInput) => {
    let counts = idleMeter;
    const sender = undiciSender({ allow: ['127.0.0.0/8'], ca: receiver.ca });
    const storage = memoryStorage();
    const host = memoryHost(
      {
        send: async (post) => {
          const outcome = await sender.send(post);
          if (outcome.kind !== 'answered' || outcome.status !== 204) giveUp('Nothing else may happen:', outcome);
          counts.sent();
          return outcome;
        },
      },
      {
        storage: {
          ...storage,
          deliveries: {
            ...storage.deliveries,
            settle: async (workerId, settlement) => {
              const settled = await storage.deliveries.settle(workerId, settlement, 0);
              counts.stored(settlement.attempts.length);
              return settled;
            },
          },
        },
        ...(traced ? { observe: openTelemetry() } : {}),
      },
    );
    for (const account of accounts)
      for (const type of types) await host.createEndpoint(account, `${receiver.origin}/${account}/${type}`, type);
    // Only the number of attempts in flight may limit the rate.
    const worker = host.kit.worker({ concurrency: inFlight, perAccount: inFlight });
    let published = 0;
    return {
      deliver: async (count) => {
        const events = Array.from({ length: count }, () => eventAt(published++));
        await host.kit.events.publishMany(events, { tx: 'new' });
        counts = meter(count);
        worker.start();
        const rate = await counts.rate;
        await worker.stop();
        return rate;
      },
    };
  });
