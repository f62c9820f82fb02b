import { randomUUID } from 'node:crypto';
import type { SeenKeys } from '@partnerkit/core';
import type { RedisClient } from './client.ts';
import { openCommands, type RedisOptions, script, toPx } from './commands.ts';
import { keyName } from './key-name.ts';

/** Stands where the lease was. A lease is a UUID. */
const done = 'done';

/** What was claimed can be confirmed without memory to spare: `done` is shorter than a lease. */
const confirm = script(`#!lua flags=allow-oom
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], '${done}', 'px', ARGV[2])
return 1`);

const release = script(`
if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end`);

/**
 * What a receiver has processed, in Redis 7 or newer, or Valkey: shared by all its processes. One key for each event, one
 * round trip for each call, and the server's clock alone decides what has lapsed. Works on a cluster.
 *
 * Nothing is lost with Redis, but some events are processed again: those confirmed before Redis lost its memory, evicted their
 * keys, or failed over to a replica that lagged. Configure `noeviction`, and a handler that bears a duplicate.
 * @example
 * const client = await createClient({ url: process.env.REDIS_URL ?? 'redis://localhost', disableOfflineQueue: true }).connect();
 * const receiver = createReceiver({
 *   secrets: [webhookSecret],
 *   seen: redisSeenKeys(client),
 *   on: { RequestPayment: { payed: (event) => orders.markPaid(event.data.id) } },
 * });
 * @public
 */
export const redisSeenKeys = (
  client: RedisClient,
  { prefix = 'partnerkit:', patience }: RedisOptions = {},
): SeenKeys => {
  const { setNew, run } = openCommands(client, patience);
  const name = (key: string): string => `${prefix}seen:${keyName(key)}`;
  return {
    claim: async (key, lease) => {
      const own = randomUUID();
      const found = await setNew(name(key), own, lease);
      // A client that lost its connection may send a command again, and find what it set itself.
      if (found === undefined || found === own) return { kind: 'claimed', lease: own };
      return { kind: found === done ? 'done' : 'in_progress' };
    },
    confirm: async (key, lease, keep) => Number(await run(confirm, [name(key)], [lease, String(toPx(keep))])) === 1,
    release: async (key, lease) => {
      await run(release, [name(key)], [lease]);
    },
  };
};
