import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { createPartnerkit, type Route } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { manualClock } from '@partnerkit/testing';
import { exchange } from '../support/exchange.ts';
import type { StartedServer } from '../support/started-server.ts';

const basePath = '/api/v1/partner';
const accounts = [{ id: 'org_main', name: 'Main', status: 'active', environment: 'prod' }] as const;

/** The network of the suite's own requests, and one that sends none (RFC 5737). */
const [here, elsewhere] = ['127.0.0.0/8', '203.0.113.0/24'];
/** An address of `elsewhere`. */
const forged = '203.0.113.7';

/** Headers by which a caller could name another address. None is read unless the host says so. */
const forgedHeaders: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>> = {
  'X-Forwarded-For': { 'x-forwarded-for': forged },
  'X-Forwarded-For, leftmost': { 'x-forwarded-for': `${forged}, 127.0.0.1` },
  'X-Forwarded-For, rightmost': { 'x-forwarded-for': `127.0.0.1, ${forged}` },
  'X-Forwarded-For twice': { 'x-forwarded-for': ['127.0.0.1', forged] },
  'X-Forwarded-For with a port': { 'x-forwarded-for': `${forged}:443` },
  'X-Forwarded-For with a mapped address': { 'x-forwarded-for': `::ffff:${forged}` },
  'X-Forwarded-For with a zone': { 'x-forwarded-for': `[::ffff:${forged}%eth0]:443` },
  'X-Real-IP': { 'x-real-ip': forged },
  Forwarded: { forwarded: `for=${forged};proto=https;by=127.0.0.1` },
  'Forwarded, quoted': { forwarded: `for="[::ffff:${forged}]:443", for=127.0.0.1` },
  'CF-Connecting-IP and True-Client-IP': { 'cf-connecting-ip': forged, 'true-client-ip': forged },
  'X-Client-IP and X-Cluster-Client-IP': { 'x-client-ip': forged, 'x-cluster-client-ip': forged },
};

const createWorld = () => {
  const clock = manualClock();
  const kit = createPartnerkit({
    accounts: memoryAccounts(accounts),
    storage: memoryStorage({ clock }),
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    api: { trustRemoteAddress: true },
    oauth: { revocationDelay: 0 },
    objects: [],
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }], clock },
  });
  return { kit, clock };
};

type Headers = Readonly<Record<string, string | readonly string[]>>;

/** One platform with one key. */
const open = async (start: (routes: readonly Route[]) => Promise<StartedServer>, input: object = {}) => {
  const { kit, clock } = createWorld();
  const { client, secret } = (await kit.clients.create('org_main', { name: 'Key', ...input }))._unsafeUnwrap();
  const server = await start(kit.routes);
  const body = { grant_type: 'client_credentials', client_id: client.id, client_secret: secret, scope: 'USER' };
  const logIn = async (headers: Headers = {}) => {
    const answer = await exchange(server.port, {
      method: 'POST',
      target: `${basePath}/login`,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { ...JSON.parse(answer.body), status: answer.status };
  };
  const ask = async (token: string, headers: Headers = {}) => {
    const answer = await exchange(server.port, {
      method: 'GET',
      target: `${basePath}/organisations/org_main/me`,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    return { ...JSON.parse(answer.body), status: answer.status };
  };
  const limit = async (change: object) => (await kit.clients.update('org_main', client.id, change))._unsafeUnwrap();
  const refusal = async () => (await kit.clients.find('org_main', client.id))._unsafeUnwrap().lastRefusal?.reason;
  return { clock, logIn, ask, limit, refusal, close: () => server.close() };
};

/** What the tests of limits need. */
interface LimitsSuiteOptions {
  readonly test: (name: string, run: () => Promise<void>) => void;
  readonly start: (routes: readonly Route[]) => Promise<StartedServer>;
}

/** Asserts the limits of API keys as an adapter serves them: the address of the caller, and the end of a key. */
export const limitsSuite = ({ test, start }: LimitsSuiteOptions): void => {
  for (const [name, headers] of Object.entries(forgedHeaders))
    test(`the address of a caller is not that of a forged header: ${name}`, async () => {
      const { logIn, ask, limit, refusal, close } = await open(start, { networks: [here] });
      const granted = await logIn(headers);
      strictEqual(granted.status, 200);
      strictEqual((await ask(granted.access_token, headers)).status, 200);
      await limit({ networks: [elsewhere] });
      const refused = await logIn(headers);
      deepStrictEqual([refused.status, refused.error], [401, 'invalid_client']);
      strictEqual(await refusal(), 'address_not_allowed');
      const { status, code } = await ask(granted.access_token, headers);
      deepStrictEqual([status, code], [403, 'address_not_allowed']);
      await close();
    });

  test('a token ends with its key, and says so', async () => {
    const { clock, logIn, ask, limit, refusal, close } = await open(start);
    await limit({ expiresAt: clock.now() + 90_000 });
    const { access_token, expires_in } = await logIn();
    strictEqual(expires_in, 90);
    await clock.pass(89_999);
    strictEqual((await ask(access_token)).status, 200);
    await clock.pass(1);
    strictEqual((await ask(access_token)).status, 401);
    strictEqual((await logIn()).status, 401);
    strictEqual(await refusal(), 'expired');
    await close();
  });
};
