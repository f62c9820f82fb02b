import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { getRequestListener } from '@hono/node-server';
import { webHandler } from '@partnerkit/web';
import { Hono } from 'hono';
import { opened } from './opened.js';
import type { Listen } from './platform.js';

export const listen: Listen = (routes, tls) => {
  const handle = webHandler(routes);
  const app = new Hono();
  app.use(async (context, next) => (await handle(context.req.raw)) ?? next());
  const listener = getRequestListener(app.fetch);
  return opened(tls ? createTlsServer(tls, listener) : createServer(listener));
};
