import { createHash } from 'node:crypto';
import type { DurationMs } from '@partnerkit/core';
import type { RedisClient } from './client.ts';

/**
 * What every adapter here takes.
 * @public
 */
export interface RedisOptions {
  /**
   * Begins every key. Platforms and receivers that share a Redis, and know nothing of each other, choose different ones.
   * @defaultValue 'partnerkit:'
   */
  readonly prefix?: string;
  /**
   * How long a command may take before it counts as failed, in milliseconds. The server may still execute it.
   * @defaultValue 2000
   */
  readonly patience?: DurationMs;
}

/** A script, and the digest under which a server remembers it. */
export interface Script {
  readonly text: string;
  readonly sha1: string;
}

export const script = (text: string): Script => ({ text, sha1: createHash('sha1').update(text).digest('hex') });

/** The commands that we send, whichever client carries them. */
export interface Commands {
  /** Sets a key that is not there. What was there before, `undefined` for nothing. */
  setNew(key: string, value: string, time: DurationMs): Promise<string | undefined>;
  /** Runs a script, all of whose keys lie in one slot, in one round trip. */
  run(script: Script, keys: string[], args?: string[]): Promise<unknown>;
}

/** Redis counts whole milliseconds, and refuses a time of none. */
export const toPx = (time: DurationMs): number => Math.max(1, Math.ceil(time));

/** The same three commands, as each client takes them. */
const speak = (client: RedisClient) => {
  if ('evalSha' in client) {
    return {
      setNew: (key: string, value: string, time: DurationMs) =>
        client.set(key, value, { condition: 'NX', GET: true, expiration: { type: 'PX', value: toPx(time) } }),
      evalSha: ({ sha1 }: Script, keys: string[], args: string[]) => client.evalSha(sha1, { keys, arguments: args }),
      eval: ({ text }: Script, keys: string[], args: string[]) => client.eval(text, { keys, arguments: args }),
    };
  }
  return {
    setNew: (key: string, value: string, time: DurationMs) =>
      client.call('SET', [key, value, 'NX', 'GET', 'PX', String(toPx(time))]),
    evalSha: ({ sha1 }: Script, keys: string[], args: string[]) =>
      client.call('EVALSHA', [sha1, String(keys.length), ...keys, ...args]),
    eval: ({ text }: Script, keys: string[], args: string[]) =>
      client.call('EVAL', [text, String(keys.length), ...keys, ...args]),
  };
};

/** Speaks to Redis through the host's client: each call is bounded, and a server that does not know a script is given it. */
export const openCommands = (client: RedisClient, patience: DurationMs = 2_000): Commands => {
  const spoken = speak(client);

  const within = (asked: Promise<unknown>): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const late = (): void =>
        reject(Object.assign(new Error(`Redis did not answer within ${patience} ms.`), { code: 'ETIMEDOUT' }));
      // When it was this process that stood still, the answer waits to be read, and is read first.
      const timer = setTimeout(() => setImmediate(late), patience);
      asked.then(
        (reply) => {
          clearTimeout(timer);
          resolve(reply);
        },
        (cause: unknown) => {
          clearTimeout(timer);
          reject(cause);
        },
      );
    });

  return {
    // Hosts may have their clients hand out buffers.
    setNew: (key, value, time) =>
      within(spoken.setNew(key, value, time)).then((found) => (found === null ? undefined : String(found))),
    run: (script, keys, args = []) =>
      within(
        spoken.evalSha(script, keys, args).catch((cause: unknown) => {
          // Scripts are forgotten with a restart, and not known to a replica that takes over.
          if (cause instanceof Error && cause.message.startsWith('NOSCRIPT')) return spoken.eval(script, keys, args);
          throw cause;
        }),
      ),
  };
};
