import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Listens on a free port of this machine, and resolves to it. */
export const listen = async (listener: RequestListener): Promise<number> => {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return portOf(server);
};
