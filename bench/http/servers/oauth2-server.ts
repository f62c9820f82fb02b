import { hash, timingSafeEqual } from 'node:crypto';
import OAuth2Server from '@node-oauth/oauth2-server';
import express from 'express';
import { postOf, serveHttp } from '../served.ts';
import { issue, publicJwk } from './hand-written.ts';
import { listen } from './listen.ts';

const client = { id: 'benchmark', grants: ['client_credentials'], digest: hash('sha256', 'secret', 'buffer') };

/** The host writes its model; ours stores no token, because a signed one needs none. */
serveHttp(async () => {
  const server = new OAuth2Server({
    model: {
      getClient: async (id, secret) =>
        id === client.id && timingSafeEqual(hash('sha256', secret, 'buffer'), client.digest) ? client : undefined,
      getUserFromClient: async ({ id }) => ({ id }),
      validateScope: async (_user, _client, scope) => scope ?? ['USER'],
      generateAccessToken: async ({ id }) => issue(id),
      saveToken: async (token, its, user) => ({ ...token, client: its, user }),
      getAccessToken: async () => undefined,
    },
  });
  const app = express();
  app.post('/token', express.urlencoded({ limit: '8kb' }), async (request, response) => {
    const answer = new OAuth2Server.Response(response);
    await server.token(new OAuth2Server.Request(request), answer);
    response
      .set(answer.headers)
      .status(answer.status ?? 500)
      .json(answer.body);
  });
  const login = { client_id: client.id, client_secret: 'secret', grant_type: 'client_credentials', scope: 'USER' };
  return { port: await listen(app), login: postOf('/token', 'form', login), keys: [publicJwk] };
});
