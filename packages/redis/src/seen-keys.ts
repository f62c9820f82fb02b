import { randomUUID } from 'node:crypto';
import type { SeenClaim, SeenKeys } from '@partnerkit/core';
import type { RedisClient } from './client.ts';
import { openCommands, type RedisOptions, script, toPx } from './commands.ts';
import { keyName } from './key-name.ts';

/** Stands where the lease was. A lease is longer. */
const done = 'done';

/** Maximum number of keys in one script call: Redis does nothing else while it runs, about a millisecond for these. */
const maxBatch = 256;

/** Answers what each key held before, nothing where it was claimed. One time for all keys, or one for each. */
const claimAll = script(`#!lua
local held = {}
for place, key in ipairs(KEYS) do
  held[place] = redis.call('set', key, ARGV[1] .. '-' .. place, 'nx', 'get', 'px', ARGV[place + 1] or ARGV[2])
end
return held`);

/** What was claimed can be confirmed without memory to spare: `done` is shorter than a lease. */
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
  /** Milliseconds, as Redis reads them. */
  readonly px: string;
}

interface Release {
  readonly name: string;
  readonly lease: string;
}

const namesOf = (calls: readonly { readonly name: string }[]): string[] => calls.map(({ name }) => name);
const leasesOf = (calls: readonly Release[]): string[] => calls.map(({ lease }) => lease);
/** One time stands for all when all are equal. */
const timesOf = (calls: readonly Claim[]): string[] => {
  const times = calls.map(({ px }) => px);
  return times.every((px) => px === times[0]) ? times.slice(0, 1) : times;
};

/**
 * What a receiver has processed, in Redis 7 or newer, or Valkey: shared by all its processes. One key for each event; the server's
 * clock alone decides what has lapsed. The claims of one turn of the event loop are one script call of at most 256 keys, and so are
 * confirms and releases; when it fails, each of its callers rejects. On a cluster each key has a call of its own.
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
  const { run, batch } = openCommands(client, patience);
  const name = (key: string): string => `${prefix}seen:${keyName(key)}`;
  const claim = batch(maxBatch, async (calls: readonly Claim[]): Promise<readonly SeenClaim[]> => {
    const own = randomUUID();
    const held = (await run(claimAll, namesOf(calls), [own, ...timesOf(calls)])) as readonly unknown[];
    return held.map((value, index) => {
      const lease = `${own}-${index + 1}`;
      // A client that lost its connection may send a command again, and find what it set itself.
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
