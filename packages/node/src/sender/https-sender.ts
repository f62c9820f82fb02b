import { destinationRules } from './destination-rules.ts';
import { resolveBy } from './dns-lookup.ts';
import { guardedConnector } from './guarded-connector.ts';
import { httpsTransport } from './https-transport.ts';
import type { HttpsSender, HttpsSenderOptions } from './sender-options.ts';
import { createTimeouts } from './timeouts.ts';

/**
 * A sender on `node:https`. It sends over HTTPS with verified certificates, to public addresses only: it checks every
 * address of the host and connects to these. Redirects are not followed. Idle sockets are reused for 10 seconds, busy
 * ones for 5 minutes. Idle sockets do not keep the process alive.
 * @example
 * const sender = httpsSender();
 * const outcome = await sender.send({
 *   url: 'https://partner.example/webhooks',
 *   headers: { 'content-type': 'application/json' },
 *   body: '{}',
 *   deadline: 15_000,
 * });
 * await sender.close();
 * @throws TypeError that names a wrong entry of `allow`, `nat64` or `ca`, or `development` in production.
 * @public
 */
export const httpsSender = ({ ca, lookup, ...options }: HttpsSenderOptions = {}): HttpsSender => {
  const { allows, ...rules } = destinationRules(options);
  const closing = new AbortController();
  const { signal } = closing;
  const connect = guardedConnector({ allows, resolve: resolveBy(lookup), ca, signal });
  const transport = httpsTransport({ connect, timeouts: createTimeouts(), signal });

  return {
    ...rules,
    send: async (post) => {
      if (signal.aborted) throw new Error('This sender is closed.');
      if (new URL(post.url).protocol !== 'https:' && !rules.canReach(post.url))
        return { kind: 'failed', reason: 'forbidden_address', durationMs: 0 };
      return transport.send(post);
    },
    close: () => {
      closing.abort();
      return transport.close();
    },
  };
};
