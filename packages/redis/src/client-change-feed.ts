import { randomUUID } from 'node:crypto';
import type { ClientChangeFeed } from '@partnerkit/core/adapter';
import type { RedisClient } from './client.ts';
import { openCommands, type RedisOptions, readOptions, script } from './commands.ts';

/** Approximate maximum number of entries of the stream. */
const maxEntries = 1_000;
/** Time to live of the stream after its last use, in milliseconds. */
const streamTtl = 86_400_000;

const announce = script(`
redis.call('xadd', KEYS[1], 'maxlen', '~', ${maxEntries}, '*', 'of', ARGV[1], 'tag', ARGV[2])
redis.call('pexpire', KEYS[1], ${streamTtl})`);

/**
 * - The first line makes Redis refuse the script where it refuses writes: on a replica, without free memory, and with
 *   too few replicas.
 * - A cursor is valid only on the server that returned it: a promoted replica may lack entries.
 * - An entry that still exists proves that all later ones do.
 * - Each entry has a random tag: a stream that was lost and created again within a millisecond repeats ids.
 */
const changesSince = script(`#!lua
local server = string.match(redis.call('info', 'replication'), 'master_replid:(%x+)') or ''
local of, last, tag = string.match(ARGV[1], '^(%x*) (%d+%-%d+) (%S+)$')
local found = of == server and redis.call('xrange', KEYS[1], last, '+') or {}
local known = found[1] and found[1][1] == last and found[1][2][4] == tag
if not known then
  if redis.call('exists', KEYS[1]) == 0 then redis.call('xadd', KEYS[1], '*', 'of', '', 'tag', ARGV[2]) end
  found = redis.call('xrevrange', KEYS[1], '+', '-', 'count', 1)
end
local id, fields = unpack(found[#found])
local answer = { known and 1 or 0, table.concat({ server, id, fields[4] }, ' ') }
if known then
  for place = 2, #found do answer[place + 1] = found[place][2][2] end
end
redis.call('pexpire', KEYS[1], ${streamTtl})
return answer`);

/**
 * A feed of client changes for all processes of a platform, in one short stream of Redis 7 or newer, or Valkey.
 *
 * - A process that serves callers reads it twice a second, with one command. There is no subscription to stop.
 * - It works on a cluster. The Redis user needs the command INFO.
 * - After a loss by restart, eviction or failover, it reports the loss, and every client is read from the store again.
 * - Without Redis, clients are read again after `oauth.revocationDelay`, as without a change feed.
 * @example
 * const url = process.env.REDIS_URL ?? 'redis://localhost';
 * const client = await createClient({ url, disableOfflineQueue: true }).connect();
 * const kit = createPartnerkit({ ...options, shared: { changeFeed: redisClientChangeFeed(client) } });
 * @public
 */
export const redisClientChangeFeed = (client: RedisClient, options: RedisOptions = {}): ClientChangeFeed => {
  const { prefix, timeout } = readOptions('redisClientChangeFeed', options);
  const { run } = openCommands(client, timeout);
  const keys = [`${prefix}changeFeed`];
  return {
    announce: async (subject) => {
      await run(announce, keys, [subject, randomUUID()]);
    },
    changesSince: async (last = '') => {
      const [known, cursor, ...subjects] = (await run(changesSince, keys, [last, randomUUID()])) as readonly unknown[];
      return { cursor: String(cursor), subjects: Number(known) === 1 ? subjects.map(String) : undefined };
    },
  };
};
