import { randomBytes } from 'node:crypto';
import { type Account, createPartnerkit } from '@partnerkit/core';
import { memorySender, memoryStorage } from '@partnerkit/core/memory';
import { expressRouter } from '@partnerkit/express';
import { fastifyRoutes } from '@partnerkit/fastify';
import { generateRingKey, joseAccessTokens } from '@partnerkit/node/jose';
import express from 'express';
import { fastify } from 'fastify';
import { organisation } from '../checks.ts';
import { getOf, logIn, postOf, publicPart, serveHttp } from '../served.ts';
import { issuer } from './hand-written.ts';
import { listen, portOf } from './listen.ts';

const organisations = new Map<string, Account>([[organisation.id, organisation]]);

/** Ours, as a host mounts it. */
serveHttp(async (framework: 'fastify' | 'express') => {
  const key = await generateRingKey();
  const kit = createPartnerkit({
    accounts: { find: (id) => organisations.get(id) },
    storage: memoryStorage(),
    tokens: await joseAccessTokens({ keys: [key], issuer, audience: issuer }),
    sender: memorySender(),
    advanced: { sealingKeys: [{ id: 'k1', key: randomBytes(32) }] },
    objects: [],
  });
  const mount = {
    fastify: async (): Promise<number> => {
      const app = fastify();
      await app.register(fastifyRoutes, { routes: kit.routes });
      await app.listen({ port: 0, host: '127.0.0.1' });
      return portOf(app.server);
    },
    express: (): Promise<number> => {
      const app = express();
      app.use(expressRouter(kit.routes));
      return listen(app);
    },
  };
  const port = await mount[framework]();
  const added = await kit.clients.create(organisation.id, { name: 'Benchmark' });
  const { client, secret } = added._unsafeUnwrap();
  const credentials = { client_id: client.id, client_secret: secret };
  const login = postOf('/api/v1/partner/login', 'json', {
    ...credentials,
    grant_type: 'client_credentials',
    scope: 'USER',
  });
  const me = getOf(`/api/v1/partner/organisations/${organisation.id}/me`, await logIn(port, login));
  return { port, login, me, keys: [publicPart(key)] };
});
