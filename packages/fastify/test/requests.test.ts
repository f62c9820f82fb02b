import type { AddressInfo } from 'node:net';
import { requestsHttpSuite } from '@partnerkit/testing';
import fastify from 'fastify';
import { test } from 'vitest';
import { fastifyRoutes } from '../src/index.ts';

requestsHttpSuite({
  test,
  start: async (routes) => {
    const app = fastify({ forceCloseConnections: true });
    await app.register(fastifyRoutes, { routes });
    await app.listen({ host: '127.0.0.1', port: 0 });
    return { port: (app.server.address() as AddressInfo).port, close: () => app.close() };
  },
});
