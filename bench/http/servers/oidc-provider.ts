import { generateRingKey } from '@partnerkit/node/jose';
import { type JWK, Provider } from 'oidc-provider';
import { postOf, publicPart, serveHttp } from '../served.ts';
import { issuer } from './hand-written.ts';
import { listen } from './listen.ts';

serveHttp(async () => {
  const jwt = { sign: { alg: 'ES256' } } as const;
  const resource = { scope: 'USER', audience: issuer, accessTokenFormat: 'jwt', jwt } as const;
  const key = await generateRingKey();
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'benchmark',
        client_secret: 'secret',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: 'ES256',
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [key as JWK] },
    scopes: ['USER'],
    ttl: { ClientCredentials: 30 * 24 * 3_600 },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => issuer,
        getResourceServerInfo: async () => resource,
      },
    },
  });
  const login = { client_id: 'benchmark', client_secret: 'secret', grant_type: 'client_credentials', scope: 'USER' };
  const port = await listen(provider.callback());
  return { port, login: postOf('/token', 'form', login), keys: [publicPart(key)] };
});
