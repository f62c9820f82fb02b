import { describe, expect, test } from 'vitest';
import type { Client } from '../../../src/access/clients/client.ts';
import { day } from '../../../src/base/runtime/time.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import { start, testClock } from '../../support/clock.ts';

const secret = (id: string, lastUsedAt?: number) => ({
  id,
  digest: 'd',
  createdAt: 0,
  revoked: false,
  ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
});
const client = (id: string, accountId = 'a', secrets = [secret('s')]): Client => ({
  id,
  accountId,
  name: 'n',
  createdAt: 0,
  disabled: false,
  secrets,
  tokensNotBefore: 0,
  version: 1,
});

test('finds what was inserted; an id is there once', async () => {
  const store = memoryStorage({ clock: testClock() }).clients;
  await store.insertClient(client('c'));
  expect(await store.findClient('c')).toEqual(client('c'));
  expect(await store.findClient('C')).toBeUndefined();
  await expect(store.insertClient(client('c', 'b'))).rejects.toThrow(Error);
  expect((await store.findClient('c'))?.accountId).toBe('a');
});

test('lists those of one account, in order', async () => {
  const store = memoryStorage({ clock: testClock() }).clients;
  for (const [id, account] of [
    ['c1', 'a'],
    ['c2', 'b'],
    ['c3', 'a'],
  ] as const)
    await store.insertClient(client(id, account));
  const idsOf = async (account: string) => (await store.listClients(account, {})).items.map(({ id }) => id);
  expect([await idsOf('a'), await idsOf('b'), await idsOf('')]).toEqual([['c1', 'c3'], ['c2'], []]);
});

describe('replaceClient', () => {
  test('of N simultaneous replacements exactly one succeeds, and the version grows by one', async () => {
    const store = memoryStorage({ clock: testClock() }).clients;
    await store.insertClient(client('c'));
    const won = await Promise.all(
      Array.from({ length: 10 }, (_, index) => store.replaceClient({ ...client('c'), name: String(index) })),
    );
    expect(won).toEqual([true, ...Array(9).fill(false)]);
    expect(await store.findClient('c')).toEqual({ ...client('c'), name: '0', version: 2 });
    expect(await store.replaceClient({ ...client('c'), name: 'late' })).toBe(false);
    expect(await store.replaceClient({ ...client('c'), name: 'next', version: 2 })).toBe(true);
  });

  test('a client that is not there: false', async () => {
    const store = memoryStorage({ clock: testClock() }).clients;
    expect(await store.replaceClient(client('c'))).toBe(false);
    expect(await store.findClient('c')).toBeUndefined();
  });

  test('keeps a login recorded meanwhile', async () => {
    const store = memoryStorage({ clock: testClock() }).clients;
    await store.insertClient(client('c', 'a', [secret('s', 5), secret('t', 9), secret('u')]));
    await store.touchSecret('c', 's', 7);
    await store.replaceClient(client('c', 'a', [secret('s', 5), secret('t', 10), secret('u'), secret('new')]));
    expect((await store.findClient('c'))?.secrets).toEqual([
      secret('s', 7),
      secret('t', 10),
      secret('u'),
      secret('new'),
    ]);
  });
});

describe('touchSecret', () => {
  test('never moves back, and does not count as a change', async () => {
    const store = memoryStorage({ clock: testClock() }).clients;
    await store.insertClient(client('c', 'a', [secret('s'), secret('t')]));
    await store.touchSecret('c', 's', 7);
    await store.touchSecret('c', 's', 6);
    expect(await store.findClient('c')).toEqual(client('c', 'a', [secret('s', 7), secret('t')]));
  });

  test('a client or secret that is gone is no error', async () => {
    const store = memoryStorage({ clock: testClock() }).clients;
    await store.insertClient(client('c'));
    await store.touchSecret('c', 'gone', 7);
    await store.touchSecret('gone', 's', 7);
    expect(await store.findClient('c')).toEqual(client('c'));
  });
});

test('a revoked token stays revoked until it expires, by any clock', async () => {
  const clock = testClock();
  const store = memoryStorage({ clock }).clients;
  const seconds = start / 1_000;
  await store.revokeToken('j', seconds + 10);
  expect([await store.isTokenRevoked('j'), await store.isTokenRevoked('k')]).toEqual([true, false]);
  clock.set(start + 10_000);
  await store.revokeToken('k', seconds + 20);
  expect([await store.isTokenRevoked('j'), await store.isTokenRevoked('k')]).toEqual([true, true]);
  // A day later the next revocation clears it away.
  clock.set(start + 11_000 + day);
  await store.revokeToken('l', seconds + 30);
  expect([await store.isTokenRevoked('j'), await store.isTokenRevoked('k')]).toEqual([false, true]);
});
