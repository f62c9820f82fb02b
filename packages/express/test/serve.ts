import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Route } from '@partnerkit/core';
import express from 'express';
import { expressRouter } from '../src/index.ts';

/** A host on Express with these routes, on a port of its own. */
export const serve = async (routes: readonly Route[]) => {
  const server = express().use(expressRouter(routes)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
