import '#node-version';
import type { ClientRequest } from 'node:http';
import { request } from 'node:https';
import type { Sender } from '@partnerkit/core/ports';
import type { Dispatcher } from 'undici';
import { destinationRules } from './destination-rules.ts';
import { dnsLookup } from './dns-lookup.ts';
import { exchange } from './exchange.ts';
import { guardedAgent } from './guarded-agent.ts';
import { guardedConnector } from './guarded-connector.ts';
import { originPools } from './origin-pools.ts';
import type { UndiciSenderOptions } from './sender-options.ts';
import { createTimeouts } from './timeouts.ts';
import type { UndiciSender } from './undici-sender.ts';

/** Forwards the events of a node:https request to a handler of undici, so that both senders share one exchange. */
const dispatch = (sending: ClientRequest, body: string, handler: Dispatcher.DispatchHandler): void => {
  let complete = false;
  const controller: Dispatcher.DispatchController = {
    aborted: false,
    paused: false,
    reason: null,
    // After a complete response, the next request reuses the socket.
    abort: () => void (complete || sending.destroy()),
    pause: () => {},
    resume: () => {},
  };
  const fail = (error: Error) => handler.onResponseError?.(controller, error);
  sending
    .on('socket', () => handler.onRequestStart?.(controller, undefined))
    .on('information', ({ statusCode, headers }) => handler.onResponseStart?.(controller, statusCode, headers))
    // The request has no `Expect`, so a 100 is an error, as in undici.
    .on('continue', () => fail(new Error('An unasked 100.')))
    .on('error', fail)
    .on('close', () => fail(new Error('The connection was closed.')))
    .on('response', (answer) => {
      handler.onResponseStart?.(controller, answer.statusCode ?? 0, answer.headers);
      answer
        .on('data', (chunk: Buffer) => handler.onResponseData?.(controller, chunk))
        .on('error', fail)
        .on('end', () => {
          complete = true;
          handler.onResponseEnd?.(controller, {});
        });
    })
    .end(body);
};

/**
 * A sender on `node:https` for runtimes that replace undici, such as Bun. It has the options, address rules and
 * outcomes of `undiciSender`. Redirects are not followed. Idle sockets are reused for 10 seconds, busy ones for 5
 * minutes.
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
export const httpsSender = ({ ca, lookup = dnsLookup(), ...options }: UndiciSenderOptions = {}): UndiciSender => {
  const { allows, ...rules } = destinationRules(options);
  const closing = new AbortController();
  const connect = guardedConnector({ allows, lookup, ca, signal: closing.signal });
  const agents = originPools(() => guardedAgent(connect));
  const timeouts = createTimeouts();
  const inFlight = new Set<Promise<unknown>>();

  const deliver: Sender['send'] = async ({ url, headers, body, deadline }) => {
    if (closing.signal.aborted) throw new Error('This sender is closed.');
    const { protocol, origin, hostname, port, pathname, search } = new URL(url);
    if (protocol !== 'https:') return { kind: 'failed', reason: 'forbidden_address', durationMs: 0 };
    const sending = request({
      agent: agents.get(origin),
      method: 'POST',
      // Node.js takes an IPv6 address without brackets.
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port: port || 443,
      path: pathname + search,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    });
    return exchange({ deadline, timeouts, dispatch: (handler) => dispatch(sending, body, handler) });
  };

  return {
    ...rules,
    send: (post) => {
      const sent = deliver(post);
      inFlight.add(sent);
      const forget = () => inFlight.delete(sent);
      sent.then(forget, forget);
      return sent;
    },
    close: async () => {
      closing.abort();
      await agents.destroy();
      await Promise.allSettled(inFlight);
    },
  };
};
