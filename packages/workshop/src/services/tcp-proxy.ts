import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { type Resolvers, withResolvers } from '../../../conformance/src/node-20.ts';
import { onFreePort } from './free-port.ts';

/**
 * Target of a proxy.
 * @public
 */
export interface TcpProxyOptions {
  /** The server behind the proxy. */
  readonly to: {
    /** Its address. @defaultValue `127.0.0.1` */
    readonly host?: string;
    /** Its port. */
    readonly port: number;
  };
}

/**
 * A TCP proxy that injects network failures.
 * @public
 */
export interface TcpProxy {
  /** Port on 127.0.0.1. */
  readonly port: number;
  /** Number of open connections. */
  readonly connections: number;
  /** Resets every open connection. */
  cut(): void;
  /** Buffers all bytes, in both directions, of existing and new connections; nothing is lost. */
  pause(): void;
  /** Sends the buffered bytes. */
  resume(): void;
  /** Refuses new connections; open ones stay. */
  refuse(): void;
  /** Accepts new connections again, on the same port. */
  accept(): Promise<void>;
  /** Sends new connections to another server; open ones stay. */
  redirect(to: TcpProxyOptions['to']): void;
  /** Delays each piece of data by this many milliseconds in each direction; 0 ends the delay. */
  delay(milliseconds: number): void;
  /** Resets every connection and refuses new ones. */
  stop(): Promise<void>;
}

/**
 * Starts a proxy in front of a server, for tests of network failures.
 * @example
 * const server = await startPostgres();
 * const proxy = await startTcpProxy({ to: server });
 * const url = new URL(server.url);
 * url.port = String(proxy.port);
 * proxy.pause();
 * proxy.resume();
 * await proxy.stop();
 * await server.stop();
 * @public
 */
export const startTcpProxy = async ({ to }: TcpProxyOptions): Promise<TcpProxy> => {
  let target = to;
  const clients = new Set<Socket>();
  const servers = new Set<Socket>();
  let held: Resolvers<void> | undefined;
  let wait = 0;

  const reset = (socket: Socket): void => {
    // While the end of a socket is being sent, the system refuses a reset, and Node.js would never close the socket.
    if (!socket.writableEnded || socket.writableFinished) socket.resetAndDestroy();
    // A reset waits for pending writes, which never end if the other side does not read.
    socket.destroy();
  };
  const carry = async (from: Socket, to: Socket) => {
    try {
      // Node.js 22 would destroy a half-open socket while this side still sends.
      for await (const chunk of from.iterator({ destroyOnReturn: false })) {
        if (wait > 0) await after(wait);
        await held?.promise;
        if (!to.write(chunk) && !to.destroyed) await once(to, 'drain');
      }
      await held?.promise;
      to.end();
    } catch {
      reset(from);
      reset(to);
    }
  };
  const keep = (sockets: Set<Socket>, socket: Socket) => {
    sockets.add(socket);
    // The reader of the socket receives the error as well.
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const join = (client: Socket) => {
    const server = connect({ host: target.host ?? '127.0.0.1', port: target.port, allowHalfOpen: true, noDelay: true });
    keep(clients, client);
    keep(servers, server);
    void carry(client, server);
    void carry(server, client);
  };

  let listener: Server | undefined;
  const listen = async (on: number) => {
    const next = createServer({ allowHalfOpen: true, noDelay: true }, join);
    await once(next.listen(on, '127.0.0.1'), 'listening');
    listener = next;
  };
  const port = await onFreePort(listen);
  const cut = () => {
    for (const socket of [...clients, ...servers]) reset(socket);
  };
  const refuse = () => {
    listener?.close();
    listener = undefined;
  };
  return {
    port,
    get connections() {
      return clients.size;
    },
    cut,
    pause: () => {
      held ??= withResolvers();
    },
    resume: () => {
      held?.resolve(undefined);
      held = undefined;
    },
    refuse,
    accept: async () => {
      // A search for a free port may hold this one for a moment.
      for (let tries = 100; !listener; tries--) {
        try {
          await listen(port);
        } catch (cause) {
          if (tries === 0) throw cause;
          await after(20);
        }
      }
    },
    redirect: (other) => {
      target = other;
    },
    delay: (milliseconds) => {
      wait = milliseconds;
    },
    stop: async () => {
      refuse();
      // A reset may fail when the other side is gone. The socket closes anyway, and `once` would reject.
      const closed = [...clients, ...servers].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      cut();
      await Promise.all(closed);
    },
  };
};
