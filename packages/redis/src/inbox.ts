import { randomUUID } from 'node:crypto';
import type { Inbox } from '@partnerkit/core/adapter';
import type { RedisClient } from './client.ts';
import { openCommands, type RedisOptions, readOptions, toPx } from './commands.ts';
import { claim, complete, deadLetter, enqueue, eviction, requeue, retry, stats } from './inbox-scripts.ts';
import { keyName } from './key-name.ts';

type Rows = readonly (readonly unknown[])[];

/**
 * An inbox in Redis 7 or newer, or Valkey, for all processes of a receiver. It uses one slot of a cluster. Receivers
 * that share a Redis need different prefixes.
 *
 * - It is as durable as Redis: turn on the append-only file, and `min-replicas-to-write` if a replica may be promoted.
 * - Without free memory, `enqueue` rejects, and the sender retries.
 * - With an eviction policy `allkeys-…`, `enqueue` rejects: Redis could evict accepted events.
 * - The Redis user needs the command INFO.
 * @example
 * const url = process.env.REDIS_URL ?? 'redis://localhost';
 * const client = await createClient({ url, disableOfflineQueue: true }).connect();
 * const worker = createInboxWorker({
 *   inbox: redisInbox(client),
 *   on: { RequestPayment: { payed: (event) => orders.markPaid(event.data.id) } },
 * });
 * worker.start();
 * const receiver = createReceiver({ secrets: [webhookSecret], inbox: worker.inbox });
 * @public
 */
export const redisInbox = (client: RedisClient, options: RedisOptions = {}): Inbox => {
  const { prefix, timeout } = readOptions('redisInbox', options);
  const { run } = openCommands(client, timeout);
  const at = (what: string): string => `${prefix}{inbox}:${what}`;
  const all = ['due', 'dead', 'bodies', 'attempts', 'leases'].map(at);
  const about = (name: string): string[] => [...all, at(`done:${name}`)];
  const isTrue = async (reply: Promise<unknown>): Promise<boolean> => Number(await reply) === 1;

  let checked: Promise<void> | undefined;
  const checkEviction = async (): Promise<void> => {
    const [maxMemory, policy] = (await run(eviction, all)) as readonly unknown[];
    if (Number(maxMemory) > 0 && String(policy).startsWith('allkeys')) {
      throw new Error(`Redis evicts what an inbox keeps: set maxmemory-policy to noeviction, not ${policy}.`);
    }
  };
  const checkEvictionOnce = (): Promise<void> => {
    checked ??= checkEviction().catch((cause) => {
      checked = undefined;
      throw cause;
    });
    return checked;
  };

  return {
    enqueue: async (key, body) => {
      await checkEvictionOnce();
      const name = keyName(key);
      return isTrue(run(enqueue, about(name), [name, body]));
    },
    claim: async (limit, lease) => {
      const rows = (await run(claim, all, [String(limit), String(lease), randomUUID()])) as Rows;
      return rows.map(([key, body, attempt, own]) => ({
        key: String(key),
        body: String(body),
        attempt: Number(attempt),
        lease: String(own),
      }));
    },
    complete: async (key, lease, keep) => {
      const name = keyName(key);
      return isTrue(run(complete, about(name), [name, lease, toPx(keep)]));
    },
    retry: async (key, lease, wait) => isTrue(run(retry, all, [keyName(key), lease, String(wait)])),
    deadLetter: async (key, lease) => isTrue(run(deadLetter, all, [keyName(key), lease])),
    requeue: async (keys) => (keys.length === 0 ? 0 : Number(await run(requeue, all, keys.map(keyName)))),
    stats: async (limit) => {
      const [waiting, oldest, dead, sample] = (await run(stats, all, [String(limit)])) as readonly unknown[];
      return {
        waiting: Number(waiting),
        oldestDueMs: Number(oldest),
        deadLettered: Number(dead),
        deadLetters: (sample as Rows).map(([key, body, attempts]) => ({
          key: String(key),
          body: String(body),
          attempts: Number(attempts),
        })),
      };
    },
  };
};
