import { fastifyRoutes } from '@partnerkit/fastify';
import fastify from 'fastify';
import type { Listen } from './platform.js';

export const listen: Listen = async (routes, tls) => {
  const app = fastify({ forceCloseConnections: true, https: tls ?? null });
  await app.register(fastifyRoutes, { routes });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  return { origin, close: () => app.close() };
};
