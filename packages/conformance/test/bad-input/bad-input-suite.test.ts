import type { Storage } from '@partnerkit/core/adapter';
import { memoryStorage } from '@partnerkit/core/memory';
import { describe, expect, test } from 'vitest';
import { badCalls } from '../../src/bad-input/bad-calls.ts';
import { badInputSuite } from '../../src/bad-input/bad-input-suite.ts';

describe('over memory', () => {
  badInputSuite({ test, storage: async () => memoryStorage() });
});

test('each input is named once', () => {
  const names = badCalls.map(({ group, input }) => `${group}: ${input}`);
  expect(new Set(names).size).toBe(names.length);
});

describe('a storage with one thing wrong fails', () => {
  /** The names of the cases that a storage fails. */
  const failed = async (spoil: (storage: Storage<object>) => Storage<object>): Promise<readonly string[]> => {
    const cases: { readonly name: string; readonly run: () => Promise<void> }[] = [];
    badInputSuite({
      test: (name, run) => cases.push({ name, run }),
      storage: async () => spoil(memoryStorage()),
    });
    const names: string[] = [];
    for (const { name, run } of cases) await run().catch(() => names.push(name));
    return names;
  };

  test('none of the cases, if nothing is', async () => {
    expect(await failed((storage) => storage)).toEqual([]);
  });

  test('one that stores what it is asked for', async () => {
    const names = await failed((storage) => {
      const { insertClient, findClient } = storage.clients;
      let asked = 0;
      const sample = { name: '', createdAt: 0, disabled: true, secrets: [], tokensNotBefore: 0, version: 1 };
      return {
        ...storage,
        clients: {
          ...storage.clients,
          findClient: async (id) => {
            await insertClient({ ...sample, id: `asked ${asked++}`, accountId: 'acc_own' });
            return findClient(id);
          },
        },
      };
    });
    expect(names).toContain('client: a client that does not exist');
    expect(names).not.toContain('endpoint: an endpoint that does not exist');
  });

  test('one that commits what was refused', async () => {
    const names = await failed((storage) => ({
      ...storage,
      events: {
        ...storage.events,
        // One by one: what came before the conflict is not taken back.
        appendAlone: async (events) => {
          const outcomes = [];
          for (const event of events)
            outcomes.push(...(await storage.transaction((tx) => storage.events.append(tx, [event]))));
          return outcomes;
        },
      },
    }));
    expect(names).toEqual(['event: an idempotency key that was used for other content']);
  });

  test('one that rejects instead of finding nothing', async () => {
    const names = await failed((storage) => ({
      ...storage,
      endpoints: {
        ...storage.endpoints,
        findEndpoint: async (accountId, id) => {
          const endpoint = await storage.endpoints.findEndpoint(accountId, id);
          if (!endpoint) throw new Error('no rows');
          return endpoint;
        },
      },
    }));
    expect(names).toContain('endpoint: an endpoint that does not exist');
    expect(names).not.toContain('client: a client that does not exist');
  });
});
