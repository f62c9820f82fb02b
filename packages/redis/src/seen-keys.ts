import { randomUUID } from 'node:crypto';
import type { SeenClaim, SeenKeys } from '@partnerkit/core/adapter';
import type { RedisClient } from './client.ts';
import { openCommands, type RedisOptions, readOptions, script, toPx } from './commands.ts';
import { keyName } from './key-name.ts';

/** Replaces the lease of a confirmed key. A lease is longer. */
const done = 'done';

/** Maximum number of keys in one script call: a script blocks Redis, for about a millisecond with 256 keys. */
const maxBatch = 256;

/**
 * Claims keys and returns the earlier value of each, nil for a new claim. Takes one time to live for all, or one for
 * each.
 */
const claimAll = script(`#!lua
local held = {}
for place, key in ipairs(KEYS) do
  held[place] = redis.call('set', key, ARGV[1] .. '-' .. place, 'nx', 'get', 'px', ARGV[place + 1] or ARGV[2])
end
return held`);

/** Confirms keys, also without free memory: `done` is shorter than a lease. */
const confirmAll = script(`#!lua flags=allow-oom
local confirmed = {}
for place, key in ipairs(KEYS) do
  local isHeld = redis.call('get', key) == ARGV[place]
  if isHeld then redis.call('set', key, '${done}', 'px', ARGV[#KEYS + place] or ARGV[#KEYS + 1]) end
  confirmed[place] = isHeld and 1 or 0
end
return confirmed`);

const releaseAll = script(`#!lua flags=allow-oom
for place, key in ipairs(KEYS) do
  if redis.call('get', key) == ARGV[place] then redis.call('del', key) end
end`);

interface Claim {
  readonly name: string;
  /** Time to live in milliseconds, as text. */
  readonly px: string;
}

interface Release {
  readonly name: string;
  readonly lease: string;
}

const namesOf = (calls: readonly { readonly name: string }[]): string[] => calls.map(({ name }) => name);
const leasesOf = (calls: readonly Release[]): string[] => calls.map(({ lease }) => lease);
/** The times to live; only one when all are equal. */
const timesOf = (calls: readonly Claim[]): string[] => {
  const times = calls.map(({ px }) => px);
  return times.every((px) => px === times[0]) ? times.slice(0, 1) : times;
};

/**
 * Keys of processed events in Redis 7 or newer, or Valkey, for all processes of a receiver.
 *
 * - Each event has one key. The clock of the server decides when leases and keys expire.
 * - The claims of one turn of the event loop are one script call of at most 256 keys; so are confirms and releases.
 * - When a call fails, each of its callers rejects. On a cluster, each key has its own call.
 * - No event is lost with Redis. Events may repeat after Redis loses its memory, evicts keys or fails over to a replica
 *   that lags. Configure `noeviction` and idempotent handlers.
 * @example
 * const url = process.env.REDIS_URL ?? 'redis://localhost';
 * const client = await createClient({ url, disableOfflineQueue: true }).connect();
 * const receiver = createReceiver({
 *   secrets: [webhookSecret],
 *   seen: redisSeenKeys(client),
 *   on: { RequestPayment: { payed: (event) => orders.markPaid(event.data.id) } },
 * });
 * @public
 */
export const redisSeenKeys = (client: RedisClient, options: RedisOptions = {}): SeenKeys => {
  const { prefix, timeout } = readOptions('redisSeenKeys', options);
  const { run, batch } = openCommands(client, timeout);
  const name = (key: string): string => `${prefix}seen:${keyName(key)}`;
  const claim = batch(maxBatch, async (calls: readonly Claim[]): Promise<readonly SeenClaim[]> => {
    const own = randomUUID();
    const held = (await run(claimAll, namesOf(calls), [own, ...timesOf(calls)])) as readonly unknown[];
    return held.map((value, index) => {
      const lease = `${own}-${index + 1}`;
      // A client that reconnects may send a command again and find its own lease.
      if (value === null || String(value) === lease) return { kind: 'claimed', lease };
      return { kind: String(value) === done ? 'done' : 'in_progress' };
    });
  });
  const confirm = batch(maxBatch, async (calls: readonly (Claim & Release)[]) => {
    const args = [...leasesOf(calls), ...timesOf(calls)];
    const confirmed = (await run(confirmAll, namesOf(calls), args)) as readonly unknown[];
    return confirmed.map((value) => Number(value) === 1);
  });
  const release = batch(maxBatch, async (calls: readonly Release[]) => {
    await run(releaseAll, namesOf(calls), leasesOf(calls));
    return calls.map(() => undefined);
  });
  return {
    claim: (key, lease) => claim({ name: name(key), px: toPx(lease) }),
    confirm: (key, lease, keep) => confirm({ name: name(key), lease, px: toPx(keep) }),
    release: (key, lease) => release({ name: name(key), lease }),
  };
};
