import { script } from './commands.ts';

/** Microseconds, so that no two entries fall due at once. They fit a sorted set's scores for two centuries. */
const now = `
local clock = redis.call('time')
local now = clock[1] * 1000000 + clock[2]
`;

/**
 * Each script is given the same keys, of one slot: when entries fall due (or their lease lapses) and when they were parked, both by name;
 * body, attempts and lease of each; and, where it is about one entry, that it is done. Only that last key ever expires.
 */
const keys = `
local due, parked, bodies, attempts, leases, done = unpack(KEYS)
`;

/** What was kept must be worked off even when there is no memory left for more. */
const always = '#!lua flags=allow-oom';

/** Whether a lease is still the one; it is over with what is said of its entry. */
const holding = `
if redis.call('hget', leases, ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('hdel', leases, ARGV[1])
`;

export const keep = script(`${keys}${now}
if redis.call('exists', done) == 1 or redis.call('hsetnx', bodies, ARGV[1], ARGV[2]) == 0 then return 0 end
redis.call('zadd', due, now, ARGV[1])
return 1`);

export const take = script(`${always}${keys}${now}
local taken = {}
for place, name in ipairs(redis.call('zrange', due, '-inf', now, 'byscore', 'limit', 0, ARGV[1])) do
  local lease = ARGV[3] .. '-' .. place
  redis.call('zadd', due, now + ARGV[2] * 1000, name)
  redis.call('hset', leases, name, lease)
  taken[place] = { name, redis.call('hget', bodies, name), redis.call('hincrby', attempts, name, 1), lease }
end
return taken`);

export const finish = script(`${always}${keys}${holding}
redis.call('zrem', due, ARGV[1])
redis.call('hdel', bodies, ARGV[1])
redis.call('hdel', attempts, ARGV[1])
redis.call('set', done, '', 'px', ARGV[3])
return 1`);

export const retry = script(`${always}${keys}${now}${holding}
redis.call('zadd', due, now + ARGV[3] * 1000, ARGV[1])
return 1`);

export const park = script(`${always}${keys}${now}${holding}
redis.call('zrem', due, ARGV[1])
redis.call('zadd', parked, now, ARGV[1])
return 1`);

export const resume = script(`${always}${keys}${now}
local resumed = 0
for _, name in ipairs(ARGV) do
  if redis.call('zrem', parked, name) == 1 then
    redis.call('hdel', attempts, name)
    redis.call('zadd', due, now, name)
    resumed = resumed + 1
  end
end
return resumed`);

export const look = script(`${keys}${now}
local stuck = {}
for place, name in ipairs(redis.call('zrange', parked, '-inf', '+inf', 'byscore', 'limit', 0, ARGV[1])) do
  stuck[place] = { name, redis.call('hget', bodies, name), redis.call('hget', attempts, name) }
end
local first = redis.call('zrange', due, 0, 0, 'withscores')[2] or now
local late = math.max(0, math.floor((now - first) / 1000))
return { redis.call('zcard', due), late, redis.call('zcard', parked), stuck }`);

/** How a Redis forgets when it is full. */
export const eviction = script(`
local memory = redis.call('info', 'memory')
return { string.match(memory, 'maxmemory:(%d+)'), string.match(memory, 'maxmemory_policy:(%S+)') }`);
