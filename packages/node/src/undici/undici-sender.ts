import '#node-version';
import { Client, type Dispatcher } from 'undici';
import { destinationRules } from '../sender/destination-rules.ts';
import { resolveBy } from '../sender/dns-lookup.ts';
import { exchange } from '../sender/exchange.ts';
import { guardedConnector } from '../sender/guarded-connector.ts';
import { httpsTransport } from '../sender/https-transport.ts';
import { originPools } from '../sender/origin-pools.ts';
import type { HttpsSender, HttpsSenderOptions } from '../sender/sender-options.ts';
import { createTimeouts } from '../sender/timeouts.ts';
import { createClientPool } from './client-pool.ts';
import { createTargetCache } from './target-cache.ts';

/** Durations in milliseconds. Our deadline replaces the timeouts of undici. */
const clientOptions = {
  allowH2: false,
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: 10_000,
  // Upper limit of the `Keep-Alive` header of a server.
  keepAliveMaxTimeout: 30_000,
} satisfies Client.Options;

/** Maximum number of origins that are remembered for an unasked 100; then all are forgotten. */
const maxContinuing = 10_000;

/** The clients of Bun's own undici ignore the connector: addresses would not be checked. */
const assertRealUndici = (): void => {
  if (!('bun' in process.versions) && typeof Client.prototype.dispatch === 'function') return;
  throw new TypeError(
    'undiciSender: this runtime replaces undici by one that cannot be guarded. ' +
      'Use httpsSender from @partnerkit/node; it takes the same options.',
  );
};

/**
 * A sender on undici. It sends over HTTPS with verified certificates, to public addresses only: it checks every address
 * of the host and connects to these. Redirects are not followed. Idle sockets are reused for 10 seconds, busy ones for
 * 5 minutes.
 * @example
 * const sender = undiciSender();
 * const outcome = await sender.send({
 *   url: 'https://partner.example/webhooks',
 *   headers: { 'content-type': 'application/json' },
 *   body: '{}',
 *   deadline: 15_000,
 * });
 * await sender.close();
 * @throws TypeError that names a wrong entry of `allow`, `nat64` or `ca`, `development` in production, or, on Bun,
 * `httpsSender`.
 * @public
 */
export const undiciSender = ({ ca, lookup, ...options }: HttpsSenderOptions = {}): HttpsSender => {
  assertRealUndici();
  const { allows, ...rules } = destinationRules(options);
  const closing = new AbortController();
  const { signal } = closing;
  const connect = guardedConnector({ allows, resolve: resolveBy(lookup), ca, signal });
  const pools = originPools((origin) => createClientPool(origin, { ...clientOptions, connect }));
  const targetOf = createTargetCache();
  const timeouts = createTimeouts();
  const https = httpsTransport({ connect, timeouts, signal });
  const continuing = new Set<string>();

  return {
    ...rules,
    send: async (post) => {
      if (signal.aborted) throw new Error('This sender is closed.');
      const { url, headers, body, deadline } = post;
      const { isHttps, origin, path } = targetOf(url);
      if (!isHttps && !rules.canReach(url)) return { kind: 'failed', reason: 'forbidden_address', durationMs: 0 };
      if (!isHttps || continuing.has(origin)) return https.send(post);
      const { client, ...slot } = pools.get(origin).take();
      const request = { method: 'POST', path, headers, body };
      const dispatch = (handler: Dispatcher.DispatchHandler) => client.dispatch(request, handler);
      const outcome = await exchange({ deadline, timeouts, signal, carrier: { ...slot, dispatch } });
      if (outcome.kind === 'failed' && outcome.reason === 'http_continue') {
        if (continuing.size >= maxContinuing) continuing.clear();
        continuing.add(origin);
      }
      return outcome;
    },
    close: async () => {
      closing.abort();
      await Promise.all([pools.destroy(), https.close()]);
    },
  };
};
