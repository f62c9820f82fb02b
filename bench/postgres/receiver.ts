import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createCertificateAuthority } from '@partnerkit/testing';
import { serve, sharedNow } from '../children.ts';

/** The server of the partner in a separate process: it reads each request to its end, and returns 204. */
export interface ReceiverHandlers {
  address(): Promise<Receiver>;
  /** The next {@link ReceiverHandlers.arrival} is that of the next request. */
  arm(): Promise<void>;
  /** When it arrived. */
  arrival(): Promise<number>;
  /** Number of requests that were read to their end. */
  received(): Promise<number>;
}

export interface Receiver {
  readonly origin: string;
  /** PEM of the authority. */
  readonly ca: string;
}

/** A request that takes longer will never arrive. */
const maxWaitMs = 30_000;

if (process.send)
  serve<ReceiverHandlers>(async () => {
    const authority = await createCertificateAuthority();
    let arrived: (at: number) => void = () => undefined;
    let next: Promise<number> | undefined;
    let received = 0;
    const server = createServer(await authority.issue({ addresses: ['127.0.0.1'] }), (request, response) => {
      arrived(sharedNow());
      request.on('end', () => {
        received++;
        response.writeHead(204).end();
      });
      request.resume();
    });
    // Handshakes are not measured: connections outlive the rounds of other sides.
    server.keepAliveTimeout = 120_000;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return {
      address: async () => ({ origin: `https://127.0.0.1:${port}`, ca: authority.certificate }),
      arm: async () => {
        next = new Promise((resolve, reject) => {
          arrived = resolve;
          setTimeout(reject, maxWaitMs, new Error('No POST arrived.')).unref();
        });
        // It may reject before it is asked for.
        next.catch(() => undefined);
      },
      arrival: async () => next ?? 0,
      received: async () => received,
    };
  });
