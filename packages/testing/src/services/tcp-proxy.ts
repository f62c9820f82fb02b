import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { onFreePort } from './free-port.ts';

/**
 * Where a proxy leads.
 * @public
 */
export interface TcpProxyOptions {
  readonly to: {
    /** @defaultValue `127.0.0.1` */
    readonly host?: string;
    readonly port: number;
  };
}

/**
 * A network that fails as told.
 * @public
 */
export interface TcpProxy {
  /** On 127.0.0.1. */
  readonly port: number;
  /** How many connections are open now. */
  readonly connections: number;
  /** Resets every open connection. */
  cut(): void;
  /** Holds all bytes, both ways, of connections old and new; nothing is lost. */
  pause(): void;
  /** Lets held bytes go. */
  resume(): void;
  /** Refuses new connections; open ones stay. */
  refuse(): void;
  /** Takes new connections again, on the same port. */
  accept(): Promise<void>;
  /** From now on, holds each piece of data for so many milliseconds, each way; 0 ends that. */
  delay(milliseconds: number): void;
  /** Resets every connection and refuses new ones. */
  stop(): Promise<void>;
}

/**
 * Puts a proxy before a server, for tests of what happens when the network fails.
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
export const startTcpProxy = async ({
  to: { host = '127.0.0.1', port: target },
}: TcpProxyOptions): Promise<TcpProxy> => {
  const clients = new Set<Socket>();
  const servers = new Set<Socket>();
  let held: PromiseWithResolvers<void> | undefined;
  let wait = 0;

  const reset = (socket: Socket): void => {
    socket.resetAndDestroy();
    // A reset waits for pending writes, which never end if the other side does not read.
    socket.destroy();
  };
  const carry = async (from: Socket, to: Socket) => {
    try {
      // Node.js 22 would destroy a socket whose other side has finished, while this side still speaks.
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
    // Whoever reads from the socket hears of the error too.
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const join = (client: Socket) => {
    const server = connect({ host, port: target, allowHalfOpen: true, noDelay: true });
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
      held ??= Promise.withResolvers();
    },
    resume: () => {
      held?.resolve();
      held = undefined;
    },
    refuse,
    accept: async () => {
      if (!listener) await listen(port);
    },
    delay: (milliseconds) => {
      wait = milliseconds;
    },
    stop: async () => {
      refuse();
      // A reset may fail where the other side has gone; the socket closes all the same, and `once` would reject.
      const closed = [...clients, ...servers].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      cut();
      await Promise.all(closed);
    },
  };
};
