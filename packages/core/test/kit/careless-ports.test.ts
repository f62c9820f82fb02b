import { describe, expect, test } from 'vitest';
import { memoryAccessTokens } from '../../src/stores/memory/access-tokens.ts';
import { memoryStorage } from '../../src/stores/memory/storage.ts';
import { call, login, loginToken, me } from '../support/http.ts';
import { accounts, platform } from '../support/kit.ts';

type Options = Parameters<typeof platform>[0];

/** What careless hosts return where a port says something else. */
const answers: readonly (readonly [name: string, answer: unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  ['false', false],
  ['true', true],
  ['0', 0],
  ['1', 1],
  ['-1', -1],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ["''", ''],
  ["'yes'", 'yes'],
  ["'true'", 'true'],
  ["'false'", 'false'],
  ['{}', {}],
  ['{ ok: true }', { ok: true }],
  ['[]', []],
  ['[true]', [true]],
  ['a Boolean object', Object(true)],
  ['a rows answer', { rows: [{ valid: true }], rowCount: 1 }],
  ['a Map', new Map([['valid', true]])],
  ['a function', () => true],
  ['a symbol', Symbol('yes')],
  ['a bigint', 1n],
  ['a Date', new Date(0)],
  ['an object without a prototype', Object.create(null)],
];
const but = (...right: readonly unknown[]) => answers.filter(([, answer]) => !right.includes(answer));

const world = async (options: Options) => {
  const storage = memoryStorage();
  const tokens = memoryAccessTokens();
  const { kit: right } = platform({ storage, tokens });
  const added = (await right.clients.create('acc_a', { name: 'key' }))._unsafeUnwrap();
  const token = await loginToken(right, added);
  expect((await me(right, token)).status).toBe(200);
  const { kit, signals } = platform({ storage, tokens, ...options });
  const fields = { client_id: added.client.id, client_secret: added.secret };
  return { kit, signals, token, fields };
};

/** A refusal of an authentication, or of a platform that cannot decide. */
const refused = [401, 403, 404, 503];

describe('assertCarelessAnswersAdmitNobody: a port that answers with anything else than it says', () => {
  test.each(but(true))('legacySecrets.verify: %s logs nobody in', async (_name, answer) => {
    const legacySecrets = { verify: async () => answer as never };
    for (const storeDigest of [false, true]) {
      const { kit } = platform({ imported: { clients: true, legacySecrets: { ...legacySecrets, storeDigest } } });
      const row = { accountId: 'acc_a', id: 'old', name: 'Old', secrets: [{ legacy: true }] } as const;
      (await kit.import.clients([row]))._unsafeUnwrap();
      for (const client_id of ['old', 'nobody'])
        expect((await login(kit, { client_id, client_secret: 'any old secret of theirs' })).status).toBe(401);
      const [secret] = (await kit.clients.find('acc_a', 'old'))._unsafeUnwrap().secrets;
      expect(secret?.origin).toBe('legacy');
    }
  });

  test('legacySecrets.verify: true that is no promise is true, and a throw is no answer', async () => {
    const imported = async (verify: () => unknown) => {
      const { kit } = platform({ imported: { clients: true, legacySecrets: { verify: verify as never } } });
      const row = { accountId: 'acc_a', id: 'old', name: 'Old', secrets: [{ legacy: true }] } as const;
      (await kit.import.clients([row]))._unsafeUnwrap();
      return (await login(kit, { client_id: 'old', client_secret: 'any old secret of theirs' })).status;
    };
    expect(await imported(() => true)).toBe(200);
    expect(
      await imported(() => {
        throw new Error('down');
      }),
    ).toBe(503);
    expect(await imported(() => Promise.reject(undefined))).toBe(503);
  });

  test.each(answers)('legacyTokens.verify: %s admits nobody', async (_name, answer) => {
    const { kit } = platform({
      imported: { clients: true, legacyTokens: { verify: async () => answer as never } },
    });
    const row = { accountId: 'acc_a', id: 'old', name: 'Old', secrets: [{ text: 'an old secret of theirs' }] };
    (await kit.import.clients([row]))._unsafeUnwrap();
    expect(refused).toContain((await me(kit, 'old.token')).status);
    expect((await kit.clients.revokeToken('acc_a', 'old.token')).isErr()).toBe(true);
  });

  test.each(answers)('tokens.verify: %s admits nobody', async (_name, answer) => {
    const { kit, token } = await world({
      tokens: { issue: async () => 'a.b.c', verify: async () => answer as never },
    });
    expect((await me(kit, token)).status).toBe(401);
    expect(await kit.clients.revokeToken('acc_a', 'a.b.c')).toMatchObject({ error: { code: 'not_found' } });
  });

  test.each(but('yes', 'true', 'false'))('tokens.issue: %s is no token', async (_name, answer) => {
    const { kit, fields } = await world({
      tokens: { issue: async () => answer as never, verify: async () => undefined },
    });
    const { status, body } = await login(kit, fields);
    expect([status, body.includes('access_token')]).toEqual([503, false]);
  });

  test.each(answers)('accounts.find: %s is no account', async (_name, answer) => {
    const { kit, token, fields } = await world({ accounts: { find: async () => answer as never } });
    expect(refused).toContain((await login(kit, fields)).status);
    expect(refused).toContain((await me(kit, token)).status);
    expect(refused).toContain((await me(kit, token, 'acc_child')).status);
    expect((await kit.clients.create('acc_a', { name: 'key' })).isErr()).toBe(true);
  });

  test.each(but(true))('api.mayUseApi: %s allows nothing', async (_name, answer) => {
    const { kit, token, fields } = await world({ api: { mayUseApi: () => answer as never } });
    expect((await login(kit, fields)).status).toBe(401);
    expect((await me(kit, token)).status).toBe(403);
  });

  test.each(but(0, 1))('limiter.take: %s is no time, and limits nothing: 503', async (_name, answer) => {
    const { kit, fields } = await world({
      shared: { limiter: { take: async () => answer as never, refund: async () => undefined } },
    });
    for (const client_secret of ['wrong', fields.client_secret])
      expect((await login(kit, { ...fields, client_secret })).status).toBe(503);
  });

  test.each(but(false))('isTokenRevoked: %s admits nobody', async (_name, answer) => {
    const storage = memoryStorage();
    const tokens = memoryAccessTokens();
    const { kit: right } = platform({ storage, tokens });
    const token = await loginToken(right, (await right.clients.create('acc_a', { name: 'key' }))._unsafeUnwrap());
    const clients = { ...storage.clients, isTokenRevoked: async () => answer as never };
    const { kit } = platform({ tokens, storage: { ...storage, clients } });
    expect((await me(kit, token)).status).toBe(answer === true ? 401 : 503);
  });

  test.each(answers)('authorize of the management API: %s is no session', async (_name, answer) => {
    const { kit } = platform();
    const routes = kit.managementRoutes({ authorize: async () => answer as never });
    const { status } = await call({ routes }, 'GET', '/api/v1/partner-management/api-keys');
    expect([401, 403, 500, 503]).toContain(status);
  });

  test.each(but(true))('can of a session: %s is no right', async (_name, answer) => {
    const { kit } = platform();
    for (const can of [answer, { keys: answer }, { webhooks: 'read' }]) {
      const authorize = async () => ({ accountId: 'acc_a', userId: 'u', can }) as never;
      const routes = kit.managementRoutes({ authorize });
      const { status } = await call({ routes }, 'GET', '/api/v1/partner-management/api-keys');
      expect([403, 500, 503]).toContain(status);
    }
  });
});

test('a directory that answers at once, or by a thenable, is right', async () => {
  const found = async (id: string) => accounts.find((account) => account.id === id);
  for (const find of [
    (id: string) => accounts.find((account) => account.id === id),
    // biome-ignore lint/suspicious/noThenProperty: query builders are thenables
    (id: string) => ({ then: (resolve: (account: unknown) => void) => void found(id).then(resolve) }),
  ]) {
    const { kit, token, fields } = await world({ accounts: { find: find as never } });
    expect((await login(kit, fields)).status).toBe(200);
    expect((await me(kit, token, 'acc_child')).status).toBe(200);
  }
});
