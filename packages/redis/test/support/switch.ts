import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** An address that leads to one server, and then to another: what clients see of a failover. */
export interface Switch {
  readonly port: number;
  /** Ends every connection; new ones go there. */
  lead(to: { readonly port: number }): void;
}

export const ownSwitch = async (to: { readonly port: number }): Promise<Switch> => {
  let target = to;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const listener = createServer((socket) => {
    const server = connect(target.port, '127.0.0.1');
    keep(socket);
    keep(server);
    socket.pipe(server).pipe(socket);
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    listener.close();
    cut();
  });
  return {
    port: (listener.address() as AddressInfo).port,
    lead: (next) => {
      target = next;
      cut();
    },
  };
};
