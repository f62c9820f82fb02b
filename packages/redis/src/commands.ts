import { createHash } from 'node:crypto';
import type { DurationMs } from '@partnerkit/core';
import { batchCalls } from './batch-calls.ts';
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
  /** Runs a script, all of whose keys lie in one slot, in one round trip. */
  run(script: Script, keys: string[], args?: string[]): Promise<unknown>;
  /** Batches the calls of one turn, at most `maxBatch` in each. On a cluster, where keys lie in many slots, none is batched. */
  batch<Q, A>(maxBatch: number, send: (batch: readonly Q[]) => Promise<readonly A[]>): (question: Q) => Promise<A>;
}

/** Redis counts whole milliseconds, and refuses a time of none. What it could not read would fail a whole batch, so it throws. */
export const toPx = (time: DurationMs): string => {
  const px = Math.max(1, Math.ceil(time));
  if (!Number.isSafeInteger(px)) throw new RangeError(`${time} is no number of milliseconds.`);
  return String(px);
};

/** The same two commands, as each client takes them. */
const speak = (client: RedisClient) => {
  if ('evalSha' in client) {
    return {
      evalSha: ({ sha1 }: Script, keys: string[], args: string[]) => client.evalSha(sha1, { keys, arguments: args }),
      eval: ({ text }: Script, keys: string[], args: string[]) => client.eval(text, { keys, arguments: args }),
    };
  }
  return {
    evalSha: ({ sha1 }: Script, keys: string[], args: string[]) =>
      client.call('EVALSHA', [sha1, String(keys.length), ...keys, ...args]),
    eval: ({ text }: Script, keys: string[], args: string[]) =>
      client.call('EVAL', [text, String(keys.length), ...keys, ...args]),
  };
};

const isRefusal = (cause: unknown, code: string): boolean => cause instanceof Error && cause.message.startsWith(code);

/** Speaks to Redis through the host's client: each call is bounded, and a server that does not know a script is given it. */
export const openCommands = (client: RedisClient, patience: DurationMs = 2_000): Commands => {
  const spoken = speak(client);
  // A cluster refuses keys of several slots. ioredis refuses them itself, and with them whatever else it was about to send.
  const isCluster = 'isCluster' in client && client.isCluster === true;

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
    run: (script, keys, args = []) =>
      within(
        spoken.evalSha(script, keys, args).catch((cause: unknown) => {
          // Scripts are forgotten with a restart, and not known to a replica that takes over.
          if (isRefusal(cause, 'NOSCRIPT')) return spoken.eval(script, keys, args);
          throw cause;
        }),
      ),
    batch: (maxBatch, send) => batchCalls(send, isCluster ? 1 : maxBatch, (cause) => isRefusal(cause, 'CROSSSLOT')),
  };
};
