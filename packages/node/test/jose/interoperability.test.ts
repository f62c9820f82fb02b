import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPartnerkit, type HttpResponse, type Partnerkit, type RequestBody } from '@partnerkit/core';
import { memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { decodeJwt } from 'jose';
import { allowInsecureRequests, validateJwtAccessToken } from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { joseAccessTokens } from '../../src/jose/index.ts';
import { audience, issuer } from '../tokens/support/ring.ts';
import { algorithms, keyOf, publicPart } from './support/ring.ts';

const accountId = 'acc_own';

const ask = (
  kit: Pick<Partnerkit<object, never>, 'routes'>,
  path: string,
  request: { readonly method: string; readonly headers?: Record<string, string>; readonly body?: RequestBody },
): Promise<HttpResponse> => {
  const route = kit.routes.find(
    (candidate) => candidate.path === path.replace(/(?<=organisations\/)[^/]+/, ':organisationId'),
  );
  if (!route) throw new Error(`No route ${path}`);
  return route.handle({ headers: {}, body: new Uint8Array(), target: path, ...request });
};

describe.each(algorithms)('a platform that signs with %s', (alg) => {
  const server = createServer();
  let jwksUri: string;
  let token: string;
  let kit: Partnerkit<object, never>;

  beforeAll(async () => {
    const keys = [await keyOf(alg), publicPart(await keyOf('ES256', 'old'))] as const;
    kit = createPartnerkit({
      accounts: memoryAccounts([{ id: accountId, name: 'Hôtel', status: 'active', environment: 'prod' }]),
      storage: memoryStorage(),
      tokens: await joseAccessTokens({ keys, issuer, audience }),
      sender: memorySender(),
      advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] },
      objects: [],
    });
    server.on('request', async ({ method = '', url = '' }, response) => {
      const { status, headers, body } = await ask(kit, url, { method });
      response.writeHead(status, headers).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    jwksUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/partner/jwks.json`;

    const added = (await kit.clients.create(accountId, { name: 'Booking system' }))._unsafeUnwrap();
    const login = await ask(kit, '/api/v1/partner/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(
        JSON.stringify({
          client_id: added.client.id,
          client_secret: added.secret,
          grant_type: 'client_credentials',
          scope: 'USER',
        }),
      ),
    });
    expect(login.status).toBe(200);
    token = JSON.parse(login.body).access_token;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const validate = (presented: string, options: { readonly iss?: string; readonly aud?: string } = {}) =>
    validateJwtAccessToken(
      { issuer: options.iss ?? issuer, jwks_uri: jwksUri },
      new Request(audience, { headers: { authorization: `Bearer ${presented}` } }),
      options.aud ?? audience,
      { [allowInsecureRequests]: true },
    );

  test('a resource server that knows only RFC 9068 and the key address takes its tokens', async () => {
    const claims = await validate(token);
    expect(claims).toMatchObject({
      iss: issuer,
      aud: audience,
      scope: 'USER',
      account: accountId,
      environment: 'prod',
    });
    expect(claims.sub).toBe(claims.client_id);
    expect(claims.exp - claims.iat).toBe(30 * 24 * 3_600);
  });

  test('and refuses them for another issuer, another audience, or when they were changed', async () => {
    await expect(validate(token, { iss: 'https://other.example' })).rejects.toThrow();
    await expect(validate(token, { aud: 'https://other.example' })).rejects.toThrow();
    const [header, , signature] = token.split('.');
    const changed = Buffer.from(JSON.stringify({ ...decodeJwt(token), account: 'acc_other' })).toString('base64url');
    await expect(validate([header, changed, signature].join('.'))).rejects.toThrow();
  });

  test('its own routes take them', async () => {
    const path = `/api/v1/partner/organisations/${accountId}/me`;
    const answer = await ask(kit, path, { method: 'GET', headers: { authorization: `Bearer ${token}` } });
    expect(JSON.parse(answer.body)).toEqual({ id: accountId, name: 'Hôtel', status: 'active', environment: 'prod' });
  });
});
