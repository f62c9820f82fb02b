import { Client } from 'undici';

/** One socket, or the right to open it. */
interface Slot {
  readonly client: Client;
  /** To be called when undici is done with the request: at the end of its answer, or when it failed. */
  readonly release: () => void;
}

/**
 * The sockets of one origin, as many as there are requests at one time: each is a Client of undici. A Client takes the
 * next request as soon as an answer has ended, and sends it once it has checked the socket. undici's Pool counts the
 * Client as busy for longer: until it has set a timer for an idle socket, which the next request clears.
 * @internal
 */
export const createClientPool = (origin: string, options: Client.Options) => {
  const clients: Client[] = [];
  // The one that was used last is taken first, so that those beyond need close when their idle time is over.
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
    /** Ends every request, and closes every socket. */
    destroy: () => Promise.all(clients.map((client) => client.destroy())),
  };
};
