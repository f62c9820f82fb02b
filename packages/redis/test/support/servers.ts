import {
  type RedisOptions,
  type RedisServer,
  startRedis,
  startTcpProxy,
  type TcpProxy,
} from '@partnerkit/workshop/services';
import { onTestFinished } from 'vitest';

/** A server of one test's own, that it may do anything to. */
export const ownRedis = async (settings: RedisOptions['settings'] = {}): Promise<RedisServer> => {
  const server = await startRedis({ settings });
  onTestFinished(() => server.stop());
  return server;
};

/** Closes with the test what it opened. */
export const open = async <T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> => {
  const opened = await opening;
  onTestFinished(() => opened.close());
  return opened;
};

/** The address of a server by another way. */
export const by = ({ port }: { readonly port: number }, url: string): string => {
  const address = new URL(url);
  address.port = String(port);
  return address.href;
};

/** A way to a server that fails as told. */
export const ownProxy = async (to: { readonly port: number }): Promise<TcpProxy> => {
  const proxy = await startTcpProxy({ to });
  onTestFinished(() => proxy.stop());
  return proxy;
};
