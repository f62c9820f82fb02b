import { memoryStorage } from '@partnerkit/core/memory';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tenantsArbitrary } from '../../src/arbitraries/tenants.ts';
import { wholeEventsOf } from '../../src/contracts/support/stored.ts';
import { many, runs } from './support.ts';

test('no id of one tenant occurs in the other', () => {
  const property = fc.property(tenantsArbitrary(), ([ours, theirs]) => {
    const idsOf = (value: unknown): readonly unknown[] =>
      typeof value !== 'object' || value === null
        ? []
        : Object.entries(value).flatMap(([key, inner]) =>
            ['id', 'accountId', 'objectId', 'parentId', 'idempotencyKey'].includes(key) ? [inner] : idsOf(inner),
          );
    const known = new Set(idsOf(ours));
    expect(idsOf(theirs).filter((id) => known.has(id))).toEqual([]);
  });
  fc.assert(property, runs);
});

test('all that a tenant has is its account’s; its child is a child in the same environment', () => {
  const property = fc.property(tenantsArbitrary(), (tenants) => {
    for (const { account, child, clients, endpoints, events } of tenants) {
      for (const { accountId } of [...clients, ...endpoints, ...events]) expect(accountId).toBe(account.id);
      expect(account).not.toHaveProperty('parentId');
      expect(child).toMatchObject({ parentId: account.id, environment: account.environment });
    }
  });
  fc.assert(property, runs);
});

test('both survive storage side by side, and each is listed its own', async () => {
  const property = fc.asyncProperty(tenantsArbitrary(), async (tenants) => {
    const storage = memoryStorage();
    for (const { clients, endpoints, events } of tenants) {
      for (const client of clients) await storage.clients.insertClient(client);
      for (const endpoint of endpoints) expect(await storage.endpoints.insertEndpoint(endpoint, 20)).toBe(true);
      const outcomes = await storage.transaction((tx) => storage.events.append(tx, events));
      expect(outcomes.filter(({ kind }) => kind !== 'stored')).toEqual([]);
    }
    for (const { account, clients, endpoints, events } of tenants) {
      expect((await storage.clients.listClients(account.id, {})).items).toStrictEqual(clients);
      expect((await storage.endpoints.listEndpoints(account.id, {})).items).toStrictEqual(endpoints);
      expect(await wholeEventsOf(storage, account.id)).toStrictEqual(events);
    }
  });
  await fc.assert(property, runs);
});

test('events of one tenant may meet on one object', () => {
  const meets = many(tenantsArbitrary()).some((tenants) =>
    tenants.some(({ events }) => new Set(events.map(({ objectId }) => objectId)).size < events.length),
  );
  expect(meets).toBe(true);
});
