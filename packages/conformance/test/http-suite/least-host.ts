import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpResponse, Route } from '@partnerkit/core';
import { mountRoutes, routeFinder, unreadBody } from '@partnerkit/core/adapter';
import type { HttpSuiteOptions } from '../../src/http-suite/http-suite.ts';

/** What is wrong with a host. */
export type Spoil = (response: HttpResponse) => HttpResponse;

/** The least host there is; `spoil` is what is wrong with it. */
export const start =
  (spoil: Spoil = (response) => response): HttpSuiteOptions['start'] =>
  async (routes: readonly Route[]) => {
    const find = routeFinder(mountRoutes(routes));
    const server = createServer(async (incoming, outgoing) => {
      const { method = '', url: target = '', headersDistinct } = incoming;
      const route = find(target);
      if (!route) return outgoing.writeHead(404).end();
      const bodiless = incoming.method === 'GET' || incoming.method === 'HEAD';
      const body = bodiless ? new Uint8Array() : unreadBody(incoming);
      const {
        status,
        headers,
        body: text,
      } = spoil(
        await route.handle({
          method,
          target,
          headers: headersDistinct,
          body,
          remoteAddress: incoming.socket.remoteAddress,
          isClosed: () => incoming.socket.destroyed,
        }),
      );
      return outgoing.writeHead(status, headers).end(text);
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
