import { describe, expect, test } from 'vitest';
import type { Client } from '../../../src/access/clients/client.ts';
import { createClientCache } from '../../../src/access/clients/client-cache.ts';
import type { ClientStore } from '../../../src/access/clients/client-store.ts';
import { minute } from '../../../src/base/runtime/time.ts';
import { start, testClock } from '../../support/clock.ts';

const client = (version: number): Client => ({
  id: 'c',
  accountId: 'a',
  name: 'n',
  createdAt: 0,
  disabled: false,
  secrets: [],
  tokensNotBefore: 0,
  version,
});

const open = (store: ClientStore, staleness: number, clock = testClock()) =>
  createClientCache({ store, staleness, clock, maxStaleness: minute, onError: () => expect.unreachable() });

/** A store that counts questions, and whose answers can be kept back. */
const counting = () => {
  const state = { version: 1, revoked: false, asked: 0, down: false };
  const store = {
    findClient: async () => {
      state.asked++;
      if (state.down) throw new Error('down');
      return client(state.version);
    },
    isTokenRevoked: async () => {
      state.asked++;
      return state.revoked;
    },
  } as unknown as ClientStore;
  return { state, store };
};

describe('a staleness of 1000 ms', () => {
  test('a read is cached for 999 ms and no longer', async () => {
    const clock = testClock();
    const { state, store } = counting();
    const fresh = open(store, 1_000, clock);
    expect((await fresh.client('c'))?.version).toBe(1);
    state.version = 2;
    clock.set(start + 999);
    expect((await fresh.client('c'))?.version).toBe(1);
    clock.set(start + 1_000);
    expect((await fresh.client('c'))?.version).toBe(2);
    expect(state.asked).toBe(2);
  });

  test('a read of a revoked token is cached likewise, each on its own', async () => {
    const clock = testClock();
    const { state, store } = counting();
    const fresh = open(store, 1_000, clock);
    expect(await fresh.isTokenRevoked('j1')).toBe(false);
    state.revoked = true;
    expect(await fresh.isTokenRevoked('j1')).toBe(false);
    expect(await fresh.isTokenRevoked('j2')).toBe(true);
    clock.set(start + 1_000);
    expect(await fresh.isTokenRevoked('j1')).toBe(true);
  });

  test('simultaneous requests share one read', async () => {
    const { state, store } = counting();
    const fresh = open(store, 1_000);
    await Promise.all(Array.from({ length: 10 }, () => fresh.client('c')));
    expect(state.asked).toBe(1);
  });

  test('a change in this process drops the cached read at once', async () => {
    const { state, store } = counting();
    const fresh = open(store, 1_000);
    await fresh.client('c');
    await fresh.isTokenRevoked('j');
    await fresh.runChange('c', async () => {
      state.version = 2;
    });
    await fresh.runChange('j', async () => {
      state.revoked = true;
    });
    expect((await fresh.client('c'))?.version).toBe(2);
    expect(await fresh.isTokenRevoked('j')).toBe(true);
  });

  test('a read that started before a change is not cached after it', async () => {
    const { promise, resolve } = Promise.withResolvers<Client>();
    let asked = 0;
    const store = { findClient: async () => (++asked === 1 ? promise : client(2)) } as unknown as ClientStore;
    const fresh = open(store, 1_000);
    const early = fresh.client('c');
    await fresh.runChange('c', async () => undefined);
    resolve(client(1));
    expect((await early)?.version).toBe(1);
    expect((await fresh.client('c'))?.version).toBe(2);
  });

  test('a failed change drops the cached read too', async () => {
    const { state, store } = counting();
    const fresh = open(store, 1_000);
    await fresh.client('c');
    const changing = fresh.runChange('c', async () => {
      state.version = 2;
      throw new Error('the answer was lost');
    });
    await expect(changing).rejects.toThrow('the answer was lost');
    expect((await fresh.client('c'))?.version).toBe(2);
  });

  test('a failed read is repeated', async () => {
    const { state, store } = counting();
    const fresh = open(store, 1_000);
    state.down = true;
    await expect(fresh.client('c')).rejects.toThrow('down');
    state.down = false;
    expect((await fresh.client('c'))?.version).toBe(1);
  });

  test('a clock that is set back does not extend a cached read', async () => {
    const clock = testClock();
    const { state, store } = counting();
    const fresh = open(store, 1_000, clock);
    await fresh.client('c');
    state.version = 2;
    clock.set(start - 3_600_000);
    expect((await fresh.client('c'))?.version).toBe(2);
  });
});

test('a staleness of 0 reads each time', async () => {
  const { state, store } = counting();
  const fresh = open(store, 0);
  for (let times = 1; times <= 3; times++) {
    state.version = times;
    expect((await fresh.client('c'))?.version).toBe(times);
    await fresh.isTokenRevoked('j');
  }
  expect(state.asked).toBe(6);
});

test.each([0, 1_000])(
  'staleness %i: an answer that nobody waits for may fail, and no rejection is left unhandled',
  async (staleness) => {
    const unhandled: unknown[] = [];
    const note = (cause: unknown): void => void unhandled.push(cause);
    process.on('unhandledRejection', note);
    const { state, store } = counting();
    state.down = true;
    void open(store, staleness).client('c');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(state.asked).toBe(1);
    expect(unhandled).toEqual([]);
  },
);
