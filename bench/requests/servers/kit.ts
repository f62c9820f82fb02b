import { randomBytes } from 'node:crypto';
import { type Account, createPartnerkit } from '@partnerkit/core';
import type { Storage } from '@partnerkit/core/adapter';
import { memorySender } from '@partnerkit/core/memory';
import { createRequests, requestObjects } from '@partnerkit/core/requests';
import { fastifyRoutes } from '@partnerkit/fastify';
import { generateRingKey, joseAccessTokens } from '@partnerkit/node/jose';
import { type PgClient, postgresStorage } from '@partnerkit/postgres';
import { fastify } from 'fastify';
import pg from 'pg';
import { organisation } from '../../http/checks.ts';
import { logIn, postOf } from '../../http/served.ts';
import { issuer } from '../../http/servers/hand-written.ts';
import { portOf } from '../../http/servers/listen.ts';
import { book, poolSize, serveRequests } from './served.ts';

const organisations = new Map<string, Account>([[organisation.id, organisation]]);

/** Ours, as a host mounts it. */
serveRequests(async (connectionString) => {
  const pool = new pg.Pool({ connectionString, max: poolSize });
  const storage = postgresStorage(pool) as Storage<PgClient & pg.ClientBase>;
  const kit = createPartnerkit({
    accounts: { find: (id) => organisations.get(id) },
    storage,
    tokens: await joseAccessTokens({ keys: [await generateRingKey()], issuer, audience: issuer }),
    sender: memorySender(),
    advanced: { sealingKeys: [{ id: 'k1', key: randomBytes(32) }] },
    objects: requestObjects,
  });
  const requests = createRequests({
    kit,
    onCommand: async ({ after, command, tx }) => {
      await tx.query(book(after.id, command));
    },
  });
  const app = fastify();
  await app.register(fastifyRoutes, { routes: [...kit.routes, ...requests.routes] });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const port = portOf(app.server);

  const { client, secret } = (await kit.clients.create(organisation.id, { name: 'Benchmark' }))._unsafeUnwrap();
  const login = { client_id: client.id, client_secret: secret, grant_type: 'client_credentials', scope: 'USER' };
  const token = await logIn(port, postOf('/api/v1/partner/login', 'json', login));
  return { port, path: `/api/v1/partner/organisations/${organisation.id}/payment-requests`, token };
});
