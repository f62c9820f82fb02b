import { Agent } from 'node:https';
import type { Socket } from 'node:net';
import type { guardedConnector } from './guarded-connector.ts';

/** How long a socket stays open without a request. */
const idleTime = 10_000;

/** What Node.js hands to `createConnection`. */
interface ConnectionOptions {
  readonly host?: string | null | undefined;
  readonly port?: number | string | null | undefined;
}

/**
 * The sockets of node:https, opened by a guarded connector. A request gets its socket once the peer's certificate and
 * address were checked. `close` closes idle sockets at once, and busy ones after their answer.
 * @internal
 */
export const guardedAgent = (connect: ReturnType<typeof guardedConnector>) => {
  const agent = new Agent({ keepAlive: true, timeout: idleTime, maxCachedSessions: 0 });
  const keepSocketAlive = agent.keepSocketAlive.bind(agent);
  let closed = false;
  return Object.assign(agent, {
    createConnection: ({ host, port }: ConnectionOptions, callback?: (error: Error | null, socket: Socket) => void) => {
      // Node.js reads no socket beside an error.
      connect({ hostname: host ?? '', port: String(port) }, (error, socket) => callback?.(error, socket as Socket));
      return undefined;
    },
    keepSocketAlive: (socket: Socket) => !closed && keepSocketAlive(socket),
    close: () => {
      closed = true;
      for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
    },
  });
};
