import { createPartnerkit, day, defineObject } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender } from '@partnerkit/core/memory';
import { expect, inject, test } from 'vitest';
import { z } from 'zod';
import { postgresStorage } from '../src/index.ts';
import { useDatabase } from './support/fixtures.ts';

const database = useDatabase(inject('postgres'));
const accountId = 'acc_own';

/** Names of the greatest length. */
const [Invoice, payed] = [`Invoice${'_'.repeat(57)}`, `payed${'_'.repeat(59)}`] as const;
const schema = z.object({ id: z.string() });
const objects = [
  defineObject(Invoice, { schema, events: { creation: [], [payed]: [] } as const }),
  defineObject('Customer', { schema, events: { creation: [], removal: [] } }),
] as const;

test('the tables hold events and selectors of any objects: dispatch, replay and lists find them', async () => {
  await database.reset({ storeAhead: 0 });
  const sender = memorySender();
  const kit = createPartnerkit({
    accounts: memoryAccounts([{ id: accountId, name: 'Own', status: 'active', environment: 'prod' }]),
    storage: postgresStorage(database.pool()),
    tokens: memoryAccessTokens(),
    sender,
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32).fill(1) }] },
    objects,
  });
  const url = 'https://partner.example/hooks';
  const created = await kit.endpoints.create(accountId, { url, events: [`${Invoice}.${payed}`] });
  const { endpoint } = created._unsafeUnwrap();
  for (const { objectName, type } of kit.catalogue.entries) {
    const event = { accountId, objectName, type, data: { id: 'one' } };
    await kit.events.publish(event as never, { tx: 'new' });
  }
  const worker = kit.worker();
  const received = (): readonly string[] =>
    sender.posts.map(({ body }) => {
      const { objectName, type } = JSON.parse(body);
      return `${objectName}.${type}`;
    });
  await worker.drain();
  expect(received()).toEqual([`${Invoice}.${payed}`]);

  (await kit.endpoints.update(accountId, endpoint.id, { events: ['creation'] }))._unsafeUnwrap();
  const range = { from: 0, to: Date.now() + day };
  expect((await kit.deliveries.replay(accountId, endpoint.id, range))._unsafeUnwrap().deliveries).toBe(2);
  await worker.drain();
  expect(received().slice(1).toSorted()).toEqual(['Customer.creation', `${Invoice}.creation`]);

  const listed = await kit.deliveries.list(accountId, { objectName: Invoice, type: payed });
  expect(listed._unsafeUnwrap().items.map(({ state }) => state)).toEqual(['delivered']);
});
