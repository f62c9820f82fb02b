import { fastify } from 'fastify';
import { serveHttp } from '../served.ts';
import { loginAnswer, loginBytes, loginHeaders, meAnswer, mePath, noStore, servedAt } from './hand-written.ts';
import { portOf } from './listen.ts';

serveHttp(async () => {
  const app = fastify();
  app.post('/login', { bodyLimit: loginBytes }, async (request, reply) => {
    const answer = loginAnswer(request.body);
    return answer ? reply.headers(loginHeaders).send(answer) : reply.code(401).send();
  });
  app.get<{ Params: { organisationId: string } }>(mePath, async (request, reply) => {
    const answer = meAnswer(request.headers.authorization, request.params.organisationId);
    return answer ? reply.headers(noStore).send(answer) : reply.code(401).send();
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return servedAt(portOf(app.server));
});
