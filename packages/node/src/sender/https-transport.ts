import { type ClientRequest, request as plainRequest } from 'node:http';
import { request } from 'node:https';
import type { DeliveryRequest, SendOutcome } from '@partnerkit/core/adapter';
import type { Dispatcher } from 'undici';
import { type Carrier, exchange } from './exchange.ts';
import { sendError } from './failure-reason.ts';
import { guardedAgent, plainAgent } from './guarded-agent.ts';
import type { Connect } from './guarded-connector.ts';
import { loopbackConnector } from './loopback-connector.ts';
import { originPools } from './origin-pools.ts';
import type { Timeouts } from './timeouts.ts';

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
    // A 100 too, although the request has no `Expect`: it is to be ignored (RFC 9110 §15.2.1).
    .on('information', ({ statusCode, headers }) => handler.onResponseStart?.(controller, statusCode, headers))
    .on('upgrade', (_, socket) => {
      socket.destroy();
      fail(sendError('http_protocol_error', 'The receiver switched to a protocol that was not asked for.'));
    })
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

const isPlain = (origin: string): boolean => origin.startsWith('http:');

export interface HttpsTransportOptions {
  readonly connect: Connect;
  readonly timeouts: Timeouts;
  /** Aborts when the sender is closed. */
  readonly signal: AbortSignal;
}

/**
 * Sends POSTs by node:https, over connections of a guarded connector. POSTs to an http URL go by node:http, to this
 * machine only.
 */
export const httpsTransport = ({ connect, timeouts, signal }: HttpsTransportOptions) => {
  const agents = originPools((origin) =>
    isPlain(origin) ? plainAgent(loopbackConnector(signal)) : guardedAgent(connect),
  );
  const inFlight = new Set<Promise<unknown>>();

  const carrierOf = ({ url, headers, body }: Omit<DeliveryRequest, 'deadline'>): Carrier => {
    const { origin, hostname, port, pathname, search } = new URL(url);
    const agent = agents.get(origin);
    let sending: ClientRequest | undefined;
    return {
      dispatch: (handler) => {
        // The other idle sockets are as old as the one that was closed.
        if (sending) agent.closeIdle();
        sending = (isPlain(origin) ? plainRequest : request)({
          agent,
          method: 'POST',
          // Node.js takes an IPv6 address without brackets.
          hostname: hostname.replace(/^\[|\]$/g, ''),
          port: port || (isPlain(origin) ? 80 : 443),
          path: pathname + search,
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        });
        dispatch(sending, body, handler);
      },
      bytesRead: () => sending?.socket?.bytesRead ?? 0,
      // node:https reports it itself.
      socketError: () => undefined,
      release: () => {},
    };
  };

  return {
    send: ({ deadline, ...post }: DeliveryRequest): Promise<SendOutcome> => {
      const sent = exchange({ deadline, timeouts, signal, carrier: carrierOf(post) });
      inFlight.add(sent);
      const forget = () => inFlight.delete(sent);
      sent.then(forget, forget);
      return sent;
    },
    /** Closes every socket; resolves when each request has its outcome. */
    close: async (): Promise<void> => {
      await agents.destroy();
      await Promise.allSettled(inFlight);
    },
  };
};
