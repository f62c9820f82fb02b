import { hash } from 'node:crypto';
import { oauthProvider } from '@better-auth/oauth-provider';
import { type BetterAuthPlugin, betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { toNodeHandler } from 'better-auth/node';
import { jwt } from 'better-auth/plugins';
import { postOf, serveHttp } from '../served.ts';
import { issuer } from './hand-written.ts';
import { listen } from './listen.ts';

const tables = ['user', 'session', 'account', 'verification', 'jwks', 'oauthClient', 'oauthAccessToken'];
const more = ['oauthRefreshToken', 'oauthConsent', 'oauthResource', 'oauthClientResource', 'oauthClientAssertion'];

serveHttp(async () => {
  const provider = oauthProvider({
    loginPage: '/login',
    consentPage: '/consent',
    scopes: ['USER'],
    resources: [issuer],
    enforcePerClientResources: false,
    storeClientSecret: { hash: async (secret) => hash('sha256', secret, 'hex') },
    silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
  });
  const auth = betterAuth({
    baseURL: issuer,
    secret: 'a benchmark has no secret that is worth keeping',
    database: memoryAdapter(Object.fromEntries([...tables, ...more].map((table) => [table, []]))),
    rateLimit: { enabled: false },
    // Its types are not made for `exactOptionalPropertyTypes`.
    plugins: [jwt({ jwks: { keyPairConfig: { alg: 'ES256' } } }), provider as unknown as BetterAuthPlugin],
  });
  const { adapter } = await auth.$context;
  await adapter.create({
    model: 'oauthClient',
    data: {
      clientId: 'benchmark',
      clientSecret: hash('sha256', 'secret', 'hex'),
      disabled: false,
      redirectUris: [],
      grantTypes: ['client_credentials'],
      tokenEndpointAuthMethod: 'client_secret_post',
      clientCredentialsScopes: ['USER'],
      createdAt: new Date(),
      updatedAt: new Date(),
    },
  });
  const client = { client_id: 'benchmark', client_secret: 'secret' };
  const login = { ...client, grant_type: 'client_credentials', scope: 'USER', resource: issuer };
  const { keys } = await auth.api.getJwks();
  const port = await listen(toNodeHandler(auth));
  return { port, login: postOf('/api/auth/oauth2/token', 'form', login), keys };
});
