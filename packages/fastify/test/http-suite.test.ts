import type { AddressInfo } from 'node:net';
import { createReceiver, memorySeenKeys } from '@partnerkit/receiver';
import { httpSuite } from '@partnerkit/testing';
import fastify from 'fastify';
import { test } from 'vitest';
import { fastifyRoutes } from '../src/index.ts';

const undecodable = { status: 400, reason: 'the router decodes the path before any route is chosen' };

httpSuite({
  test,
  receiver: ({ path, ...options }) => createReceiver({ ...options, seen: memorySeenKeys(), on: {} }).route(path),
  start: async (routes) => {
    const app = fastify({ forceCloseConnections: true });
    await app.register(fastifyRoutes, { routes });
    await app.listen({ host: '127.0.0.1', port: 0 });
    return { port: (app.server.address() as AddressInfo).port, close: () => app.close() };
  },
  deviations: {
    'a percent-encoding that is none': undecodable,
    'a percent-encoding that is not UTF-8': undecodable,
  },
});
