import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';

const counts = vi.hoisted(() => ({ hashes: 0, comparisons: 0 }));
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  return {
    ...crypto,
    hash: (...args: Parameters<typeof crypto.hash>) => {
      counts.hashes++;
      return crypto.hash(...args);
    },
    timingSafeEqual: (...args: Parameters<typeof crypto.timingSafeEqual>) => {
      counts.comparisons++;
      return crypto.timingSafeEqual(...args);
    },
  };
});

const { call, loginPath } = await import('../../support/http.ts');
const { platform } = await import('../../support/kit.ts');
const { memoryStorage } = await import('../../../src/stores/memory/storage.ts');
const { start, testClock } = await import('../../support/clock.ts');
const { minute } = await import('../../../src/base/runtime/time.ts');

interface Key {
  readonly id: string;
  readonly secret: string;
}

const manyFailures = { points: 1_000, window: minute };

/** A key that logs in, and one for each reason not to. */
const world = async () => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  const accounts = new Map([
    ['acc_a', { id: 'acc_a', name: 'A', status: 'active', environment: 'prod' }],
    ['acc_closed', { id: 'acc_closed', name: 'C', status: 'closed', environment: 'prod' }],
    ['acc_gone', { id: 'acc_gone', name: 'G', status: 'active', environment: 'prod' }],
  ]);
  const { kit } = platform({
    clock,
    storage,
    accounts: { find: async (id) => accounts.get(id) },
    limits: { failedLogins: { perClientAndAddress: manyFailures, perAddress: manyFailures } },
  });
  const add = async (accountId = 'acc_a') => {
    const { client, secretId, secret } = (await kit.clients.create(accountId, { name: 'key' }))._unsafeUnwrap();
    return { id: client.id, secretId, secret };
  };
  const good = await add();
  const other = await add();
  const disabled = await add();
  (await kit.clients.disable('acc_a', disabled.id))._unsafeUnwrap();
  const revoked = await add();
  (await kit.clients.revokeSecret('acc_a', revoked.id, revoked.secretId))._unsafeUnwrap();
  const dropped = await add();
  (await kit.clients.revokeSecret('acc_a', dropped.id, dropped.secretId))._unsafeUnwrap();
  (await kit.clients.addSecret('acc_a', dropped.id))._unsafeUnwrap();
  const expired = await add();
  (await kit.clients.expireSecret('acc_a', expired.id, expired.secretId, { at: start }))._unsafeUnwrap();
  const gone = await add();
  (await kit.clients.delete('acc_a', gone.id))._unsafeUnwrap();
  const { id, secret } = good;
  const changed = (at: number): string => secret.slice(0, at) + (secret[at] === 'x' ? 'y' : 'x') + secret.slice(at + 1);
  const keys: Readonly<Record<string, Key>> = {
    'an unknown client': { id: '01935a6e-0000-7000-8000-000000000000', secret },
    'a client_id of another form': { id: 'admin', secret },
    'the secret of another client': { id, secret: other.secret },
    'a disabled client': disabled,
    'a revoked secret': revoked,
    'a revoked secret that was dropped': dropped,
    'an expired secret': expired,
    'a deleted client': gone,
    'a client of a closed account': await add('acc_closed'),
    'a client of a deleted account': await add('acc_gone'),
    'a typing error in the entropy': { id, secret: changed(30) },
    'a typing error in the checksum': { id, secret: changed(secret.length - 1) },
    'a secret with a character more': { id, secret: `${secret}x` },
    'a secret of another form': { id, secret: 'password' },
  };
  accounts.delete('acc_gone');
  return { kit, good, keys };
};

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const rest = { grant_type: 'client_credentials', scope: 'USER' };
const fieldsOf = ({ id, secret }: Key) => ({ ...rest, client_id: id, client_secret: secret });
type Login = Parameters<typeof call>[3];
const ways: Readonly<Record<string, (key: Key) => Login>> = {
  JSON: (key) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(fieldsOf(key)) }),
  'a form': (key) => ({ headers: form, body: new URLSearchParams(fieldsOf(key)).toString() }),
  'HTTP Basic': ({ id, secret }) => ({
    headers: { ...form, authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams(rest).toString(),
  }),
};

beforeEach(() => {
  counts.hashes = 0;
  counts.comparisons = 0;
});

type World = Awaited<ReturnType<typeof world>>;
const answer = ({ kit }: World, login: Login) => call(kit, 'POST', loginPath, login);
const workOf = async (made: World, login: Login) => {
  const before = { ...counts };
  await answer(made, login);
  return { hashes: counts.hashes - before.hashes, comparisons: counts.comparisons - before.comparisons };
};

const made = await world();
const kinds = Object.keys(made.keys);

const golden = () => {
  const body =
    '{"error":"invalid_client","error_description":"Unknown client, wrong secret, or a client that may not log in."}';
  return {
    status: 401,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      pragma: 'no-cache',
      'content-length': String(body.length),
      'www-authenticate': 'Basic realm="partner"',
    },
    body,
  };
};

describe.each(Object.entries(ways))('by %s', (_way, write) => {
  test('a login that is granted costs two hashes and one comparison', async () => {
    expect((await answer(made, write(made.good))).status).toBe(200);
    expect(await workOf(made, write(made.good))).toEqual({ hashes: 2, comparisons: 1 });
  });

  test.each(kinds)('%s: one status, the same headers, the same bytes', async (what) => {
    expect(await answer(made, write(made.keys[what] as Key))).toEqual(golden());
  });

  test.each(kinds)('%s costs the same', async (what) => {
    expect(await workOf(made, write(made.keys[what] as Key))).toEqual({ hashes: 2, comparisons: 1 });
  });
});

describe('with imported.clients and legacySecrets', () => {
  const old = [
    'an old secret: 1',
    'an old secret: 2',
    'an old secret: 3',
    'an old secret: 4',
    'an old secret: 5',
  ] as const;
  const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

  /** Clients of another system: five secrets, and one for each reason not to log in. */
  const importedWorld = async () => {
    const clock = testClock();
    const storage = memoryStorage({ clock });
    const reads = { count: 0 };
    const findClient = (id: string) => {
      reads.count++;
      return storage.clients.findClient(id);
    };
    const asked: string[] = [];
    const verify = async (id: string, secret: string) => {
      asked.push(secret);
      return id === 'legacy' && secret === 'a legacy+secret';
    };
    const { kit } = platform({
      clock,
      storage: { ...storage, clients: { ...storage.clients, findClient } },
      limits: { failedLogins: { perClientAndAddress: manyFailures, perAddress: manyFailures } },
      imported: { clients: true, legacySecrets: { verify } },
    });
    const row = (id: string, more: object = {}) => ({
      ...{ accountId: 'acc_a', id, name: id },
      secrets: old.map((secret) => ({ sha256: digestOf(secret) })),
      ...more,
    });
    const rows = [row('five'), row('disabled', { disabled: true }), row('revoked'), row('expired'), row('legacy')];
    const report = await kit.import.clients([...rows.slice(0, 4), row('legacy', { secrets: [{ legacy: true }] })]);
    expect(report._unsafeUnwrap().counts.created).toBe(5);
    for (const { id } of (await kit.clients.find('acc_a', 'revoked'))._unsafeUnwrap().secrets)
      (await kit.clients.revokeSecret('acc_a', 'revoked', id))._unsafeUnwrap();
    for (const { id } of (await kit.clients.find('acc_a', 'expired'))._unsafeUnwrap().secrets)
      (await kit.clients.expireSecret('acc_a', 'expired', id, { at: start }))._unsafeUnwrap();
    const workOf = async (id: string, secret: string) => {
      const before = { ...counts, reads: reads.count, asked: asked.length };
      const { status } = await call(kit, 'POST', loginPath, ways['HTTP Basic']?.({ id, secret }));
      await new Promise(setImmediate);
      return {
        status,
        hashes: counts.hashes - before.hashes,
        comparisons: counts.comparisons - before.comparisons,
        reads: reads.count - before.reads,
        asked: asked.length - before.asked,
      };
    };
    return { workOf };
  };

  test('each of five secrets costs the same as the others: no comparison stops at the first match', async () => {
    const { workOf } = await importedWorld();
    const work = { hashes: 2, comparisons: 5, reads: 1, asked: 0 };
    for (const secret of old) {
      expect(await workOf('five', secret), secret).toEqual({ status: 200, ...work });
      for (const id of ['disabled', 'revoked', 'expired'])
        expect(await workOf(id, secret), secret).toEqual({ status: 401, ...work });
    }
  });

  test('a wrong secret costs the same for each client, and for one that does not exist', async () => {
    const { workOf } = await importedWorld();
    for (const [secret, forms] of [
      ['wrong', 1],
      // Both forms are tried.
      ['wrong+', 2],
      ['wrong%41', 2],
      ['wrong%', 1],
    ] as const) {
      // A hash more for each question: what is asked is known by it.
      const work = { status: 401, hashes: 3 * forms, comparisons: 5 * forms, reads: forms, asked: forms };
      for (const id of ['five', 'disabled', 'revoked', 'expired', 'legacy', 'nobody'])
        expect(await workOf(id, secret), `${id} ${secret}`).toEqual(work);
    }
    expect(await workOf('legacy', 'a legacy%2Bsecret')).toMatchObject({ status: 200, asked: 1 });
    expect(await workOf('legacy', 'a legacy+secret')).toMatchObject({ status: 200, asked: 2 });
  });
});
