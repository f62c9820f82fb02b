import { randomUUID } from 'node:crypto';
import type { Inbox } from '@partnerkit/core';
import type { RedisClient } from './client.ts';
import { openCommands, type RedisOptions, toPx } from './commands.ts';
import { eviction, finish, keep, look, park, resume, retry, take } from './inbox-scripts.ts';
import { keyName } from './key-name.ts';

type Rows = readonly (readonly unknown[])[];

/**
 * Webhooks that were accepted and are not processed yet, in Redis 7 or newer, or Valkey: shared by all processes of a receiver. All of an
 * inbox lies in one slot of a cluster; receivers that share a Redis choose different prefixes.
 *
 * What it keeps is as durable as that Redis: turn on its append-only file, and `min-replicas-to-write` where a replica may take over.
 * A Redis without memory to spare refuses, and the sender tries again. One that evicts keys that do not expire (`allkeys-…`) would
 * lose what was accepted: `keep` rejects there. The user of Redis needs the command INFO.
 * @example
 * const client = await createClient({ url: process.env.REDIS_URL ?? 'redis://localhost', disableOfflineQueue: true }).connect();
 * const worker = createInboxWorker({
 *   inbox: redisInbox(client),
 *   on: { RequestPayment: { payed: (event) => orders.markPaid(event.data.id) } },
 * });
 * worker.start();
 * const receiver = createReceiver({ secrets: [webhookSecret], inbox: worker.inbox });
 * @public
 */
export const redisInbox = (client: RedisClient, { prefix = 'partnerkit:', patience }: RedisOptions = {}): Inbox => {
  const { run } = openCommands(client, patience);
  const at = (what: string): string => `${prefix}{inbox}:${what}`;
  const all = ['due', 'parked', 'bodies', 'attempts', 'leases'].map(at);
  const about = (name: string): string[] => [...all, at(`done:${name}`)];
  const isTrue = async (asked: Promise<unknown>): Promise<boolean> => Number(await asked) === 1;

  let safe: Promise<void> | undefined;
  const checkEviction = async (): Promise<void> => {
    const [most, policy] = (await run(eviction, all)) as readonly unknown[];
    if (Number(most) > 0 && String(policy).startsWith('allkeys')) {
      throw new Error(`Redis evicts what an inbox keeps: set maxmemory-policy to noeviction, not ${policy}.`);
    }
  };
  const mayKeep = (): Promise<void> => {
    safe ??= checkEviction().catch((cause) => {
      safe = undefined;
      throw cause;
    });
    return safe;
  };

  return {
    keep: async (key, body) => {
      await mayKeep();
      const name = keyName(key);
      return isTrue(run(keep, about(name), [name, body]));
    },
    take: async (limit, lease) => {
      const rows = (await run(take, all, [String(limit), String(lease), randomUUID()])) as Rows;
      return rows.map(([key, body, attempt, own]) => ({
        key: String(key),
        body: String(body),
        attempt: Number(attempt),
        lease: String(own),
      }));
    },
    done: async (key, lease, time) => {
      const name = keyName(key);
      return isTrue(run(finish, about(name), [name, lease, toPx(time)]));
    },
    retry: async (key, lease, wait) => isTrue(run(retry, all, [keyName(key), lease, String(wait)])),
    park: async (key, lease) => isTrue(run(park, all, [keyName(key), lease])),
    resume: async (keys) => (keys.length === 0 ? 0 : Number(await run(resume, all, keys.map(keyName)))),
    look: async (most) => {
      const [waiting, late, parked, stuck] = (await run(look, all, [String(most)])) as readonly unknown[];
      return {
        waiting: Number(waiting),
        late: Number(late),
        parked: Number(parked),
        stuck: (stuck as Rows).map(([key, body, attempts]) => ({
          key: String(key),
          body: String(body),
          attempts: Number(attempts),
        })),
      };
    },
  };
};
