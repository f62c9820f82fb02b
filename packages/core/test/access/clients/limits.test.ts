import { describe, expect, test } from 'vitest';
import { day, hour, second } from '../../../src/base/runtime/time.ts';
import { memoryAccessTokens } from '../../../src/stores/memory/access-tokens.ts';
import { start, testClock } from '../../support/clock.ts';
import { call, login, me } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';

type Options = Parameters<typeof platform>[0];
const trusted: Options = { api: { trustRemoteAddress: true } };

const key = async (input: object, options: Options = trusted) => {
  const { clock: _clock, ...others } = options;
  const made = platform({ ...others, clock: testClock() });
  const added = await made.kit.clients.create('acc_a', { name: 'Key', ...input });
  return { ...made, added };
};

/** A key with its login. */
const used = async (input: object, options: Options = trusted) => {
  const { kit, clock, storage, added } = await key(input, options);
  const { client, secret } = added._unsafeUnwrap();
  const logIn = async (remoteAddress = '203.0.113.7') => {
    const response = await login(kit, { client_id: client.id, client_secret: secret }, { remoteAddress });
    return { status: response.status, ...JSON.parse(response.body) };
  };
  const ask = async (token: string, remoteAddress: string | undefined = '203.0.113.7', account = 'acc_a') => {
    const headers = { authorization: `Bearer ${token}` };
    const target = `/api/v1/partner/organisations/${account}/me`;
    const { status, body } = await call(kit, 'GET', target, { headers, remoteAddress });
    return { status, code: JSON.parse(body).code };
  };
  const reason = async () => (await kit.clients.find('acc_a', client.id))._unsafeUnwrap().lastRefusal?.reason;
  return { kit, clock, storage, client, logIn, ask, reason };
};

const rights = ['requests:read'] as const;

describe('a key', () => {
  test('keeps its limits through changes, and loses each with null', async () => {
    const limits = { rights, children: ['acc_child'], networks: ['203.0.113.0/24'], expiresAt: start + day };
    const { kit, added } = await key(limits);
    const { client } = added._unsafeUnwrap();
    expect(client).toMatchObject(limits);
    const renamed = await kit.clients.update('acc_a', client.id, { name: 'Renamed' });
    expect(renamed._unsafeUnwrap()).toMatchObject({ ...limits, name: 'Renamed' });
    const freed = await kit.clients.update('acc_a', client.id, { children: null, networks: null, expiresAt: null });
    for (const field of ['children', 'networks', 'expiresAt'])
      expect(freed._unsafeUnwrap()).not.toHaveProperty([field]);
  });

  test.each<[input: object, pointer: string]>([
    [{ expiresAt: start }, '/expiresAt'],
    [{ expiresAt: start - 1 }, '/expiresAt'],
    [{ expiresAt: start / second + 3_600 }, '/expiresAt'],
    [{ expiresAt: -1 }, '/expiresAt'],
    [{ expiresAt: start + 0.5 }, '/expiresAt'],
    [{ expiresAt: 253_402_300_800_000 }, '/expiresAt'],
    [{ expiresAt: 'tomorrow' }, '/expiresAt'],
    [{ rights, children: 'acc_child' }, '/children'],
    [{ rights, children: [''] }, '/children/0'],
    [{ rights, children: ['acc_child', 'a\nb'] }, '/children/1'],
    [{ rights, children: Array.from({ length: 201 }, (_, index) => `acc_${index}`) }, '/children'],
    [{ networks: [] }, '/networks'],
    [{ networks: ['203.0.113.0/24', '203.0.113.7'] }, '/networks/1'],
    [{ networks: ['::ffff:203.0.113.0/120'] }, '/networks/0'],
    [{ networks: Array.from({ length: 65 }, (_, index) => `10.0.${index}.0/24`) }, '/networks'],
    // An endpoint receives the events of all children.
    [{ children: ['acc_child'] }, '/rights'],
    [{ children: [], rights: ['requests:read', 'webhooks:read'] }, '/rights'],
    [{ children: ['acc_child'], rights: ['events:read'] }, '/rights'],
  ])('with %j is refused at %s', async (input, pointer) => {
    const { added } = await key(input);
    expect(added._unsafeUnwrapErr()).toMatchObject({ code: 'invalid_input', errors: [{ pointer }] });
  });

  test('with children gets no right on webhooks by a later change', async () => {
    const { kit, added } = await key({ children: ['acc_child'], rights });
    const { client } = added._unsafeUnwrap();
    for (const change of [{ rights: null }, { rights: ['webhooks:write' as const] }])
      expect((await kit.clients.update('acc_a', client.id, change))._unsafeUnwrapErr()).toMatchObject({
        code: 'invalid_input',
        errors: [{ pointer: '/rights' }],
      });
    const both = await kit.clients.update('acc_a', client.id, { rights: null, children: null });
    expect(both.isOk()).toBe(true);
    expect((await kit.clients.update('acc_a', client.id, { children: [] }))._unsafeUnwrapErr().code).toBe(
      'invalid_input',
    );
  });

  test('has no networks while the caller is not known', async () => {
    const networks = ['203.0.113.0/24'];
    for (const options of [{}, { api: { trustRemoteAddress: false } }]) {
      const { kit, added } = await key({ networks }, options);
      expect(added._unsafeUnwrapErr()).toMatchObject({ code: 'invalid_input', errors: [{ pointer: '/networks' }] });
      const { client } = (await kit.clients.create('acc_a', { name: 'Key' }))._unsafeUnwrap();
      const changed = await kit.clients.update('acc_a', client.id, { networks });
      expect(changed._unsafeUnwrapErr().message).toContain('api.trustRemoteAddress');
    }
  });
});

describe('the end of a key', () => {
  test('ends its logins and its tokens, at the millisecond', async () => {
    const { clock, logIn, ask, reason } = await used({ expiresAt: start + hour });
    const { access_token, expires_in } = await logIn();
    expect(expires_in).toBe(3_600);
    await clock.advance(hour - 1);
    expect((await ask(access_token)).status).toBe(200);
    await clock.advance(1);
    expect(await ask(access_token)).toEqual({ status: 401, code: 'invalid_token' });
    expect(await logIn()).toMatchObject({ status: 401, error: 'invalid_client' });
    expect(await reason()).toBe('expired');
  });

  test('is before the end of a token that lives longer, and after one that does not', async () => {
    const { clock, logIn } = await used({ expiresAt: start + 90 * day + 1 }, {});
    expect((await logIn()).expires_in).toBe(2_592_000);
    await clock.advance(89 * day);
    expect((await logIn()).expires_in).toBe(86_400);
  });

  test('refuses a login whose token would live for less than a second', async () => {
    const { clock, logIn, ask, reason } = await used({ expiresAt: start + 2 * second + 999 });
    const { access_token, expires_in } = await logIn();
    expect(expires_in).toBe(2);
    await clock.advance(2 * second);
    expect((await logIn()).status).toBe(401);
    expect(await reason()).toBe('expired');
    // The token says so itself.
    expect((await ask(access_token)).status).toBe(401);
  });

  test.each([
    ['warm', 1_000],
    ['cold', 0],
  ])('that is set while a token lives ends it within the staleness (%s cache)', async (_cache, revocationDelay) => {
    const { kit, clock, client, logIn, ask } = await used({}, { oauth: { revocationDelay } });
    const { access_token } = await logIn();
    expect((await ask(access_token)).status).toBe(200);
    const expiresAt = clock.now() + second;
    (await kit.clients.update('acc_a', client.id, { expiresAt }))._unsafeUnwrap();
    expect((await ask(access_token)).status).toBe(200);
    await clock.advance(second);
    expect((await ask(access_token)).status).toBe(401);
    (await kit.clients.update('acc_a', client.id, { expiresAt: null }))._unsafeUnwrap();
    expect((await ask(access_token)).status).toBe(200);
  });
});

describe('the children of a key', () => {
  test.each<[children: readonly string[] | undefined, statuses: readonly number[]]>([
    [undefined, [200, 200, 404, 404]],
    [['acc_child'], [200, 200, 404, 404]],
    [[], [200, 404, 404, 404]],
    [['acc_other'], [200, 404, 404, 404]],
    // Reach stays as it is: a list widens nothing.
    [
      ['acc_child', 'acc_grandchild', 'acc_b'],
      [200, 200, 404, 404],
    ],
  ])('%j: own, child, grandchild and stranger answer %j', async (children, statuses) => {
    const { logIn, ask } = await used(children === undefined ? {} : { children, rights });
    const { access_token } = await logIn();
    const found: number[] = [];
    for (const account of ['acc_a', 'acc_child', 'acc_grandchild', 'acc_b'])
      found.push((await ask(access_token, undefined, account)).status);
    expect(found).toEqual(statuses);
  });

  test.each([
    ['warm', 1_000],
    ['cold', 0],
  ])('lose one while a token lives within the staleness (%s cache)', async (_cache, revocationDelay) => {
    const options = { oauth: { revocationDelay } };
    const { kit, clock, client, logIn, ask } = await used({ children: ['acc_child'], rights }, options);
    const { access_token } = await logIn();
    expect((await ask(access_token, undefined, 'acc_child')).status).toBe(200);
    (await kit.clients.update('acc_a', client.id, { children: [] }))._unsafeUnwrap();
    await clock.advance(revocationDelay);
    expect(await ask(access_token, undefined, 'acc_child')).toEqual({ status: 404, code: 'not_found' });
    expect((await me(kit, access_token)).status).toBe(200);
  });
});

describe('the networks of a key', () => {
  const networks = ['203.0.113.0/24', '2001:db8::/32'];
  test.each<[address: string | undefined, isIn: boolean]>([
    ['203.0.113.7', true],
    ['::ffff:203.0.113.7', true],
    ['64:ff9b::cb00:7107', true],
    ['2001:db8::7', true],
    ['198.51.100.7', false],
    ['2001:db9::7', false],
    [undefined, false],
  ])('admit %s: %s, at login and at each request', async (address, isIn) => {
    const { kit, client, ask, logIn, reason } = await used({ networks });
    const { access_token } = await logIn();
    const answer = await call(kit, 'GET', '/api/v1/partner/organisations/acc_a/me', {
      headers: { authorization: `Bearer ${access_token}` },
      remoteAddress: address,
    });
    expect(answer.status).toBe(isIn ? 200 : 403);
    if (!isIn) expect(JSON.parse(answer.body).code).toBe('address_not_allowed');
    // A foreign account tells nothing from elsewhere.
    expect((await ask(access_token, '198.51.100.7', 'acc_b')).status).toBe(403);
    const other = await logIn(address ?? 'unknown');
    expect(other.status).toBe(isIn ? 200 : 401);
    expect(await reason()).toBe(isIn ? undefined : 'address_not_allowed');
    expect(client.networks).toEqual(networks);
  });

  test('admit no call in a process that does not know the caller', async () => {
    const tokens = memoryAccessTokens();
    const { storage, clock, kit, logIn, client } = await used({ networks }, { ...trusted, tokens });
    const { access_token } = await logIn();
    expect((await me(kit, access_token)).status).toBe(200);
    const { kit: other } = platform({ storage, clock, tokens });
    const { secret } = (await kit.clients.addSecret('acc_a', client.id))._unsafeUnwrap();
    expect((await login(other, { client_id: client.id, client_secret: secret })).status).toBe(401);
    expect((await me(other, access_token)).status).toBe(403);
    const freed = await other.clients.update('acc_a', client.id, { networks: null });
    expect(freed.isOk()).toBe(true);
    await clock.advance(second);
    expect((await me(other, access_token)).status).toBe(200);
  });
});
