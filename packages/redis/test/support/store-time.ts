import { randomUUID } from 'node:crypto';
import type { FixtureSettings, StoreTime } from '@partnerkit/testing';
import { createClient } from 'redis';
import { vi } from 'vitest';

/** Keys of one case's own, and a hand on their time. */
export interface OwnKeys extends StoreTime {
  readonly prefix: string;
  close(): Promise<void>;
}

/** Every key expires sooner; the scores of sorted sets are times, in microseconds. */
const age = `
for _, key in ipairs(redis.call('keys', ARGV[1])) do
  if redis.call('type', key).ok == 'zset' then
    local found = redis.call('zrange', key, 0, -1, 'withscores')
    for place = 1, #found, 2 do redis.call('zadd', key, found[place + 1] - ARGV[2] * 1000, found[place]) end
  end
  local left = redis.call('pttl', key)
  if left >= 0 then redis.call('pexpire', key, left - ARGV[2]) end
end`;

const remove = `
for _, key in ipairs(redis.call('keys', ARGV[1])) do redis.call('del', key) end`;

/** Runs a script on each server, about the keys that it has of one case. */
const onEach = async (urls: readonly string[], script: string, prefix: string, ...args: string[]): Promise<void> => {
  for (const url of urls) {
    // A connection for each call: files share this module, and not the end of their servers.
    const admin = await createClient({ url })
      .on('error', () => undefined)
      .connect();
    await admin.eval(script, { arguments: [`${prefix}*`, ...args] });
    admin.destroy();
  }
};

/** Removes the keys of one case. */
export const forget = (urls: readonly string[], prefix: string): Promise<void> => onEach(urls, remove, prefix);

/** A server's clock cannot be set, so it is this process's that is ahead or behind. */
export const ownKeys = (urls: readonly string[], { storeAhead }: FixtureSettings): OwnKeys => {
  const prefix = `test:${randomUUID()}:`;
  if (storeAhead !== 0) vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - storeAhead });
  return {
    prefix,
    elapse: (time) => onEach(urls, age, prefix, String(time)),
    close: async () => {
      vi.useRealTimers();
      await forget(urls, prefix);
    },
  };
};
