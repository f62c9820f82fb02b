import '#node-version';
import type { Sender } from '@partnerkit/core';
import { Client } from 'undici';
import { createClientPool } from './client-pool.ts';
import { destinationRules } from './destination-rules.ts';
import { dnsLookup, type Lookup } from './dns-lookup.ts';
import { exchange } from './exchange.ts';
import { guardedConnector } from './guarded-connector.ts';
import { originPools } from './origin-pools.ts';
import { createTargetCache } from './target-cache.ts';
import { createTimeouts } from './timeouts.ts';

/**
 * Where webhooks may go.
 * @public
 */
export interface UndiciSenderOptions {
  /**
   * CIDR ranges that are allowed beside the public addresses, such as `10.20.0.0/16`, or `localhost` for all of loopback. Metadata services
   * of clouds stay refused.
   * @defaultValue none
   */
  readonly allow?: readonly string[];
  /**
   * PEM certificates of private authorities, trusted beside the roots that Node.js trusts.
   * @defaultValue none
   */
  readonly ca?: string | readonly string[];
  /**
   * For the machine of a developer: allows loopback, and retries come after 5 seconds at most. Refused when `NODE_ENV` is `production`.
   * @defaultValue false
   */
  readonly development?: boolean;
  /**
   * Resolves host names but `localhost`; every address it answers is checked.
   * @defaultValue DNS, A and AAAA, given up after some 6 seconds; `/etc/hosts` is not read
   */
  readonly lookup?: Lookup;
}

/**
 * A sender with sockets to be closed.
 * @public
 */
export interface UndiciSender extends Required<Sender> {
  /** Closes every socket, once the worker has stopped: what is still in flight fails as `reset`. Later sends reject. */
  close(): Promise<void>;
}

/** Times in milliseconds. Our own deadline replaces undici's. */
const clientOptions = {
  allowH2: false,
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: 10_000,
  // Bounds what a server asks for in its `Keep-Alive` header.
  keepAliveMaxTimeout: 30_000,
} satisfies Client.Options;

/** Bun has an undici of its own, whose clients ignore the connector: the guard would guard nothing. */
const assertRealUndici = (): void => {
  if (!('bun' in process.versions) && typeof Client.prototype.dispatch === 'function') return;
  throw new TypeError(
    'undiciSender: this runtime replaces undici by one that cannot be guarded. ' +
      'Use httpsSender from @partnerkit/undici/https; it takes the same options.',
  );
};

/**
 * Sends webhooks over HTTPS, certificate verified, to public addresses only: each address of the host is checked, and the
 * socket connects to just these. Redirects are not followed; sockets are reused for 10 seconds, and busy ones for 5 minutes.
 * @example
 * const sender = undiciSender();
 * const outcome = await sender.send({
 *   url: 'https://partner.example/webhooks',
 *   headers: { 'content-type': 'application/json' },
 *   body: '{}',
 *   deadline: 15_000,
 * });
 * await sender.close();
 * @throws TypeError that names the entry of `allow` or `ca` which is no CIDR range or no certificate, or `development` in production;
 * on Bun, which replaces undici, one that names `httpsSender`.
 * @public
 */
export const undiciSender = ({ ca, lookup = dnsLookup(), ...options }: UndiciSenderOptions = {}): UndiciSender => {
  assertRealUndici();
  const { allows, ...rules } = destinationRules(options);
  const closing = new AbortController();
  const connect = guardedConnector({ allows, lookup, ca, signal: closing.signal });
  const pools = originPools((origin) => createClientPool(origin, { ...clientOptions, connect }));
  const targetOf = createTargetCache();
  const timeouts = createTimeouts();

  return {
    ...rules,
    send: async ({ url, headers, body, deadline }) => {
      if (closing.signal.aborted) throw new Error('This sender is closed.');
      const { isHttps, origin, path } = targetOf(url);
      if (!isHttps) return { kind: 'failed', reason: 'forbidden_address', took: 0 };
      const { client, release } = pools.get(origin).take();
      const request = { method: 'POST', path, headers, body };
      return exchange({
        deadline,
        timeouts,
        dispatch: (handler) => client.dispatch(request, handler),
        onDone: release,
      });
    },
    close: async () => {
      closing.abort();
      await pools.destroy();
    },
  };
};
