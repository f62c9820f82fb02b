import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { expressRouter } from '@partnerkit/express';
import express from 'express';
import { opened } from './opened.js';
import type { Listen } from './platform.js';

export const listen: Listen = (routes, tls) => {
  const app = express();
  app.use(expressRouter(routes));
  return opened(tls ? createTlsServer(tls, app) : createServer(app));
};
