import { describe, expect, test } from 'vitest';
import type { Account } from '../../../src/base/accounts/account.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import { testClock } from '../../support/clock.ts';
import { call, loginToken, withoutRequestId } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';

const account = (id: string, change: Partial<Account> = {}): Account => ({
  id,
  name: 'Account',
  status: 'active',
  environment: 'prod',
  ...change,
});
const long = 'x'.repeat(256);
const directory: readonly Account[] = [
  account('acc_a', { parentId: 'acc_parent' }),
  account('acc_parent'),
  account('acc_sister', { parentId: 'acc_parent' }),
  account('acc_child', { parentId: 'acc_a' }),
  account('acc_grandchild', { parentId: 'acc_child' }),
  account('acc_dev', { parentId: 'acc_a', environment: 'dev' }),
  account('acc_closed', { status: 'closed' }),
  account('acc_stranger'),
  account('acc_malformed', { status: null as never }),
  account('acc_nowhere', { environment: undefined as never }),
  account('acc_dev_malformed', { parentId: 'acc_a', environment: 'dev', name: 7 as never }),
  account('été/1'),
  account(long),
];

/** A client of `acc_a` that is logged in, and a count of what each call asks. */
const world = async () => {
  const asked: string[] = [];
  const clock = testClock();
  const storage = memoryStorage({ clock });
  const { kit } = platform({
    clock,
    oauth: { revocationDelay: 0 },
    storage: {
      ...storage,
      clients: {
        ...storage.clients,
        findClient: async (id) => {
          asked.push('client');
          return storage.clients.findClient(id);
        },
        isTokenRevoked: async (jti) => {
          asked.push('revoked token');
          return storage.clients.isTokenRevoked(jti);
        },
      },
    },
    accounts: {
      find: async (id) => {
        asked.push('account');
        return directory.find((each) => each.id === id);
      },
    },
  });
  const token = await loginToken(kit, (await kit.clients.create('acc_a', { name: 'key' }))._unsafeUnwrap());
  return async (id: string) => {
    asked.length = 0;
    const response = await call(kit, 'GET', `/api/v1/partner/organisations/${encodeURIComponent(id)}/me`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return { response: withoutRequestId(response), asked: [...asked] };
  };
};

describe('an account out of reach and one that is absent', () => {
  test.each([
    'acc_parent',
    'acc_sister',
    'acc_grandchild',
    'acc_dev',
    'acc_closed',
    'acc_stranger',
    'acc_malformed',
    'acc_nowhere',
    'acc_dev_malformed',
    'été/1',
    long,
  ])('%s and an id that nobody has: the same bytes after the same questions', async (id) => {
    const ask = await world();
    const absent = await ask('acc_absent');
    expect(absent.response.status).toBe(404);
    expect(absent.asked).toEqual(['client', 'revoked token', 'account', 'account']);
    expect(await ask(id)).toEqual(absent);
    expect(await ask(`${id.slice(0, -1)}_`)).toEqual(absent);
  });

  test('a child within reach costs the same calls', async () => {
    const ask = await world();
    const { response, asked } = await ask('acc_child');
    expect(response.status).toBe(200);
    expect(asked).toEqual((await ask('acc_absent')).asked);
  });
});

test('an impossible account id gets the same bytes without a call of the directory', async () => {
  const ask = await world();
  const { response } = await ask('acc_absent');
  for (const id of ['x'.repeat(257), 'acc_a\0', 'acc_a\n', 'é'.repeat(129)]) {
    expect(await ask(id)).toEqual({ response, asked: [] });
  }
});
