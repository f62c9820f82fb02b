import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Prng } from '../../simulator/prng.ts';

/** A POST as the receiver saw it. */
export interface SeenPost {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  /** The status that was sent. Absent: the connection was cut. */
  readonly status?: number;
}

export interface PartnerServer {
  readonly port: number;
  readonly posts: readonly SeenPost[];
  /** From now on every POST is confirmed. */
  calmDown(): void;
  close(): Promise<void>;
}

/** Confirms at once, or, on the path of a flaky endpoint, fails now and then. */
export const startPartner = async (prng: Prng): Promise<PartnerServer> => {
  const posts: SeenPost[] = [];
  let isCalm = false;
  const draw = (path: string): number | 'cut' => {
    if (isCalm || !path.endsWith('/flaky')) return 204;
    if (prng.chance(0.1)) return 'cut';
    return prng.chance(0.2) ? 500 : 204;
  };
  const server = createServer(async (request, response) => {
    try {
      const path = request.url ?? '';
      const body = await text(request);
      const status = draw(path);
      posts.push({ path, headers: request.headers, body, ...(status === 'cut' ? {} : { status }) });
      if (status === 'cut') response.destroy();
      else response.writeHead(status).end();
    } catch {
      // Its sender was killed while it sent.
      response.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    posts,
    calmDown: () => {
      isCalm = true;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
