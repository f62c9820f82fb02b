import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createCertificateAuthority } from '@partnerkit/testing';
import { serve, sharedNow } from './children.ts';

/** The partner's server, in a process of its own: it reads each request to its end, and answers 204. */
export interface ReceiverHandlers {
  address(): Promise<Receiver>;
  /** From now on {@link ReceiverHandlers.arrival} is about the next request. */
  arm(): Promise<void>;
  /** When it arrived. */
  arrival(): Promise<number>;
}

export interface Receiver {
  readonly origin: string;
  /** PEM of the authority. */
  readonly ca: string;
}

if (process.send)
  serve<ReceiverHandlers>(async () => {
    const authority = await createCertificateAuthority();
    let arrived: (at: number) => void = () => undefined;
    let next: Promise<number> | undefined;
    const server = createServer(await authority.issue({ addresses: ['127.0.0.1'] }), (request, response) => {
      arrived(sharedNow());
      request.on('end', () => response.writeHead(204).end());
      request.resume();
    });
    // Nobody measures handshakes: sockets outlive the turns of the others.
    server.keepAliveTimeout = 120_000;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return {
      address: async () => ({ origin: `https://127.0.0.1:${port}`, ca: authority.certificate }),
      arm: async () => {
        next = new Promise((resolve) => {
          arrived = resolve;
        });
      },
      arrival: async () => next ?? 0,
    };
  });
