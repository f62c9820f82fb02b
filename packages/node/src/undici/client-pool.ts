import type { Socket } from 'node:net';
import { Client } from 'undici';
import type { Carrier } from '../sender/exchange.ts';
import type { Connect } from '../sender/guarded-connector.ts';

/** A socket, open or to be opened. */
interface Slot extends Omit<Carrier, 'dispatch'> {
  /** The client of undici that owns the socket. */
  readonly client: Client;
}

/**
 * The sockets of one origin, one for each simultaneous request; each is a Client of undici. A Client takes the next
 * request when a response has ended, and sends it after a check of the socket. undici's Pool counts the Client as busy
 * for longer: until it has set a timer for the idle socket, which the next request clears.
 */
export const createClientPool = (
  origin: string,
  { connect, ...options }: Omit<Client.Options, 'connect'> & { readonly connect: Connect },
) => {
  const clients: Client[] = [];
  // Last in, first out, so that surplus sockets become idle and close.
  const free: Slot[] = [];

  const open = (): Slot => {
    let socket: Socket | null = null;
    let socketError: Error | undefined;
    const client = new Client(origin, {
      ...options,
      connect: (target, callback) =>
        connect(target, (...outcome) => {
          [, socket] = outcome;
          socketError = undefined;
          // undici replaces it by its own when the socket ends, such as an alert of TLS.
          socket?.once('error', (error) => {
            socketError = error;
          });
          callback(...outcome);
        }),
    });
    clients.push(client);
    const slot: Slot = {
      client,
      bytesRead: () => socket?.bytesRead ?? 0,
      socketError: () => socketError,
      release: () => void free.push(slot),
    };
    return slot;
  };

  return {
    take: (): Slot => free.pop() ?? open(),
    /** Closes each socket once its request is over. */
    close: () => Promise.all(clients.map((client) => client.close())),
    /** Aborts every request and closes every socket. */
    destroy: () => Promise.all(clients.map((client) => client.destroy())),
  };
};
