import { request } from 'node:http';
import type { DeliveryRequest, Sender, SendOutcome } from '@partnerkit/core/adapter';

const reasonOf = (cause: NodeJS.ErrnoException): 'timeout' | 'connect' | 'reset' =>
  cause.name === 'TimeoutError' ? 'timeout' : cause.code === 'ECONNREFUSED' ? 'connect' : 'reset';

/**
 * Sends every POST to one port of this machine, over plain HTTP: what is proved is delivery, not TLS. Retries take at
 * most 5 seconds.
 */
export const httpSender = (port: number): Sender => ({
  development: true,
  send: ({ url, headers, body, deadline }: DeliveryRequest): Promise<SendOutcome> =>
    new Promise((resolve) => {
      const startedAt = performance.now();
      const durationMs = (): number => Math.round(performance.now() - startedAt);
      const { pathname } = new URL(url);
      const sent = request(
        {
          ...{ host: '127.0.0.1', port, path: pathname, method: 'POST', agent: false },
          headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
          signal: AbortSignal.timeout(deadline),
        },
        (response) => {
          response.resume();
          resolve({ kind: 'answered', status: response.statusCode ?? 0, body: '', durationMs: durationMs() });
        },
      );
      sent.on('error', (cause) => resolve({ kind: 'failed', reason: reasonOf(cause), durationMs: durationMs() }));
      sent.end(body);
    }),
});
