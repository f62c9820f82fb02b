import { Agent as PlainAgent } from 'node:http';
import { Agent } from 'node:https';
import type { Socket } from 'node:net';
import type { Connect } from './guarded-connector.ts';

/** Idle timeout of a socket, in milliseconds. */
const idleTime = 10_000;

/** The options that Node.js passes to `createConnection`. */
interface ConnectionOptions {
  readonly host?: string | null | undefined;
  readonly port?: number | string | null | undefined;
}

/**
 * An agent of node:https whose sockets are opened by a guarded connector: a request gets its socket after the checks of
 * certificate and address. `closeIdle` closes idle sockets; `close` does, and closes busy ones after their response.
 */
export const guardedAgent = (connect: Connect) =>
  withConnect(new Agent({ keepAlive: true, timeout: idleTime, maxCachedSessions: 0 }), connect);

/** An agent of node:http, as {@link guardedAgent}. */
export const plainAgent = (connect: Connect<Socket>) =>
  withConnect(new PlainAgent({ keepAlive: true, timeout: idleTime }), connect);

const withConnect = <A extends PlainAgent>(agent: A, connect: Connect<Socket>) => {
  const keepSocketAlive = agent.keepSocketAlive.bind(agent);
  let closed = false;
  const closeIdle = () => {
    for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
  };
  return Object.assign(agent, {
    createConnection: ({ host, port }: ConnectionOptions, callback?: (error: Error | null, socket: Socket) => void) => {
      // With an error, Node.js does not read the socket.
      connect({ hostname: host ?? '', port: String(port) }, (error, socket) => callback?.(error, socket as Socket));
      return undefined;
    },
    keepSocketAlive: (socket: Socket) => !closed && keepSocketAlive(socket),
    closeIdle,
    close: () => {
      closed = true;
      closeIdle();
    },
  });
};
