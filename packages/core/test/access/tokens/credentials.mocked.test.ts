import { beforeEach, describe, expect, test, vi } from 'vitest';

const counts = vi.hoisted(() => ({ hashes: 0, comparisons: 0 }));
vi.mock('../../../src/base/crypto/sha256.ts', async (original) => {
  const { sha256 } = await original<typeof import('../../../src/base/crypto/sha256.ts')>();
  return {
    sha256: (text: string) => {
      counts.hashes++;
      return sha256(text);
    },
  };
});
vi.mock('../../../src/base/crypto/equal.ts', async (original) => {
  const { equalInConstantTime } = await original<typeof import('../../../src/base/crypto/equal.ts')>();
  return {
    equalInConstantTime: (a: string, b: string) => {
      counts.comparisons++;
      return equalInConstantTime(a, b);
    },
  };
});

const { login } = await import('../../support/http.ts');
const { platform } = await import('../../support/kit.ts');
const { memoryStorage } = await import('../../../src/stores/memory/storage.ts');
const { start, testClock } = await import('../../support/clock.ts');

beforeEach(() => {
  counts.hashes = 0;
  counts.comparisons = 0;
});

/** A client for each reason to be refused, one that may log in, and a count of the store's reads. */
const world = async () => {
  const clock = testClock();
  const storage = memoryStorage({ clock });
  const reads = { count: 0 };
  const counted = {
    ...storage,
    clients: {
      ...storage.clients,
      findClient: async (id: string) => {
        reads.count++;
        return storage.clients.findClient(id);
      },
    },
  };
  const accounts = new Map([
    ['acc_a', { id: 'acc_a', name: 'A', status: 'active', environment: 'prod' }],
    ['acc_closed', { id: 'acc_closed', name: 'C', status: 'closed', environment: 'prod' }],
    ['acc_gone', { id: 'acc_gone', name: 'G', status: 'active', environment: 'prod' }],
  ]);
  const { kit } = platform({ clock, storage: counted, accounts: { find: async (id) => accounts.get(id) } });
  const add = async (accountId = 'acc_a') => (await kit.clients.create(accountId, { name: 'key' }))._unsafeUnwrap();
  const good = await add();
  const other = await add();
  const disabled = await add();
  (await kit.clients.disable('acc_a', disabled.client.id))._unsafeUnwrap();
  const revoked = await add();
  (await kit.clients.revokeSecret('acc_a', revoked.client.id, revoked.secretId))._unsafeUnwrap();
  const expired = await add();
  (await kit.clients.expireSecret('acc_a', expired.client.id, expired.secretId, { at: start }))._unsafeUnwrap();
  const closed = await add('acc_closed');
  const gone = await add('acc_gone');
  accounts.delete('acc_gone');

  const credentials = {
    unknown: { client_id: '01935a6e-0000-7000-8000-000000000000', client_secret: good.secret },
    'of another form': { client_id: 'no-such-client', client_secret: good.secret },
    'the secret of another client': { client_id: good.client.id, client_secret: other.secret },
    disabled: { client_id: disabled.client.id, client_secret: disabled.secret },
    revoked: { client_id: revoked.client.id, client_secret: revoked.secret },
    expired: { client_id: expired.client.id, client_secret: expired.secret },
    'of an inactive account': { client_id: closed.client.id, client_secret: closed.secret },
    'of an account that is gone': { client_id: gone.client.id, client_secret: gone.secret },
  };
  return { kit, good, reads, credentials };
};

const work = async (reads: { count: number }, act: () => Promise<unknown>) => {
  const before = { ...counts, reads: reads.count };
  await act();
  return { hashes: counts.hashes - before.hashes, comparisons: counts.comparisons - before.comparisons };
};

describe('every well-formed credential that cannot log in', () => {
  test('gets the same bytes', async () => {
    const { kit, credentials } = await world();
    const golden =
      '{"error":"invalid_client","error_description":"Unknown client, wrong secret, or a client that may not log in."}';
    const answers = await Promise.all(Object.values(credentials).map((fields) => login(kit, fields)));
    expect(answers).toHaveLength(8);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toEqual({
      status: 401,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        pragma: 'no-cache',
        'content-length': String(golden.length),
        'www-authenticate': 'Basic realm="partner"',
      },
      body: golden,
    });
  });

  test('costs the same two hashes and one comparison as a valid one', async () => {
    const { kit, good, reads, credentials } = await world();
    const right = { client_id: good.client.id, client_secret: good.secret };
    const expected = await work(reads, () => login(kit, right));
    expect(expected).toEqual({ hashes: 2, comparisons: 1 });
    for (const [name, fields] of Object.entries(credentials)) {
      expect(await work(reads, () => login(kit, fields)), name).toEqual(expected);
    }
  });

  test('costs one read of the store if its id is well-formed', async () => {
    const { kit, reads, credentials } = await world();
    for (const [name, fields] of Object.entries(credentials)) {
      const before = reads.count;
      await login(kit, fields);
      expect(reads.count - before, name).toBe(name === 'of another form' ? 0 : 1);
    }
  });
});

test('a secret with a typing error is refused without a call of the store', async () => {
  const { kit, good, reads } = await world();
  const secret = good.secret;
  const before = reads.count;
  for (const place of [0, 4, 20, 40, secret.length - 1]) {
    const wrong = secret.slice(0, place) + (secret[place] === 'x' ? 'y' : 'x') + secret.slice(place + 1);
    expect((await login(kit, { client_id: good.client.id, client_secret: wrong })).status).toBe(401);
  }
  expect(reads.count).toBe(before);
  expect((await login(kit, { client_id: good.client.id, client_secret: secret })).status).toBe(200);
  expect(reads.count).toBe(before + 1);
});

test('a store that returns another client is not trusted', async () => {
  const storage = memoryStorage();
  const { kit: own } = platform({ storage });
  const added = (await own.clients.create('acc_a', { name: 'key' }))._unsafeUnwrap();
  const careless = {
    ...storage,
    clients: { ...storage.clients, findClient: () => storage.clients.findClient(added.client.id) },
  };
  const { kit } = platform({ storage: careless });
  const fields = { client_id: '01935a6e-0000-7000-8000-000000000000', client_secret: added.secret };
  expect((await login(kit, fields)).status).toBe(401);
  expect((await login(kit, { ...fields, client_id: added.client.id })).status).toBe(200);
});
