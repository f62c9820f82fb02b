import type { ClaimedDelivery, ClaimRequest } from '@partnerkit/core';
import { memorySender } from '@partnerkit/core/memory';
import { describe, expect, inject, test } from 'vitest';
import { fromPg, postgresStorage } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';
import { addEndpoint, type Kit, openKit, payed } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));
const want: ClaimRequest = {
  worker: 'w',
  limit: 64,
  perEndpoint: 16,
  perAccount: 64,
  lease: 60_000,
  schedule: [60_000],
};

/** Storage that has seen no endpoint yet, and what it asks. */
const openStorage = async () => {
  const statements: string[] = [];
  const driver = fromPg(database.pool());
  const query: typeof driver.query = (text, values) => {
    statements.push(text);
    return driver.query(text, values);
  };
  const storage = postgresStorage({ ...driver, query });
  // The schema is looked at once.
  await storage.endpoints.findEndpoint('nobody', '');
  await storage.endpoints.listEndpoints('nobody', { limit: 1 });
  statements.length = 0;
  return { storage, statements };
};

/** One of each kind: with an API key, with a secret to come, with the events of children. */
const addEndpoints = async (kit: Kit, count: number): Promise<void> => {
  for (let nth = 0; nth < count; nth++) {
    const id = await addEndpoint(kit, 'ours', `e-${nth}`, { includeChildren: nth % 3 === 0 });
    if (nth % 3 === 1)
      (await kit.endpoints.update('ours', id, { apiKey: { header: 'x-key', value: 'open sesame' } }))._unsafeUnwrap();
    if (nth % 3 === 2) (await kit.endpoints.prepareSecret('ours', id))._unsafeUnwrap();
  }
};

const expectStored = async (claimed: readonly ClaimedDelivery[]): Promise<void> => {
  const { endpoints } = postgresStorage(database.pool());
  for (const { endpoint } of claimed)
    expect(endpoint).toEqual(await endpoints.findEndpoint(endpoint.accountId, endpoint.id));
};

describe.each([
  ['a few deliveries come with their endpoints', 8, 1],
  ['more of them have their endpoints read once', 9, 2],
] as const)('%s', (_, count, asked) => {
  test.each(['at a dispatch', 'at a claim'] as const)('%s', async (how) => {
    await database.reset({ storeAhead: 0 });
    const { storage, statements } = await openStorage();
    const kit = openKit(postgresStorage(database.pool()), { sender: memorySender() });
    await addEndpoints(kit, count);
    await kit.events.publish(payed('ours', 'p1'), { tx: 'new' });
    if (how === 'at a claim') await postgresStorage(database.pool()).queue.dispatch({ ...want, limit: 0 });

    const { claimed } = how === 'at a dispatch' ? await storage.queue.dispatch(want) : await storage.queue.claim(want);
    expect(claimed).toHaveLength(count);
    expect(statements).toHaveLength(asked);
    await expectStored(claimed);
    await storage.queue.release(claimed);

    statements.length = 0;
    const { claimed: again } = await storage.queue.claim(want);
    expect(again).toHaveLength(count);
    expect(statements, 'an endpoint that is known is not read again').toHaveLength(1);
    await expectStored(again);
  });
});

test('an endpoint that was changed since is told as it is now', async () => {
  await database.reset({ storeAhead: 0 });
  const { storage } = await openStorage();
  const kit = openKit(postgresStorage(database.pool()), { sender: memorySender() });
  const id = await addEndpoint(kit, 'ours', 'before');
  await kit.events.publish(payed('ours', 'p1'), { tx: 'new' });
  const { claimed } = await storage.queue.dispatch(want);
  await storage.queue.release(claimed);
  (await kit.endpoints.update('ours', id, { label: 'after' }))._unsafeUnwrap();
  const [delivery] = (await storage.queue.claim(want)).claimed;
  expect(delivery?.endpoint.label).toBe('after');
});
