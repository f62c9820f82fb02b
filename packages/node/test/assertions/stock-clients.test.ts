import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { describe, expect, test } from 'vitest';
import { pairOf } from './support/platform.ts';
import { listenAsPlatform } from './support/socket.ts';

/** The algorithms that stock clients choose for their keys. */
const algorithms = ['ES256', 'ES384', 'Ed25519', 'RS256', 'PS256'];

describe('oauth4webapi', () => {
  const insecure = { [oauth.allowInsecureRequests]: true };

  test.each(algorithms)('discovers the platform, logs in with %s, and revokes the token', async (alg) => {
    const { issuer, addClient, me } = await listenAsPlatform();
    const pair = await pairOf(alg, { kid: 'mine' });
    const client = { client_id: await addClient([pair.publicJwk]) };
    const discovered = await oauth.discoveryRequest(new URL(issuer), { algorithm: 'oauth2', ...insecure });
    const as = await oauth.processDiscoveryResponse(new URL(issuer), discovered);
    expect(as.token_endpoint_auth_signing_alg_values_supported).toContain(alg);
    const auth = oauth.PrivateKeyJwt({ key: pair.privateKey, kid: 'mine' });
    const scope = { scope: 'USER' };
    const response = await oauth.clientCredentialsGrantRequest(as, client, auth, scope, insecure);
    const { access_token } = await oauth.processClientCredentialsResponse(as, client, response);
    expect(await me(access_token)).toBe(200);
    const revoked = await oauth.revocationRequest(as, client, auth, access_token, insecure);
    expect(await oauth.processRevocationResponse(revoked)).toBeUndefined();
    expect(await me(access_token)).toBe(401);
  });

  test('reads the refusal of another key', async () => {
    const { issuer, addClient } = await listenAsPlatform();
    const [pair, other] = [await pairOf('ES256'), await pairOf('ES256')];
    const client = { client_id: await addClient([pair.publicJwk]) };
    const as = { issuer, token_endpoint: `${issuer}/api/v1/partner/login` };
    const auth = oauth.PrivateKeyJwt(other.privateKey);
    const response = await oauth.clientCredentialsGrantRequest(as, client, auth, { scope: 'USER' }, insecure);
    await expect(oauth.processClientCredentialsResponse(as, client, response)).rejects.toMatchObject({ status: 401 });
  });
});

describe('openid-client', () => {
  test.each(algorithms)('discovers the platform, logs in with %s, and revokes the token', async (alg) => {
    const { issuer, addClient, me } = await listenAsPlatform();
    const pair = await pairOf(alg);
    const clientId = await addClient([pair.publicJwk]);
    const configuration = await openid.discovery(
      new URL(issuer),
      clientId,
      undefined,
      openid.PrivateKeyJwt(pair.privateKey),
      { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
    );
    const { access_token } = await openid.clientCredentialsGrant(configuration, { scope: 'USER' });
    expect(await me(access_token)).toBe(200);
    await openid.tokenRevocation(configuration, access_token);
    expect(await me(access_token)).toBe(401);
  });
});
