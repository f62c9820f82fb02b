import { createHash } from 'node:crypto';
import type { DurationMs } from '@partnerkit/core';
import { assertOptions, type OptionRule, optionRules } from '@partnerkit/core/adapter';
import { batchCalls } from './batch-calls.ts';
import type { RedisClient } from './client.ts';

/**
 * Options of every adapter of this package.
 * @public
 */
export interface RedisOptions {
  /**
   * Prefix of every key. Independent platforms and receivers that share a Redis need different prefixes.
   * @defaultValue 'partnerkit:'
   */
  readonly prefix?: string;
  /**
   * Timeout of a command, in milliseconds. The server may still execute the command afterwards.
   * @defaultValue 2000
   */
  readonly timeout?: DurationMs;
}

const { exactly, optional, text, wholeNumber } = optionRules;
const rule = exactly({
  prefix: optional(text()),
  timeout: optional(wholeNumber(1)),
} satisfies Record<keyof RedisOptions, OptionRule>);

/** The options with the default prefix. @throws TypeError that names each wrong option and its remedy. */
export const readOptions = (caller: string, options: RedisOptions) => {
  assertOptions(caller, rule, options);
  const { prefix = 'partnerkit:', timeout } = options;
  return { prefix, timeout };
};

/** A script and the digest by which a server caches it. */
export interface Script {
  readonly text: string;
  readonly sha1: string;
}

export const script = (text: string): Script => ({ text, sha1: createHash('sha1').update(text).digest('hex') });

/** The commands of the adapters, on either client. */
export interface Commands {
  /** Runs a script in one round trip. All its keys are in one slot. */
  run(script: Script, keys: string[], args?: string[]): Promise<unknown>;
  /**
   * Batches the calls of one turn of the event loop, at most `maxBatch` each. On a cluster, each call is sent alone.
   */
  batch<Q, A>(maxBatch: number, send: (batch: readonly Q[]) => Promise<readonly A[]>): (input: Q) => Promise<A>;
}

/** A duration for Redis: whole milliseconds from 1. Throws for a wrong one, which would fail a whole batch. */
export const toPx = (time: DurationMs): string => {
  const px = Math.max(1, Math.ceil(time));
  if (!Number.isSafeInteger(px)) throw new RangeError(`${time} is no number of milliseconds.`);
  return String(px);
};

/** EVALSHA and EVAL on either client. */
const scripting = (client: RedisClient) => {
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

const isRefusal = (cause: unknown, code: string): boolean =>
  (cause as Partial<Error> | undefined)?.message?.startsWith(code) === true;

/**
 * Makes the commands on the host's client: with a timeout, and with EVAL for a script that the server has not cached.
 */
export const openCommands = (client: RedisClient, timeout: DurationMs = 2_000): Commands => {
  const { evalSha, eval: evalScript } = scripting(client);
  // A cluster refuses keys of several slots. ioredis refuses them itself, together with other commands that it was to
  // send.
  const isCluster = 'isCluster' in client && client.isCluster === true;

  const withTimeout = (sent: Promise<unknown>): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const late = (): void =>
        reject(Object.assign(new Error(`Redis did not answer within ${timeout} ms.`), { code: 'ETIMEDOUT' }));
      // After a blocked event loop, a reply that has arrived is read before the timeout counts.
      const timer = setTimeout(() => setImmediate(late), timeout);
      sent.then(
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
      withTimeout(
        evalSha(script, keys, args).catch((cause: unknown) => {
          // A server loses its scripts at a restart; a promoted replica never had them.
          if (isRefusal(cause, 'NOSCRIPT')) return evalScript(script, keys, args);
          throw cause;
        }),
      ),
    batch: (maxBatch, send) => batchCalls(send, isCluster ? 1 : maxBatch, (cause) => isRefusal(cause, 'CROSSSLOT')),
  };
};
