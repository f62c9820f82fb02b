import { Client } from 'undici';

/** A socket, open or to be opened. */
interface Slot {
  /** The client of undici that owns the socket. */
  readonly client: Client;
  /** Call it when undici is done with the request: at the end of the response, or when it failed. */
  readonly release: () => void;
}

/**
 * The sockets of one origin, one for each simultaneous request; each is a Client of undici. A Client takes the next
 * request when a response has ended, and sends it after a check of the socket. undici's Pool counts the Client as busy
 * for longer: until it has set a timer for the idle socket, which the next request clears.
 * @internal
 */
export const createClientPool = (origin: string, options: Client.Options) => {
  const clients: Client[] = [];
  // Last in, first out, so that surplus sockets become idle and close.
  const free: Slot[] = [];

  const open = (): Slot => {
    const client = new Client(origin, options);
    clients.push(client);
    const slot: Slot = { client, release: () => void free.push(slot) };
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
