import { script } from './commands.ts';

/**
 * Microseconds, so that no two entries are due at the same time. They fit the scores of a sorted set for two centuries.
 */
const now = `
local clock = redis.call('time')
local now = clock[1] * 1000000 + clock[2]
`;

/**
 * The keys of every script, in one slot. `due`: when an entry is due or its lease expires. `deadLetters`: when it
 * became a dead letter. `bodies`, `attempts`, `leases`: by entry. `done`: whether one entry is completed; only this key
 * expires.
 */
const keys = `
local due, deadLetters, bodies, attempts, leases, done = unpack(KEYS)
`;

/** Queued entries must be processed even when no memory is free. */
const always = '#!lua flags=allow-oom';

/** Returns 0 when the lease has been lost; otherwise ends it. */
const holding = `
if redis.call('hget', leases, ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('hdel', leases, ARGV[1])
`;

export const enqueue = script(`${keys}${now}
if redis.call('exists', done) == 1 or redis.call('hsetnx', bodies, ARGV[1], ARGV[2]) == 0 then return 0 end
redis.call('zadd', due, now, ARGV[1])
return 1`);

export const claim = script(`${always}${keys}${now}
local claimed = {}
for position, name in ipairs(redis.call('zrange', due, '-inf', now, 'byscore', 'limit', 0, ARGV[1])) do
  local lease = ARGV[3] .. '-' .. position
  redis.call('zadd', due, now + ARGV[2] * 1000, name)
  redis.call('hset', leases, name, lease)
  claimed[position] = { name, redis.call('hget', bodies, name), redis.call('hincrby', attempts, name, 1), lease }
end
return claimed`);

export const complete = script(`${always}${keys}${holding}
redis.call('zrem', due, ARGV[1])
redis.call('hdel', bodies, ARGV[1])
redis.call('hdel', attempts, ARGV[1])
redis.call('set', done, '', 'px', ARGV[3])
return 1`);

export const retry = script(`${always}${keys}${now}${holding}
redis.call('zadd', due, now + ARGV[3] * 1000, ARGV[1])
return 1`);

export const deadLetter = script(`${always}${keys}${now}${holding}
redis.call('zrem', due, ARGV[1])
redis.call('zadd', deadLetters, now, ARGV[1])
return 1`);

export const requeue = script(`${always}${keys}${now}
local requeued = 0
for _, name in ipairs(ARGV) do
  if redis.call('zrem', deadLetters, name) == 1 then
    redis.call('hdel', attempts, name)
    redis.call('zadd', due, now, name)
    requeued = requeued + 1
  end
end
return requeued`);

export const stats = script(`${keys}${now}
local sample = {}
for position, name in ipairs(redis.call('zrange', deadLetters, '-inf', '+inf', 'byscore', 'limit', 0, ARGV[1])) do
  sample[position] = { name, redis.call('hget', bodies, name), redis.call('hget', attempts, name) }
end
local first = redis.call('zrange', due, 0, 0, 'withscores')[2] or now
local oldest = math.max(0, math.floor((now - first) / 1000))
return { redis.call('zcard', due), oldest, redis.call('zcard', deadLetters), sample }`);

/** Reads the memory limit and the eviction policy. */
export const eviction = script(`
local memory = redis.call('info', 'memory')
return { string.match(memory, 'maxmemory:(%d+)'), string.match(memory, 'maxmemory_policy:(%S+)') }`);
