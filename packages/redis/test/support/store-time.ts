import { randomUUID } from 'node:crypto';
import type { FixtureSettings, StoreTime } from '@partnerkit/conformance/contracts';
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

/** Connections that look after keys, one to each server. */
export type Admins = ReturnType<typeof openAdmins>;

/** They are made when they are first used, and cost more than most cases. */
export const openAdmins = (urls: readonly string[]) => {
  const connect = (url: string) =>
    createClient({ url })
      // Its server may end before it does.
      .on('error', () => undefined)
      .connect();
  let admins: readonly ReturnType<typeof connect>[] | undefined;
  return {
    /** Runs a script on each server, about the keys that it has of one case. */
    run: async (script: string, prefix: string, ...args: string[]): Promise<void> => {
      admins ??= urls.map(connect);
      for (const admin of admins) await (await admin).eval(script, { arguments: [`${prefix}*`, ...args] });
    },
    close: async (): Promise<void> => {
      for (const admin of admins ?? []) (await admin).destroy();
    },
  };
};

/** Removes the keys of one case. */
export const forget = (admins: Admins, prefix: string): Promise<void> => admins.run(remove, prefix);

/** A server's clock cannot be set, so it is this process's that is ahead or behind. */
export const keysOf = (admins: Admins, { storeAhead }: FixtureSettings): OwnKeys => {
  const prefix = `test:${randomUUID()}:`;
  if (storeAhead !== 0) vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - storeAhead });
  return {
    prefix,
    elapse: (time) => admins.run(age, prefix, String(time)),
    close: async () => {
      vi.useRealTimers();
      await forget(admins, prefix);
    },
  };
};

/** The same, with connections of its own. */
export const ownKeys = (urls: readonly string[], settings: FixtureSettings): OwnKeys => {
  const admins = openAdmins(urls);
  const { close, ...keys } = keysOf(admins, settings);
  return {
    ...keys,
    close: async () => {
      await close();
      await admins.close();
    },
  };
};
