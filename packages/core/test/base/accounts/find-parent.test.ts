import { describe, expect, test } from 'vitest';
import type { Account } from '../../../src/base/accounts/account.ts';
import { createFindParent } from '../../../src/base/accounts/find-parent.ts';
import { minute, second } from '../../../src/base/runtime/time.ts';
import { memoryAccounts } from '../../../src/stores/memory/accounts.ts';
import { settled, testClock } from '../../support/clock.ts';

const account = (id: string, more: Partial<Account> = {}): Account => ({
  id,
  name: id,
  status: 'active',
  environment: 'prod',
  ...more,
});

/** A directory that counts how often it is asked for each account. */
const world = (accounts: readonly Account[], find?: (id: string) => Promise<Account | undefined>) => {
  const clock = testClock();
  const known = new Map(accounts.map((each) => [each.id, each]));
  const asked: string[] = [];
  const findParent = createFindParent(
    {
      find: async (id) => {
        asked.push(id);
        return find ? find(id) : known.get(id);
      },
    },
    clock,
  );
  return { clock, known, asked, findParent };
};

const parentOf = async (accounts: readonly Account[], id = 'child') =>
  (await world(accounts).findParent(id))._unsafeUnwrap();

describe('the parent of an account', () => {
  const child = account('child', { parentId: 'parent' });
  test.each<[string, readonly Account[], string | undefined]>([
    ['is the one that it names', [child, account('parent')], 'parent'],
    ['whatever its status', [child, account('parent', { status: 'closed' })], 'parent'],
    ['is none when it names none', [account('child'), account('parent')], undefined],
    ['is none when it is not there', [account('parent')], undefined],
    ['is none when the parent is not there', [child], undefined],
    ['is none in another environment', [child, account('parent', { environment: 'dev' })], undefined],
    ['is not the account itself', [account('child', { parentId: 'child' })], undefined],
    [
      'is not its grandparent',
      [child, account('parent', { parentId: 'grandparent' }), account('grandparent')],
      'parent',
    ],
    ['may be its child, in a circle', [child, account('parent', { parentId: 'child' })], 'parent'],
    ['is none when the directory has no text for it', [account('child', { parentId: null as never })], undefined],
  ])('%s', async (_, accounts, expected) => {
    expect(await parentOf(accounts)).toBe(expected);
  });

  test('in another environment is found with environmentReach all', async () => {
    const known = [child, account('parent', { environment: 'dev', parentId: 'grandparent' }), account('grandparent')];
    const findParent = createFindParent(memoryAccounts(known), testClock(), 'all');
    expect((await findParent('child'))._unsafeUnwrap()).toBe('parent');
  });

  test('is none when the directory returns another account', async () => {
    const { findParent } = world([], async () => account('CHILD', { parentId: 'parent' }));
    expect((await findParent('child'))._unsafeUnwrap()).toBeUndefined();
  });
});

describe('a directory', () => {
  test('is read once for a burst, and again a second later', async () => {
    const { findParent, asked, clock, known } = world([account('child', { parentId: 'parent' }), account('parent')]);
    const burst = await Promise.all(Array.from({ length: 50 }, () => findParent('child')));
    expect((await findParent('child'))._unsafeUnwrap()).toBe('parent');
    expect(burst.every((each) => each.isOk())).toBe(true);
    expect(asked).toEqual(['child', 'parent']);
    known.set('child', account('child'));
    clock.set(clock.now() + second - 1);
    expect((await findParent('child'))._unsafeUnwrap()).toBe('parent');
    clock.set(clock.now() + 1);
    expect((await findParent('child'))._unsafeUnwrap()).toBeUndefined();
  });

  test.each([
    ['the account', 'child'],
    ['its parent', 'parent'],
  ])('that fails at %s is unavailable, with its cause', async (_, failing) => {
    const cause = new Error('down');
    const { findParent } = world([], async (id) => {
      if (id === failing) throw cause;
      return account(id, { parentId: 'parent' });
    });
    expect((await findParent('child'))._unsafeUnwrapErr()).toMatchObject({ code: 'unavailable', cause });
  });

  test('that hangs is unavailable after two seconds and blocks no other account', async () => {
    const { findParent, clock, asked } = world([], (id) =>
      id === 'hangs' ? new Promise(() => undefined) : Promise.resolve(account(id)),
    );
    const hung = findParent('hangs');
    const again = findParent('hangs');
    expect((await findParent('other'))._unsafeUnwrap()).toBeUndefined();
    await clock.advance(2 * second);
    for (const each of [await hung, await again]) expect(each._unsafeUnwrapErr().code).toBe('unavailable');
    expect(asked).toEqual(['hangs', 'other']);
    await clock.advance(minute);
    const later = findParent('hangs');
    await clock.advance(2 * second);
    expect((await later).isErr()).toBe(true);
    expect(asked).toEqual(['hangs', 'other', 'hangs']);
  });

  test('leaves no sleeper behind when it has answered', async () => {
    const { findParent, clock } = world([account('child')]);
    expect((await findParent('child')).isOk()).toBe(true);
    await settled();
    expect(clock.sleepers()).toBe(0);
  });

  test('times out when its process was suspended for longer than the timeout', async () => {
    const { findParent, clock } = world([], async (id) => {
      if (id === 'parent') clock.set(clock.now() + 2 * second);
      return account(id, { parentId: 'parent' });
    });
    expect((await findParent('child'))._unsafeUnwrapErr().code).toBe('unavailable');
  });
});
