import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { DeliveryRequest, Sender } from '@partnerkit/core/adapter';

/** Sends everything to one port of this machine, over HTTP: between processes of a test nobody listens. */
export const plainSender = (port: number): Sender & { close(): void } => {
  const agent = new Agent({ keepAlive: true });
  const exchange = async ({ url, headers, body, deadline }: DeliveryRequest): Promise<IncomingMessage> => {
    const sent = request({
      agent,
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: new URL(url).pathname,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      timeout: deadline,
    });
    sent.on('timeout', () => sent.destroy()).end(body);
    const [response]: readonly IncomingMessage[] = await once(sent, 'response');
    if (!response) throw new Error('no answer');
    response.resume();
    return response;
  };
  return {
    send: async (post) => {
      const since = performance.now();
      const durationMs = (): number => performance.now() - since;
      try {
        const { statusCode = 0 } = await exchange(post);
        return { kind: 'answered', status: statusCode, body: '', durationMs: durationMs() };
      } catch {
        return { kind: 'failed', reason: 'reset', durationMs: durationMs() };
      }
    },
    close: () => agent.destroy(),
  };
};

/** A POST as it arrived, and the worker that sent it. */
export interface PlainPost {
  readonly path: string;
  readonly body: string;
  readonly worker: string;
}

/** Receives what such senders send, and confirms it. */
export const startPlainReceiver = async (onPost: (post: PlainPost) => void) => {
  const server = createServer(async (incoming, response) => {
    try {
      const body = await text(incoming);
      onPost({ path: incoming.url ?? '', body, worker: incoming.headers['user-agent'] ?? '' });
      response.writeHead(204).end();
    } catch {
      // The worker was killed before all of it was here.
      response.destroy();
    }
  });
  server.keepAliveTimeout = 60_000;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
