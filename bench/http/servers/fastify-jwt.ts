import fastifyJwt from '@fastify/jwt';
import { fastify } from 'fastify';
import { serveHttp } from '../served.ts';
import { type Claims, issuer, mePath, meRequest, noStore, publicPem, reached } from './hand-written.ts';
import { portOf } from './listen.ts';

/** With the default settings, or with its cache. */
serveHttp(async (cache: unknown) => {
  const app = fastify();
  await app.register(fastifyJwt, {
    secret: { public: publicPem, private: '' },
    verify: { algorithms: ['ES256'], allowedIss: issuer, allowedAud: issuer, cache: cache === 'cache' },
  });
  app.get<{ Params: { organisationId: string } }>(mePath, async (request, reply) => {
    const answer = reached(await request.jwtVerify<Claims>(), request.params.organisationId);
    return answer ? reply.headers(noStore).send(answer) : reply.code(404).send();
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { port: portOf(app.server), me: meRequest() };
});
