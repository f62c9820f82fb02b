import { describe, expect, test } from 'vitest';
import type { Sealed } from '../../../src/base/crypto/seal.ts';
import { memoryStorage } from '../../../src/stores/memory/storage.ts';
import type { Endpoint } from '../../../src/webhooks/endpoints/endpoint.ts';

const endpoint = (id: string, accountId = 'a'): Endpoint => ({
  id,
  accountId,
  kind: 'push',
  url: 'https://x.example/',
  events: ['payed'],
  state: 'enabled',
  standardWebhooks: false,
  includeChildren: false,
  createdAt: 0,
  secret: 's' as Sealed,
  version: 1,
});

test('of N simultaneous inserts, exactly the maximum per account is stored', async () => {
  const { endpoints } = memoryStorage();
  const inserted = await Promise.all(
    Array.from({ length: 10 }, (_, index) => endpoints.insertEndpoint(endpoint(`e${index}`), 4)),
  );
  expect(inserted.filter((each) => each)).toHaveLength(4);
  expect(await endpoints.insertEndpoint(endpoint('b1', 'b'), 4)).toBe(true);
  expect(await endpoints.insertEndpoint(endpoint('b2', 'b'), 1)).toBe(false);
});

test('an id is there once', async () => {
  const { endpoints } = memoryStorage();
  await endpoints.insertEndpoint(endpoint('e'), 9);
  await expect(endpoints.insertEndpoint(endpoint('e', 'b'), 9)).rejects.toThrow(Error);
  expect(await endpoints.findEndpoint('a', 'e')).toEqual(endpoint('e'));
  expect(await endpoints.findEndpoint('b', 'e')).toBeUndefined();
});

describe('replaceEndpoint', () => {
  test('of N simultaneous replacements exactly one succeeds, and the version grows by one', async () => {
    const { endpoints } = memoryStorage();
    await endpoints.insertEndpoint(endpoint('e'), 9);
    const won = await Promise.all(
      Array.from({ length: 10 }, (_, index) => endpoints.replaceEndpoint({ ...endpoint('e'), label: String(index) })),
    );
    expect(won).toEqual([true, ...Array(9).fill(false)]);
    expect(await endpoints.findEndpoint('a', 'e')).toEqual({ ...endpoint('e'), label: '0', version: 2 });
  });

  test('never takes the endpoint of another account', async () => {
    const { endpoints } = memoryStorage();
    await endpoints.insertEndpoint(endpoint('e'), 9);
    expect(await endpoints.replaceEndpoint(endpoint('e', 'b'))).toBe(false);
    expect(await endpoints.replaceEndpoint(endpoint('none'))).toBe(false);
    expect(await endpoints.findEndpoint('a', 'e')).toEqual(endpoint('e'));
  });
});

test('deleteEndpoint, once, by its own account', async () => {
  const { endpoints } = memoryStorage();
  await endpoints.insertEndpoint(endpoint('e'), 9);
  expect(await endpoints.deleteEndpoint('b', 'e')).toBe(false);
  expect(await endpoints.deleteEndpoint('a', 'e')).toBe(true);
  expect(await endpoints.deleteEndpoint('a', 'e')).toBe(false);
  expect(await endpoints.findEndpoint('a', 'e')).toBeUndefined();
  expect((await endpoints.listEndpoints('a', {})).items).toEqual([]);
});
