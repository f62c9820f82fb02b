import { randomBytes } from 'node:crypto';
import * as core from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memoryStorage } from '@partnerkit/core/memory';
import * as node from '@partnerkit/node';
import { createPartnerkit, generateSigningKey, httpsSender, jwtAccessTokens } from '@partnerkit/node';
import { createCertificateAuthority, startHttpsReceiver } from '@partnerkit/testing';
import { decodeJwt } from 'jose';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';

const origin = 'https://api.platform.example';
const accountId = 'acc_main';
const payment = core.defineObject('RequestPayment', {
  schema: z.object({ id: z.string(), status: z.string() }),
  groups: { summary: ['status'] },
  events: { default: ['summary'] },
});
const given = {
  accounts: memoryAccounts([{ id: accountId, name: 'Hôtel', status: 'active', environment: 'prod' }]),
  secret: randomBytes(32),
  objects: [payment],
} as const;
const options = () => ({ ...given, storage: memoryStorage(), origin });

type Kit = Pick<core.Partnerkit<object, never>, 'routes' | 'clients'>;

/** A login; the token that it returns. */
const login = async (kit: Kit): Promise<string> => {
  const client = (await kit.clients.create(accountId, { name: 'Booking system' }))._unsafeUnwrap();
  const route = kit.routes.find(({ path }) => path.endsWith('/login'));
  const credentials = { client_id: client.client.id, client_secret: client.secret };
  const answer = await route?.handle({
    ...{ method: 'POST', target: route.path, headers: { 'content-type': 'application/json' } },
    body: Buffer.from(JSON.stringify({ ...credentials, grant_type: 'client_credentials', scope: 'USER' })),
  });
  expect(answer?.status).toBe(200);
  return JSON.parse(answer?.body ?? '{}').access_token;
};

test('every export of core is an export of node, and only createPartnerkit is another one', () => {
  const { createPartnerkit: own, ...others } = core;
  expect(node).toMatchObject(others);
  expect(node.createPartnerkit).not.toBe(own);
});

describe('access tokens', () => {
  test('have the origin as issuer and audience', async () => {
    const { iss, aud } = decodeJwt(await login(createPartnerkit(options())));
    expect([iss, aud]).toEqual([origin, origin]);
  });

  test('of the host replace the default ones', async () => {
    const kit = createPartnerkit({ ...given, storage: memoryStorage(), tokens: memoryAccessTokens() });
    expect(await login(kit)).toMatch(/^[A-Za-z0-9]{43}$/);
  });

  test('are signed by a key of the secret; one of the host verifies beside it', async () => {
    const earlier = generateSigningKey();
    const kit = createPartnerkit({
      ...options(),
      tokens: (own) => jwtAccessTokens({ ...own, keys: [...own.keys, earlier] }),
    });
    const [header = ''] = (await login(kit)).split('.');
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
    const jwks = kit.routes.find(({ path }) => path.endsWith('/jwks.json'));
    const answer = await jwks?.handle({ method: 'GET', target: jwks.path, headers: {}, body: new Uint8Array() });
    const published = JSON.parse(answer?.body ?? '{}').keys as readonly { readonly kid: string }[];
    expect(published.map((key) => key.kid)).toEqual([kid, earlier.kid]);
  });
});

describe('the sender', () => {
  test('by default accepts public addresses only', async () => {
    const { endpoints } = createPartnerkit(options());
    const refused = await endpoints.create(accountId, { url: 'https://127.0.0.1/hooks', events: ['payed'] });
    expect(refused._unsafeUnwrapErr()).toMatchObject({ code: 'invalid_input' });
    expect((await endpoints.create(accountId, { url: 'https://8.8.8.8/hooks', events: ['payed'] })).isOk()).toBe(true);
  });

  test('of the host delivers', async () => {
    const authority = await createCertificateAuthority();
    const receiver = await startHttpsReceiver(await authority.issue({ addresses: ['127.0.0.1'] }));
    const sender = httpsSender({ allow: ['127.0.0.0/8'], ca: authority.certificate });
    const kit = createPartnerkit({ ...options(), sender });
    const worker = kit.worker();
    onTestFinished(async () => {
      await worker.stop();
      await sender.close();
      await receiver.close();
    });
    const url = `https://127.0.0.1:${receiver.port}/hooks`;
    (await kit.endpoints.create(accountId, { url, events: ['payed'] }))._unsafeUnwrap();
    const event = {
      accountId,
      objectName: 'RequestPayment',
      type: 'payed',
      data: { id: 'p1', status: 'payed' },
    } as const;
    await kit.events.publish(event, { tx: 'new' });
    worker.start();
    await expect.poll(() => receiver.requests.length, { timeout: 60_000 }).toBe(1);
  });
});

describe('a wrong option throws a TypeError that names it and its remedy', () => {
  const create = (change: object) => () => createPartnerkit({ ...options(), ...change });

  test.each([
    [{ secret: undefined }, /the option secret is missing/],
    [{ origin: undefined }, /the option tokens is a function: call it, or give secret and origin/],
    [{ origin: 'api.platform.example' }, /the option origin must be scheme and host/],
    [{ objects: undefined }, /objects/],
    [{ sender: {} }, /the option sender has no method send/],
    [{ signingKeys: [] }, /there is no option 'signingKeys'/],
  ])('%o', (change, message) => {
    expect(create(change)).toThrow(message);
    expect(create(change)).toThrow(TypeError);
  });

  test('no options at all', () => {
    expect(() => createPartnerkit(undefined as never)).toThrow(TypeError);
  });
});
