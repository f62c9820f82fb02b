import type { AddressInfo } from 'node:net';
import type { Route } from '@partnerkit/core';
import fastify from 'fastify';
import { fastifyRoutes } from '../../src/index.ts';

/** A host on Fastify with these routes, on a port of its own. */
export const serve = async (routes: readonly Route[]) => {
  const app = fastify({ forceCloseConnections: true });
  await app.register(fastifyRoutes, { routes });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { port: (app.server.address() as AddressInfo).port, close: () => app.close() };
};
