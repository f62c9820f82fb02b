import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

/** The least bridge from `node:http` to standard requests, without a framework. */
const toRequest = (incoming: IncomingMessage, signal: AbortSignal): Request => {
  const method = incoming.method ?? 'GET';
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headersDistinct))
    for (const each of value ?? []) headers.append(name, each);
  const body = method === 'GET' || method === 'HEAD' ? null : (Readable.toWeb(incoming) as ReadableStream);
  return new Request(`http://localhost${incoming.url}`, {
    method,
    headers,
    body,
    signal,
    duplex: 'half',
  } as RequestInit);
};

const write = async (response: Response, outgoing: ServerResponse): Promise<void> => {
  outgoing
    .writeHead(response.status, Object.fromEntries(response.headers))
    .end(Buffer.from(await response.arrayBuffer()));
};

/** Serves a fetch handler on a free port. */
export const serve = async (handle: (request: Request, remoteAddress: string | undefined) => Promise<Response>) => {
  const server = createServer((incoming, outgoing) => {
    const connection = new AbortController();
    outgoing.on('close', () => connection.abort());
    handle(toRequest(incoming, connection.signal), incoming.socket.remoteAddress)
      .then((response) => write(response, outgoing))
      .catch((cause: unknown) => outgoing.destroy(cause as Error));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
