import { beforeEach, describe, expect, test } from 'vitest';
import { assertionType, claimsOf, type Platform, pairOf, sign, startPlatform, tokenOf } from './support/platform.ts';

let platform: Platform;
let own: { readonly client_id: string; readonly client_secret: string };
let token: string;
const addSecretClient = async (accountId: string) => {
  const { client, secret } = (await platform.kit.clients.create(accountId, { name: 'Key' }))._unsafeUnwrap();
  return { client_id: client.id, client_secret: secret };
};
beforeEach(async () => {
  platform = await startPlatform();
  own = await addSecretClient('acc_a');
  token = tokenOf(await platform.logIn(own));
});

test('golden: a client revokes its token, and no other one', async () => {
  const other = tokenOf(await platform.logIn(own));
  platform.signals.length = 0;
  const response = await platform.revoke({ ...own, token });
  expect(response).toEqual({
    status: 200,
    headers: expect.objectContaining({ 'cache-control': 'no-store' }),
    body: '',
  });
  expect([await platform.me(token), await platform.me(other)]).toEqual([401, 200]);
  const by = { type: 'client', id: own.client_id };
  expect(platform.signals).toContainEqual(
    expect.objectContaining({
      kind: 'client',
      change: 'token_revoked',
      accountId: 'acc_a',
      clientId: own.client_id,
      by,
    }),
  );
  expect((await platform.logIn(own)).status).toBe(200);
});

test('by HTTP Basic, and by private_key_jwt', async () => {
  const { client_id, client_secret } = own;
  const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
  expect((await platform.revoke({ token }, { authorization })).status).toBe(200);
  expect(await platform.me(token)).toBe(401);
  const pair = await pairOf('ES256');
  const clientId = await platform.addClient([pair.publicJwk]);
  const second = tokenOf(await platform.present(await sign(pair, claimsOf(clientId))));
  const client_assertion = await sign(pair, claimsOf(clientId));
  const form = { token: second, client_assertion, client_assertion_type: assertionType };
  expect((await platform.revoke({ ...form, token_type_hint: 'access_token' })).status).toBe(200);
  expect(await platform.me(second)).toBe(401);
  expect((await platform.revoke(form)).status).toBe(401);
  expect((await platform.present(client_assertion)).status).toBe(401);
});

describe('200 that revokes nothing (RFC 7009 §2.2)', () => {
  test('the token of another client, in the same account or in another', async () => {
    for (const accountId of ['acc_a', 'acc_b']) {
      const stranger = await addSecretClient(accountId);
      expect((await platform.revoke({ ...stranger, token })).status).toBe(200);
      expect(await platform.me(token)).toBe(200);
    }
  });

  test.each(['unknown', 'a.b.c', 'é', '\u0000', 'x'.repeat(5_000)])('the token %j', async (unknown) => {
    expect((await platform.revoke({ ...own, token: unknown })).status).toBe(200);
    expect(await platform.me(token)).toBe(200);
  });

  test('a token that is revoked already', async () => {
    for (let count = 0; count < 2; count++) expect((await platform.revoke({ ...own, token })).status).toBe(200);
  });
});

describe('refused', () => {
  test.each([
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['an unknown client', { client_id: '0195c1a0-0000-7000-8000-000000000001' }, 401, 'invalid_client'],
    ['no secret', { client_secret: '' }, 400, 'invalid_request'],
    ['no client_id', { client_id: '' }, 400, 'invalid_request'],
    ['no token', { token: '' }, 400, 'invalid_request'],
  ])('%s', async (_name, form, status, error) => {
    const response = await platform.revoke({ ...own, token, ...form });
    expect([response.status, JSON.parse(response.body).error]).toEqual([status, error]);
    expect(await platform.me(token)).toBe(200);
  });

  test('a token as the authentication', async () => {
    const response = await platform.revoke({ token }, { authorization: `Bearer ${token}` });
    expect([response.status, JSON.parse(response.body).error]).toEqual([400, 'invalid_request']);
  });

  test('failed authentications count with those of the login', async () => {
    for (let count = 0; count < 10; count++) await platform.revoke({ ...own, token, client_secret: 'wrong' });
    expect((await platform.logIn({ ...own, client_secret: 'wrong' })).status).toBe(429);
    expect((await platform.revoke({ ...own, token })).status).toBe(200);
  });
});
