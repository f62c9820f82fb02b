import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import type { DeliveryRequest } from '@partnerkit/core/adapter';
import { type HttpsSenderOptions, httpsSender } from '@partnerkit/node';
import { createCertificateAuthority, type HttpsReceiverOptions, startHttpsReceiver } from '@partnerkit/testing';
import { onTestFinished } from 'vitest';

export const authority = await createCertificateAuthority();
/** For the name and the address that the tests use. */
const issued = await authority.issue({ names: ['partner.test'], addresses: ['127.0.0.1', '::ffff:127.0.0.1'] });

let createSender = httpsSender;
/** Has the tests of this file make another sender, which is held to the same. */
export const useSender = (create: typeof httpsSender): void => {
  createSender = create;
};

/** A sender that may reach loopback and resolves every name to 127.0.0.1, unless told otherwise. */
export const startSender = (options: HttpsSenderOptions = {}) => {
  const lookup = async () => ['127.0.0.1'];
  const sender = createSender({ allow: ['127.0.0.0/8'], ca: authority.certificate, lookup, ...options });
  onTestFinished(() => sender.close());
  return sender;
};

export const post = (url: string, more: Partial<DeliveryRequest> = {}): DeliveryRequest => ({
  url,
  headers: { 'content-type': 'application/json' },
  body: '{}',
  deadline: 5_000,
  ...more,
});

export const startReceiver = async (options: Partial<HttpsReceiverOptions> = {}) => {
  const receiver = await startHttpsReceiver({ ...issued, ...options });
  onTestFinished(() => receiver.close());
  return { ...receiver, url: `https://partner.test:${receiver.port}/hook` };
};

const listen = async (server: Server) => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { server, port, url: `https://partner.test:${port}/hook` };
};

/** A server that speaks bytes of its own over TLS. */
export const startTls = (onSocket: (socket: Socket) => void, options: TlsOptions = {}) =>
  listen(createTlsServer({ ...issued, ...options }, (socket) => onSocket(socket.on('error', () => {}))));

/** A server that answers the first request with `bytes`, and keeps the socket open. */
export const startTlsAnswer = (bytes: string) => startTls((socket) => socket.once('data', () => socket.write(bytes)));

/** A server below TLS. */
export const startTcp = (onSocket: (socket: Socket) => void) => listen(createServer(onSocket));
