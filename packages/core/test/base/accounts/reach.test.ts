import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Account } from '../../../src/base/accounts/account.ts';
import { canAccess, type EnvironmentReach } from '../../../src/base/accounts/reach.ts';
import type { HttpResponse } from '../../../src/base/http/route.ts';
import { memoryAccounts } from '../../../src/stores/memory/accounts.ts';
import { loginToken, me, withoutRequestId } from '../../support/http.ts';
import { platform } from '../../support/kit.ts';
import { historyRuns, runs } from '../../support/runs.ts';

const ids = ['a0', 'a1', 'a2', 'a3', 'a4', 'a5'];
/** Any parents at all: trees, cycles, parents of oneself, parents that do not exist; several environments. */
const tree = fc
  .tuple(
    ...ids.map((id) =>
      fc.record(
        {
          id: fc.constant(id),
          name: fc.string(),
          status: fc.constantFrom('active', 'active', 'closed'),
          environment: fc.constantFrom('prod', 'prod', 'prod', 'dev'),
          parentId: fc.constantFrom(...ids, 'nobody', ''),
        },
        { requiredKeys: ['id', 'name', 'status', 'environment'] },
      ),
    ),
  )
  .map((accounts): readonly Account[] => accounts);

const environmentReach = fc.constantFrom<EnvironmentReach>('same', 'all');

const mayReach = (own: Account, target: Account, reach: EnvironmentReach): boolean =>
  own.id === target.id || (target.parentId === own.id && (reach === 'all' || own.environment === target.environment));

describe('canAccess', () => {
  const own: Account = { id: 'own', name: '', status: 'active', environment: 'prod', parentId: 'parent' };
  const other = (change: Partial<Account>): Account => ({
    id: 'x',
    name: '',
    status: 'active',
    environment: 'prod',
    ...change,
  });
  test.each([
    ['itself', own, true],
    ['a child', other({ parentId: 'own' }), true],
    ['a child with another status', other({ parentId: 'own', status: 'closed' }), true],
    ['a child in another environment', other({ parentId: 'own', environment: 'dev' }), false],
    ['itself, in another environment', { ...own, environment: 'dev' }, false],
    ['a grandchild', other({ parentId: 'x-child' }), false],
    ['the parent', other({ id: 'parent' }), false],
    ['a sibling', other({ parentId: 'parent' }), false],
    ['a stranger', other({}), false],
    ['the child of an account whose id differs in case', other({ parentId: 'OWN' }), false],
    ['the child of an account whose id ends in a blank', other({ parentId: 'own ' }), false],
  ])('%s', (_name, target, expected) => {
    expect(canAccess(own, target)).toBe(expected);
  });

  test('an account without a parent is not a child of any account', () => {
    expect(canAccess({ ...own, id: 'undefined' }, other({}))).toBe(false);
  });

  test.each([
    ['a child in another environment', other({ parentId: 'own', environment: 'dev' }), true],
    ['a child', other({ parentId: 'own' }), true],
    ['itself', own, true],
    ['a grandchild', other({ parentId: 'x-child', environment: 'dev' }), false],
    ['the parent', other({ id: 'parent', environment: 'dev' }), false],
    ['a sibling', other({ parentId: 'parent', environment: 'dev' }), false],
    ['a stranger', other({ environment: 'dev' }), false],
  ])('%s, where all environments are reached', (_name, target, expected) => {
    expect(canAccess(own, target, 'all')).toBe(expected);
  });

  test('in any tree: the same id, or a child of it that is in an environment within reach', () => {
    fc.assert(
      fc.property(tree, environmentReach, (accounts, reach) => {
        for (const one of accounts)
          for (const target of accounts) expect(canAccess(one, target, reach)).toBe(mayReach(one, target, reach));
      }),
      runs,
    );
  });
});

describe('through the whole check of a caller', () => {
  /** Nothing but what it may reach answers, and nothing else differs from what does not exist. */
  const assertNeverReachesForeignAccount = async (
    ask: (accountId: string) => Promise<HttpResponse>,
    own: Account,
    accounts: readonly Account[],
    reach: EnvironmentReach,
  ): Promise<number> => {
    const absent = await ask('there-is-none');
    expect(absent.status).toBe(404);
    let reached = 0;
    for (const target of accounts) {
      const response = await ask(target.id);
      if (mayReach(own, target, reach)) {
        reached++;
        const { id, name, status, environment } = target;
        expect(response).toMatchObject({ status: 200, body: JSON.stringify({ id, name, status, environment }) });
      } else {
        expect(withoutRequestId(response)).toEqual(withoutRequestId(absent));
        expect(response.headers['x-request-id']).not.toBe(absent.headers['x-request-id']);
      }
    }
    return reached;
  };

  test('assertNeverReachesForeignAccount', async () => {
    let reached = 0;
    let logins = 0;
    await fc.assert(
      fc.asyncProperty(tree, fc.constantFrom(...ids), environmentReach, async (accounts, ownId, reach) => {
        const { kit } = platform({ accounts: memoryAccounts(accounts), api: { environmentReach: reach } });
        const own = accounts.find(({ id }) => id === ownId) as Account;
        const added = (await kit.clients.create(ownId, { name: 'key' }))._unsafeUnwrap();
        const token = await loginToken(kit, added);
        if (own.status !== 'active') {
          expect(token).toBeUndefined();
          return;
        }
        logins++;
        reached += await assertNeverReachesForeignAccount((id) => me(kit, token, id), own, accounts, reach);
      }),
      historyRuns,
    );
    // Own accounts, and children as well.
    expect(reached).toBeGreaterThan(logins + historyRuns.numRuns / 10);
  });

  test('reach is read from the directory at every request, not stored in the token', async () => {
    let parentId: string | undefined = 'acc_a';
    const find = async (id: string): Promise<Account | undefined> => {
      if (id === 'acc_a') return { id, name: 'Own', status: 'active', environment: 'prod' };
      return {
        id,
        name: 'Child',
        status: 'active',
        environment: 'prod',
        ...(parentId === undefined ? {} : { parentId }),
      };
    };
    const { kit } = platform({ accounts: { find } });
    const token = await loginToken(kit, (await kit.clients.create('acc_a', { name: 'key' }))._unsafeUnwrap());
    expect((await me(kit, token, 'child')).status).toBe(200);
    parentId = undefined;
    expect((await me(kit, token, 'child')).status).toBe(404);
    parentId = 'acc_b';
    expect((await me(kit, token, 'child')).status).toBe(404);
  });

  test('with environmentReach all, a token still ends when its own account changes environment', async () => {
    const known = new Map<string, Account>(
      [
        { id: 'acc_a', name: 'Own', status: 'active', environment: 'prod' },
        { id: 'child', name: 'Child', status: 'active', environment: 'dev', parentId: 'acc_a' },
        { id: 'grandchild', name: 'Grandchild', status: 'active', environment: 'dev', parentId: 'child' },
      ].map((each) => [each.id, each]),
    );
    const { kit } = platform({ accounts: { find: async (id) => known.get(id) }, api: { environmentReach: 'all' } });
    const token = await loginToken(kit, (await kit.clients.create('acc_a', { name: 'key' }))._unsafeUnwrap());
    const statuses = async () => {
      const asked = ['acc_a', 'child', 'grandchild'].map(async (id) => (await me(kit, token, id)).status);
      return Promise.all(asked);
    };
    expect(await statuses()).toEqual([200, 200, 404]);
    known.set('acc_a', { ...(known.get('acc_a') as Account), environment: 'dev' });
    expect(await statuses()).toEqual([401, 401, 401]);
  });
});
