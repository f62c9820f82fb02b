import { describe, expect, test } from 'vitest';
import { err, ok } from '#result';
import { day, second } from '../../../src/base/runtime/time.ts';
import { memoryAccessTokens } from '../../../src/stores/memory/access-tokens.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import { start, testClock } from '../../support/clock.ts';
import { login, loginToken, me } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';

type Options = Parameters<typeof platform>[0];
const world = async (options: Options = {}) => {
  const made = platform(options);
  return { ...made, added: (await made.kit.clients.create('acc_a', { name: 'Booking system' }))._unsafeUnwrap() };
};
const wrongName = 'name: 1 to 256 bytes of text without control characters.';

describe('add a key (specification §1.4)', () => {
  test('golden: one input, the name; the secret is shown here', async () => {
    const { added } = await world();
    expect(added).toEqual({
      client: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        accountId: 'acc_a',
        name: 'Booking system',
        createdAt: start,
        disabled: false,
        secrets: [{ id: added.secretId, createdAt: start, revoked: false }],
        tokensNotBefore: 0,
        version: 1,
      },
      secretId: expect.stringMatching(/^[A-Za-z0-9]{12}$/),
      secret: expect.stringMatching(new RegExp(`^pks_${added.secretId}_[A-Za-z0-9]{49}$`)),
    });
  });

  test('the secret is not found, listed or stored, and a view has no digest', async () => {
    const { kit, storage, added } = await world();
    const found = (await kit.clients.find('acc_a', added.client.id))._unsafeUnwrap();
    const listed = (await kit.clients.list('acc_a'))._unsafeUnwrap();
    const stored = await storage.clients.findClient(added.client.id);
    const shown = { ...added.client, usage: { calls: 0, days: [], isUnused: false } };
    expect(found).toEqual(shown);
    expect(listed).toEqual({ items: [shown] });
    for (const seen of [found, listed, stored]) expect(JSON.stringify(seen)).not.toContain(added.secret);
    for (const seen of [found, listed, added]) expect(JSON.stringify(seen)).not.toContain('digest');
    expect(stored?.secrets[0]?.digest).toMatch(/^[0-9a-f]{64}$/);
  });

  test('the prefix is an option', async () => {
    const { added } = await world({ oauth: { secretPrefix: 'acme1' } });
    expect(added.secret).toMatch(/^acme1_/);
  });

  test.each(['', 'x'.repeat(257), 'a\nb', '\ud800', 7])('a name like %j is refused', async (name) => {
    const { kit, added } = await world();
    expect(await kit.clients.create('acc_a', { name: name as string })).toMatchObject(
      err({ code: 'invalid_input', message: wrongName }),
    );
    expect(await kit.clients.update('acc_a', added.client.id, { name: name as string })).toMatchObject(
      err({ code: 'invalid_input', message: wrongName }),
    );
  });

  test('a client without a name, and a change without a field, are refused', async () => {
    const { kit, added } = await world();
    expect(await kit.clients.create('acc_a', {} as never)).toMatchObject(
      err({ message: 'name: missing: 1 to 256 bytes of text without control characters.' }),
    );
    expect(await kit.clients.update('acc_a', added.client.id, {})).toMatchObject(
      err({ message: 'input: at least one field to change.' }),
    );
  });

  test('an impossible account id is refused', async () => {
    const { kit } = await world();
    expect(await kit.clients.create('', { name: 'x' })).toMatchObject(
      err({ code: 'invalid_input', message: 'accountId: 1 to 256 bytes of text without control characters.' }),
    );
    for (const id of ['.', '..'])
      expect(await kit.clients.create(id, { name: 'x' })).toMatchObject(
        err({ code: 'invalid_input', message: 'accountId: neither "." nor "..", which a URL drops.' }),
      );
  });

  test('an account that the directory does not know is refused, and nothing is stored', async () => {
    const { kit, storage } = await world();
    for (const accountId of ['acc_none', 'ACC_A', 'acc_a '])
      expect((await kit.clients.create(accountId, { name: 'x' }))._unsafeUnwrapErr()).toMatchObject({
        code: 'invalid_input',
        errors: [{ pointer: '/accountId', detail: 'accounts.find knows no account of this id.' }],
      });
    expect((await storage.clients.listClients('acc_none', { limit: 1 })).items).toEqual([]);
    const failing = platform({ storage, accounts: { find: () => Promise.reject(new Error('down')) } });
    expect((await failing.kit.clients.create('acc_a', { name: 'x' }))._unsafeUnwrapErr().code).toBe('unavailable');
  });

  test('a secret with a typing error is refused without a call of the store', async () => {
    const storage = memoryStorage();
    const findClient = () => expect.unreachable('the store was asked');
    const { added } = await world({ storage });
    const { kit } = platform({ storage: { ...storage, clients: { ...storage.clients, findClient } } });
    const { secret } = added;
    for (let at = 0; at < secret.length; at++) {
      const wrong = secret.slice(0, at) + (secret[at] === 'A' ? 'B' : 'A') + secret.slice(at + 1);
      // Each from its own address: none of them is limited.
      const response = await login(
        kit,
        { client_id: added.client.id, client_secret: wrong },
        { remoteAddress: `10.0.0.${at}` },
      );
      expect(response.status).toBe(401);
    }
  });
});

describe('rotation', () => {
  test('two secrets work side by side; the old one expires at a set time, and its tokens stay valid', async () => {
    const clock = testClock();
    const { kit, added } = await world({ clock });
    const next = (await kit.clients.addSecret('acc_a', added.client.id, { label: '2025' }))._unsafeUnwrap();
    expect(next.client.secrets.map(({ label }) => label)).toEqual([undefined, '2025']);
    expect(next.secret).not.toBe(added.secret);
    const oldToken = await loginToken(kit, added);
    expect(await loginToken(kit, next)).toBeTypeOf('string');
    (await kit.clients.expireSecret('acc_a', added.client.id, added.secretId, { at: start + day }))._unsafeUnwrap();
    clock.set(start + day - 1);
    expect(await loginToken(kit, added)).toBeTypeOf('string');
    clock.set(start + day);
    expect(await loginToken(kit, added)).toBeUndefined();
    expect(await loginToken(kit, next)).toBeTypeOf('string');
    expect((await me(kit, oldToken)).status).toBe(200);
    (await kit.clients.revokeSecret('acc_a', added.client.id, added.secretId))._unsafeUnwrap();
    expect((await me(kit, oldToken)).status).toBe(401);
  });

  test('a time in seconds ends no secret', async () => {
    const { kit, added } = await world();
    const { client, secretId } = added;
    const at = 1_795_456_800;
    expect((await kit.clients.expireSecret('acc_a', client.id, secretId, { at }))._unsafeUnwrapErr()).toMatchObject({
      errors: [{ pointer: '/at', detail: expect.stringContaining('this is a time in seconds') }],
    });
    expect(await loginToken(kit, added)).toBeTypeOf('string');
  });

  test('an expiry can be moved in both directions', async () => {
    const { kit, added } = await world();
    (await kit.clients.expireSecret('acc_a', added.client.id, added.secretId, { at: start }))._unsafeUnwrap();
    expect(await loginToken(kit, added)).toBeUndefined();
    (await kit.clients.expireSecret('acc_a', added.client.id, added.secretId, { at: start + 1 }))._unsafeUnwrap();
    expect(await loginToken(kit, added)).toBeTypeOf('string');
  });

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '2025-01-01', undefined])(
    'an end at %s is refused',
    async (at) => {
      const { kit, added } = await world();
      expect(
        await kit.clients.expireSecret('acc_a', added.client.id, added.secretId, { at: at as number }),
      ).toMatchObject(err({ code: 'invalid_input', message: 'at: milliseconds since 1970, a whole number.' }));
    },
  );

  test('at most five secrets are active; a revoked one frees its place at once', async () => {
    const { kit, added } = await world();
    const { id } = added.client;
    for (let times = 0; times < 4; times++) (await kit.clients.addSecret('acc_a', id))._unsafeUnwrap();
    expect(await kit.clients.addSecret('acc_a', id)).toMatchObject(err({ code: 'too_many_secrets' }));
    (await kit.clients.revokeSecret('acc_a', id, added.secretId))._unsafeUnwrap();
    const fifth = (await kit.clients.addSecret('acc_a', id))._unsafeUnwrap();
    expect(fifth.client.secrets).toHaveLength(5);
    expect(fifth.client.secrets.some((secret) => secret.id === added.secretId)).toBe(false);
    expect(await loginToken(kit, added)).toBeUndefined();
  });

  test('an expired secret frees its place when its last token has expired, and ends no token', async () => {
    const clock = testClock();
    const { kit, added } = await world({ clock });
    const { id } = added.client;
    for (let times = 0; times < 4; times++) (await kit.clients.addSecret('acc_a', id))._unsafeUnwrap();
    clock.set(start + day - 1);
    const token = await loginToken(kit, added);
    clock.set(start + day);
    (await kit.clients.expireSecret('acc_a', id, added.secretId, { at: start + day }))._unsafeUnwrap();
    clock.set(start + 31 * day - 2 * second);
    expect((await me(kit, token)).status).toBe(200);
    expect(await kit.clients.addSecret('acc_a', id)).toMatchObject(err({ code: 'too_many_secrets' }));
    clock.set(start + 31 * day);
    expect((await me(kit, token)).status).toBe(401);
    expect((await kit.clients.addSecret('acc_a', id)).isOk()).toBe(true);
  });

  test.each(['', 'x'.repeat(257), 'a\nb'])('a label like %j is refused', async (label) => {
    const { kit, added } = await world();
    expect(await kit.clients.addSecret('acc_a', added.client.id, { label })).toMatchObject(
      err({ code: 'invalid_input', message: 'label: 1 to 256 bytes of text without control characters.' }),
    );
  });
});

describe('of another account', () => {
  test('every call returns not_found, as for an unknown id, and changes nothing', async () => {
    const { kit, storage, added } = await world();
    const token = (await loginToken(kit, added)) as string;
    const { clients } = kit;
    const { secretId } = added;
    const before = structuredClone(await storage.clients.findClient(added.client.id));
    const calls = (accountId: string, id: string) => [
      clients.find(accountId, id),
      clients.update(accountId, id, { name: 'Stolen' }),
      clients.addSecret(accountId, id),
      clients.expireSecret(accountId, id, secretId, { at: start }),
      clients.revokeSecret(accountId, id, secretId),
      clients.revokeTokens(accountId, id),
      clients.disable(accountId, id),
      clients.enable(accountId, id),
    ];
    for (const each of calls('acc_b', added.client.id)) expect(await each).toMatchObject(err({ code: 'not_found' }));
    for (const each of calls('acc_child', added.client.id))
      expect(await each).toMatchObject(err({ code: 'not_found' }));
    for (const each of calls('acc_a', '01935a6e-0000-7000-8000-000000000000'))
      expect(await each).toMatchObject(err({ code: 'not_found' }));
    expect(await clients.revokeToken('acc_b', token)).toMatchObject(err({ code: 'not_found' }));
    expect((await clients.list('acc_b'))._unsafeUnwrap().items).toEqual([]);
    expect(await storage.clients.findClient(added.client.id)).toEqual(before);
    expect((await me(kit, token)).status).toBe(200);
  });

  test('a client of another account is not_found even if a store returns it', async () => {
    const storage = memoryStorage();
    const { added } = await world({ storage });
    const careless = {
      ...storage.clients,
      findClient: () => storage.clients.findClient(added.client.id),
      listClients: () => storage.clients.listClients('acc_a', {}),
    };
    const { kit } = platform({ storage: { ...storage, clients: careless } });
    expect(await kit.clients.find('acc_b', added.client.id)).toMatchObject(err({ code: 'not_found' }));
    expect(await kit.clients.find('acc_a', 'someone')).toMatchObject(err({ code: 'not_found' }));
    expect((await kit.clients.list('acc_b'))._unsafeUnwrap().items).toEqual([]);
  });

  test('a secret of another client is not_found', async () => {
    const { kit, added } = await world();
    const other = (await kit.clients.create('acc_a', { name: 'other' }))._unsafeUnwrap();
    expect(await kit.clients.revokeSecret('acc_a', added.client.id, other.secretId)).toMatchObject(
      err({ code: 'not_found' }),
    );
  });
});

describe('revokeToken', () => {
  test('a token of any client of the account', async () => {
    const { kit, added } = await world();
    const other = (await kit.clients.create('acc_a', { name: 'other' }))._unsafeUnwrap();
    const token = (await loginToken(kit, other)) as string;
    expect((await kit.clients.revokeToken('acc_a', token)).isOk()).toBe(true);
    expect((await me(kit, token)).status).toBe(401);
    expect((await me(kit, await loginToken(kit, added))).status).toBe(200);
  });

  test('a token that is not valid is not_found', async () => {
    const clock = testClock();
    const { kit, added } = await world({ clock });
    const token = (await loginToken(kit, added)) as string;
    expect(await kit.clients.revokeToken('acc_a', 'nonsense')).toMatchObject(err({ code: 'not_found' }));
    clock.set(start + 30 * day);
    expect(await kit.clients.revokeToken('acc_a', token)).toMatchObject(err({ code: 'not_found' }));
  });
});

test('a list is paged, oldest first by default', async () => {
  const { kit } = platform();
  for (let index = 0; index < 5; index++) {
    (await kit.clients.create('acc_a', { name: `key ${index}` }))._unsafeUnwrap();
    (await kit.clients.create('acc_b', { name: `theirs ${index}` }))._unsafeUnwrap();
  }
  const names: string[][] = [];
  for (let after: string | undefined; ; ) {
    const page = (
      await kit.clients.list('acc_a', { page: { limit: 2, ...(after === undefined ? {} : { after }) } })
    )._unsafeUnwrap();
    names.push(page.items.map(({ name }) => name));
    after = page.next;
    if (after === undefined) break;
  }
  expect(names).toEqual([['key 0', 'key 1'], ['key 2', 'key 3'], ['key 4']]);
  const { next = '' } = (await kit.clients.list('acc_a', { page: { limit: 2 } }))._unsafeUnwrap();
  for (const [accountId, after] of [
    ['acc_a', 'x'],
    ['acc_a', `${next}0`],
    ['acc_b', next],
  ] as const)
    expect((await kit.clients.list(accountId, { page: { after } }))._unsafeUnwrapErr()).toMatchObject({
      code: 'invalid_cursor',
    });
  const newest = (await kit.clients.list('acc_a', { page: { newestFirst: true, limit: 2 } }))._unsafeUnwrap();
  expect(newest.items.map(({ name }) => name)).toEqual(['key 4', 'key 3']);
  // A cursor belongs to its order.
  expect((await kit.clients.list('acc_a', { page: { newestFirst: true, after: next } })).isErr()).toBe(true);
  const rest = await kit.clients.list('acc_a', { page: { newestFirst: true, after: newest.next as string } });
  expect(rest._unsafeUnwrap().items.map(({ name }) => name)).toEqual(['key 2', 'key 1', 'key 0']);
});

test('each change is signalled once, with ids only', async () => {
  const { kit, added, signals } = await world();
  const { id } = added.client;
  const token = (await loginToken(kit, added)) as string;
  signals.length = 0;
  (await kit.clients.update('acc_a', id, { name: 'SECRET name' }))._unsafeUnwrap();
  (await kit.clients.addSecret('acc_a', id))._unsafeUnwrap();
  (await kit.clients.expireSecret('acc_a', id, added.secretId, { at: start }))._unsafeUnwrap();
  (await kit.clients.revokeToken('acc_a', token))._unsafeUnwrap();
  (await kit.clients.revokeTokens('acc_a', id))._unsafeUnwrap();
  (await kit.clients.disable('acc_a', id))._unsafeUnwrap();
  (await kit.clients.enable('acc_a', id))._unsafeUnwrap();
  (await kit.clients.revokeSecret('acc_a', id, added.secretId))._unsafeUnwrap();
  (await kit.clients.update('acc_b', id, { name: 'x' }))._unsafeUnwrapErr();
  const changes = [
    'updated',
    'secret_added',
    'secret_expires',
    'token_revoked',
    'tokens_revoked',
    'disabled',
    'enabled',
    'secret_revoked',
  ];
  expect(signals).toEqual(
    changes.map((change) => ({ kind: 'client', change, accountId: 'acc_a', clientId: id, by: { type: 'host' } })),
  );
});

describe('racing changes of one client', () => {
  test('N simultaneous calls of addSecret each succeed or return changed_meanwhile: none is lost', async () => {
    const { kit, added } = await world();
    const { id } = added.client;
    const results = await Promise.all(
      Array.from({ length: 4 }, (_, index) => kit.clients.addSecret('acc_a', id, { label: String(index) })),
    );
    const landed = results.filter((result) => result.isOk()).map((result) => result._unsafeUnwrap());
    const refused = results.filter((result) => result.isErr()).map((result) => result._unsafeUnwrapErr().code);
    expect(refused.filter((code) => code !== 'changed_meanwhile')).toEqual([]);
    expect(landed.length).toBeGreaterThan(0);
    const stored = (await kit.clients.find('acc_a', id))._unsafeUnwrap().secrets.map((secret) => secret.id);
    expect(stored.toSorted()).toEqual([added.secretId, ...landed.map(({ secretId }) => secretId)].toSorted());
    for (const each of landed) expect(await loginToken(kit, each)).toBeTypeOf('string');
  });

  test('twenty simultaneous calls never make a sixth secret', async () => {
    const { kit, added } = await world();
    const { id } = added.client;
    const results = await Promise.all(Array.from({ length: 20 }, () => kit.clients.addSecret('acc_a', id)));
    const stored = (await kit.clients.find('acc_a', id))._unsafeUnwrap().secrets;
    expect(stored.length).toBeLessThanOrEqual(5);
    expect(stored).toHaveLength(1 + results.filter((result) => result.isOk()).length);
    for (const result of results) {
      if (result.isErr()) expect(['changed_meanwhile', 'too_many_secrets']).toContain(result.error.code);
    }
  });

  test('a simultaneous login does not conflict and is not lost', async () => {
    const storage = memoryStorage({ clock: testClock() });
    const { kit, added } = await world({ storage });
    const replaceClient: typeof storage.clients.replaceClient = async (client) => {
      await storage.clients.touchSecret(client.id, added.secretId, start + 5);
      return storage.clients.replaceClient(client);
    };
    const racing = platform({ storage: { ...storage, clients: { ...storage.clients, replaceClient } } });
    (await racing.kit.clients.update('acc_a', added.client.id, { name: 'New' }))._unsafeUnwrap();
    const after = (await kit.clients.find('acc_a', added.client.id))._unsafeUnwrap();
    expect([after.name, after.secrets[0]?.lastUsedAt]).toEqual(['New', start + 5]);
  });
});

describe('delete', () => {
  test('the client is gone, and the change is signalled once', async () => {
    const { kit, added, signals } = await world();
    const { id } = added.client;
    signals.length = 0;
    expect(await kit.clients.delete('acc_a', id)).toEqual(ok(undefined));
    expect(signals).toEqual([
      { kind: 'client', change: 'deleted', accountId: 'acc_a', clientId: id, by: { type: 'host' } },
    ]);
    expect((await kit.clients.list('acc_a'))._unsafeUnwrap().items).toEqual([]);
    for (const after of [
      await kit.clients.find('acc_a', id),
      await kit.clients.enable('acc_a', id),
      await kit.clients.delete('acc_a', id),
    ])
      expect(after._unsafeUnwrapErr()).toMatchObject({ code: 'not_found' });
    expect(signals).toHaveLength(1);
  });

  test('a client of another account, or of another version, is kept', async () => {
    const { kit, added } = await world();
    const { id, version } = added.client;
    expect((await kit.clients.delete('acc_b', id))._unsafeUnwrapErr()).toMatchObject({ code: 'not_found' });
    const late = kit.clients.delete('acc_a', id, { ifVersion: version + 1 });
    expect((await late)._unsafeUnwrapErr()).toMatchObject({ code: 'version_mismatch' });
    expect((await kit.clients.find('acc_a', id)).isOk()).toBe(true);
    expect((await kit.clients.delete('acc_a', id, { ifVersion: [version] })).isOk()).toBe(true);
  });

  test('a client that others change meanwhile is read again, and deleted', async () => {
    const storage = memoryStorage({ clock: testClock() });
    const { added } = await world({ storage });
    let races = 2;
    const deleteClient: typeof storage.clients.deleteClient = async (client) => {
      if (races-- > 0) await storage.clients.replaceClient({ ...client, name: 'Changed meanwhile' });
      return storage.clients.deleteClient(client);
    };
    const racing = platform({ storage: { ...storage, clients: { ...storage.clients, deleteClient } } });
    expect((await racing.kit.clients.delete('acc_a', added.client.id)).isOk()).toBe(true);
    expect(await storage.clients.findClient(added.client.id)).toBeUndefined();
  });
});

test('a failing port is unavailable, with its cause', async () => {
  const cause = new Error('down');
  const failing = () => Promise.reject(cause);
  const storage = memoryStorage();
  const { added } = await world({ storage });
  const names = ['insertClient', 'findClient', 'listClients', 'replaceClient', 'revokeToken', 'deleteClient'] as const;
  const clients = { ...storage.clients, ...Object.fromEntries(names.map((name) => [name, failing])) };
  const { kit } = platform({ storage: { ...storage, clients }, tokens: { ...memoryAccessTokens(), verify: failing } });
  const unavailable = err({ code: 'unavailable', cause });
  expect(await kit.clients.create('acc_a', { name: 'x' })).toMatchObject(unavailable);
  expect(await kit.clients.find('acc_a', added.client.id)).toMatchObject(unavailable);
  expect(await kit.clients.list('acc_a')).toMatchObject(unavailable);
  expect(await kit.clients.disable('acc_a', added.client.id)).toMatchObject(unavailable);
  expect(await kit.clients.revokeToken('acc_a', 'x')).toMatchObject(unavailable);
});
