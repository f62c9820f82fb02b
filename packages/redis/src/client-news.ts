import { randomUUID } from 'node:crypto';
import type { ClientNews } from '@partnerkit/core';
import type { RedisClient } from './client.ts';
import { openCommands, type RedisOptions, script } from './commands.ts';

/** So many entries are kept, and so long after the last one who listened, in milliseconds. */
const kept = 1_000;
const keptFor = 86_400_000;

const tell = script(`
redis.call('xadd', KEYS[1], 'maxlen', '~', ${kept}, '*', 'of', ARGV[1], 'tag', ARGV[2])
redis.call('pexpire', KEYS[1], ${keptFor})`);

/**
 * The first line has Redis refuse it wherever nothing could be told either: on a replica, without memory to spare, and where too few
 * replicas follow. A mark holds only on the server that gave it: a replica that was promoted may never have heard of some.
 * An entry that is still there proves that all after it are. It has a tag, as a stream that was lost and begun again within a
 * millisecond gives the same ids anew.
 */
const since = script(`#!lua
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
redis.call('pexpire', KEYS[1], ${keptFor})
return answer`);

/**
 * News of changed clients for all processes of a platform, in one short stream of Redis 7 or newer, or Valkey. A process that serves
 * callers asks twice a second, with one command; nothing is subscribed to, so there is nothing to stop. Works on a cluster. The user of
 * Redis needs the command INFO.
 *
 * What Redis loses, by a restart, an eviction or a failover, it says to have lost: then everything is asked of the store again. Without
 * Redis, clients are read anew every `revocationStaleness`, as if there were no news.
 * @example
 * const client = await createClient({ url: process.env.REDIS_URL ?? 'redis://localhost', disableOfflineQueue: true }).connect();
 * const kit = createPartnerkit({ ...options, news: redisClientNews(client) });
 * @public
 */
export const redisClientNews = (
  client: RedisClient,
  { prefix = 'partnerkit:', patience }: RedisOptions = {},
): ClientNews => {
  const { run } = openCommands(client, patience);
  const keys = [`${prefix}news`];
  return {
    tell: async (subject) => {
      await run(tell, keys, [subject, randomUUID()]);
    },
    since: async (last = '') => {
      const [known, mark, ...subjects] = (await run(since, keys, [last, randomUUID()])) as readonly unknown[];
      return { mark: String(mark), subjects: Number(known) === 1 ? subjects.map(String) : undefined };
    },
  };
};
