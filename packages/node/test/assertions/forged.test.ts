import { exportJWK } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
// The corpus of attacks, from where it lies: hosts get it as requests.
import type { AssertionForgery } from '../../../conformance/src/attacks/forge-assertion.ts';
import { forgedAssertions } from '../../../conformance/src/attacks/forged-assertions.ts';
import {
  adapters,
  claimsOf,
  issuer,
  type Pair,
  type Platform,
  pairOf,
  sign,
  startPlatform,
  tokenOf,
} from './support/platform.ts';

/** The private key of a pair, as a forger has it. */
const privateJwk = async ({ privateKey, publicJwk, alg }: Pair): Promise<AssertionForgery['key']> => ({
  ...(await exportJWK(privateKey)),
  ...{ kid: publicJwk.kid ?? '', alg },
});

describe.each(adapters)('%s', (_adapter, make) => {
  let platform: Platform;
  let own: Pair;
  let keys: Parameters<Platform['addClient']>[0];
  let forgery: AssertionForgery;
  let golden: Awaited<ReturnType<Platform['logIn']>>;
  beforeAll(async () => {
    const unlimited = { points: 1_000_000, window: 1_000 };
    platform = await startPlatform({
      tokens: await make(),
      limits: { failedLogins: { perAddress: unlimited, perClientAndAddress: unlimited } },
    });
    const { addClient, present, logIn } = platform;
    own = await pairOf('ES256', { kid: 'own' });
    const [rsa, stranger] = [await pairOf('RS256', { kid: 'rsa' }), await pairOf('ES256', { kid: 'stranger' })];
    keys = [own.publicJwk, rsa.publicJwk];
    const clientId = await addClient(keys);
    forgery = {
      ...{ clientId, otherId: await addClient([stranger.publicJwk], 'acc_b'), audience: issuer },
      ...{ key: await privateJwk(own), rsa: await privateJwk(rsa), stranger: await privateJwk(stranger) },
      token: tokenOf(await present(await sign(own, claimsOf(clientId)))),
    };
    golden = await logIn({ client_id: clientId, client_secret: 'wrong' });
  });

  test.each(Object.entries(forgedAssertions))('%s: refused as a wrong secret is', async (_name, [reason, forge]) => {
    const { addClient, present, refusalOf } = platform;
    const clientId = await addClient(keys);
    expect(await present(forge({ ...forgery, clientId }))).toEqual(golden);
    expect(golden.status).toBe(401);
    expect(await refusalOf(clientId)).toBe(reason === 'none' ? undefined : reason);
    expect((await present(await sign(own, claimsOf(clientId)))).status).toBe(200);
  });
});

describe('credentials in two ways', () => {
  test.each([
    ['a secret', { client_secret: 'secret' }, 400, 'invalid_request'],
    [
      'another type',
      { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer' },
      401,
      'invalid_client',
    ],
    ['no type', { client_assertion_type: '' }, 400, 'invalid_request'],
    ['another client_id', { client_id: '0195c1a0-0000-7000-8000-000000000001' }, 401, 'invalid_client'],
  ])('%s beside an assertion', async (_name, form, status, error) => {
    const platform = await startPlatform();
    const own = await pairOf('ES256');
    const response = await platform.present(await sign(own, claimsOf(await platform.addClient([own.publicJwk]))), form);
    expect([response.status, JSON.parse(response.body).error]).toEqual([status, error]);
  });
});
