import type { ServerResponse } from 'node:http';
import type { Envelope } from '@partnerkit/core/wire';
import { createReceiver, dedupKey } from '@partnerkit/receiver';
import { redisSeenKeys } from '@partnerkit/redis';
import type { ReceivedRequest } from '@partnerkit/testing';
import { createClient } from 'redis';

/** Partners that use the receiver of this repository, with their seen keys in Redis. */
export const startOwnReceivers = async (redisUrl: string) => {
  const redis = createClient({ url: redisUrl, disableOfflineQueue: true });
  // The server restarts.
  redis.on('error', () => undefined);
  await redis.connect();
  const seen = redisSeenKeys(redis, { prefix: 'partner:' });
  const receivers = new Map<string, ReturnType<typeof createReceiver>>();
  /** How often the handler ran, by event. */
  const handled = new Map<string, number>();
  const receiverOf = (secret: string) => {
    const made =
      receivers.get(secret) ??
      createReceiver({
        ...{ secrets: [secret], seen, on: {} },
        otherwise: (event) => {
          const key = dedupKey(event as Envelope);
          handled.set(key, (handled.get(key) ?? 0) + 1);
        },
      });
    receivers.set(secret, made);
    return made;
  };
  return {
    handled,
    /** Resolves to the status that it answered. */
    handle: async (secret: string, request: ReceivedRequest, response: ServerResponse): Promise<number> => {
      const { method, path, headers, body } = request;
      const answered = await receiverOf(secret).handle({
        ...{ method, target: path, headers, body: Buffer.from(body), remoteAddress: undefined },
      });
      response.writeHead(answered.status, answered.headers).end(answered.body);
      return answered.status;
    },
    close: () => redis.destroy(),
  };
};
