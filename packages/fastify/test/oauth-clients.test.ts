import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { ClientCredentials, type ModuleOptions } from 'simple-oauth2';
import { describe, expect, test } from 'vitest';
import {
  addClient,
  type Credentials,
  type Host,
  loginPath,
  memoryKit,
  mePath,
  own,
  startHost,
} from './support/host.ts';

const start = async () => {
  const kit = memoryKit();
  const host = await startHost({ kit });
  return { host, credentials: await addClient(kit) };
};

const assertTokenWorks = async (host: Host, token: unknown): Promise<void> => {
  const me = await fetch(host.origin + mePath(own.id), { headers: { authorization: `Bearer ${token}` } });
  expect(await me.json()).toMatchObject({ id: own.id, name: own.name });
};

describe('oauth4webapi', () => {
  const insecure = { [oauth.allowInsecureRequests]: true };
  const grant = async (
    { origin }: Host,
    { client_id }: Credentials,
    auth: oauth.ClientAuth,
    parameters: Record<string, string> = { scope: 'USER' },
  ) => {
    const as = { issuer: origin, token_endpoint: origin + loginPath };
    const response = await oauth.clientCredentialsGrantRequest(as, { client_id }, auth, parameters, insecure);
    return oauth.processClientCredentialsResponse(as, { client_id }, response);
  };
  const mechanisms = [
    ['ClientSecretBasic', oauth.ClientSecretBasic],
    ['ClientSecretPost', oauth.ClientSecretPost],
  ] as const;

  test.each(mechanisms)('%s: gets a token and uses it', async (_name, mechanism) => {
    const { host, credentials } = await start();
    const response = await grant(host, credentials, mechanism(credentials.client_secret));
    expect(response).toEqual({ token_type: 'bearer', expires_in: 2_592_000, access_token: expect.any(String) });
    const me = await oauth.protectedResourceRequest(
      response.access_token,
      'GET',
      new URL(host.origin + mePath(own.id)),
      undefined,
      undefined,
      insecure,
    );
    expect(await me.json()).toMatchObject({ id: own.id });
  });

  test('reads the error: without a scope, and with a wrong secret', async () => {
    const { host, credentials } = await start();
    const [basic, post] = [oauth.ClientSecretBasic('wrong'), oauth.ClientSecretPost('wrong')];
    await expect(grant(host, credentials, oauth.ClientSecretPost(credentials.client_secret), {})).rejects.toMatchObject(
      {
        code: oauth.RESPONSE_BODY_ERROR,
        error: 'invalid_scope',
        status: 400,
      },
    );
    for (const way of [post, basic])
      await expect(grant(host, credentials, way)).rejects.toMatchObject({
        code: oauth.WWW_AUTHENTICATE_CHALLENGE,
        status: 401,
        cause: [{ scheme: 'basic', parameters: { realm: 'partner' } }],
      });
  });

  test('reads the challenge of a refused token', async () => {
    const { host } = await start();
    const url = new URL(host.origin + mePath(own.id));
    await expect(
      oauth.protectedResourceRequest('wrong', 'GET', url, undefined, undefined, insecure),
    ).rejects.toMatchObject({
      code: oauth.WWW_AUTHENTICATE_CHALLENGE,
      cause: [{ scheme: 'bearer', parameters: { realm: 'partner', error: 'invalid_token' } }],
    });
  });
});

describe('openid-client', () => {
  const configure = ({ origin }: Host, { client_id, client_secret }: Credentials, auth?: openid.ClientAuth) => {
    const server = { issuer: origin, token_endpoint: origin + loginPath };
    const configuration = new openid.Configuration(server, client_id, client_secret, auth);
    openid.allowInsecureRequests(configuration);
    return configuration;
  };

  test.each([
    ['its default', () => undefined],
    ['ClientSecretBasic', openid.ClientSecretBasic],
    ['ClientSecretPost', openid.ClientSecretPost],
  ] as const)('%s: gets a token and uses it', async (_name, mechanism) => {
    const { host, credentials } = await start();
    const configuration = configure(host, credentials, mechanism(credentials.client_secret));
    const tokens = await openid.clientCredentialsGrant(configuration, { scope: 'USER' });
    expect(tokens.expiresIn()).toBeGreaterThan(2_591_990);
    const url = new URL(host.origin + mePath(own.id));
    const me = await openid.fetchProtectedResource(configuration, tokens.access_token, url, 'GET');
    expect(await me.json()).toMatchObject({ id: own.id });
  });

  test('reads the error of a refusal', async () => {
    const { host, credentials } = await start();
    const configuration = configure(host, { ...credentials, client_secret: 'wrong' });
    await expect(openid.clientCredentialsGrant(configuration, { scope: 'USER' })).rejects.toMatchObject({
      code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
      status: 401,
    });
    await expect(openid.clientCredentialsGrant(configure(host, credentials))).rejects.toMatchObject({
      error: 'invalid_scope',
    });
  });
});

describe('simple-oauth2', () => {
  const clientOf = ({ origin }: Host, { client_id, client_secret }: Credentials, options?: ModuleOptions['options']) =>
    new ClientCredentials({
      client: { id: client_id, secret: client_secret },
      auth: { tokenHost: origin, tokenPath: loginPath },
      ...(options ? { options } : {}),
    });

  test.each([
    ['its defaults', undefined],
    ['JSON with the credentials in it', { bodyFormat: 'json', authorizationMethod: 'body' }],
    ['JSON and Basic', { bodyFormat: 'json', authorizationMethod: 'header' }],
    ['a form with the credentials in it', { bodyFormat: 'form', authorizationMethod: 'body' }],
  ] satisfies [string, ModuleOptions['options']][])('%s: gets a token and uses it', async (_name, options) => {
    const { host, credentials } = await start();
    const { token } = await clientOf(host, credentials, options).getToken({ scope: 'USER' });
    expect(token).toMatchObject({ token_type: 'Bearer', expires_in: 2_592_000 });
    await assertTokenWorks(host, token['access_token']);
  });

  test('reads the error of a refusal', async () => {
    const { host, credentials } = await start();
    const json = { bodyFormat: 'json', authorizationMethod: 'body' } as const;
    const wrong = clientOf(host, { ...credentials, client_secret: 'wrong' }, json);
    await expect(wrong.getToken({ scope: 'USER' })).rejects.toMatchObject({
      output: { statusCode: 401 },
      data: { payload: { error: 'invalid_client' } },
    });
  });
});
