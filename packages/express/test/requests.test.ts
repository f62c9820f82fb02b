import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { requestsHttpSuite } from '@partnerkit/testing';
import express from 'express';
import { test } from 'vitest';
import { expressRouter } from '../src/index.ts';

requestsHttpSuite({
  test,
  start: async (routes) => {
    const server = express().use(expressRouter(routes)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return {
      port: (server.address() as AddressInfo).port,
      close: async () => {
        server.closeAllConnections();
        server.close();
      },
    };
  },
});
