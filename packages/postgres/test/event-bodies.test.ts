import { createPartnerkit, defineObject } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender } from '@partnerkit/core/memory';
import { expect, inject, test } from 'vitest';
import { z } from 'zod';
import { fromPg } from '../src/drivers/pg.ts';
import { postgresStorage, type SqlRow } from '../src/index.ts';
import { useDatabase } from './support/fixtures.ts';

const database = useDatabase(inject('postgres'));

test('lists of events and deliveries leave the bodies in the database', async () => {
  await database.reset({ storeAhead: 0 });
  const { query, ...driver } = fromPg(database.pool());
  let received = 0;
  const counted = (rows: readonly SqlRow[]): readonly SqlRow[] => {
    received += JSON.stringify(rows).length;
    return rows;
  };
  const kit = createPartnerkit({
    accounts: memoryAccounts([{ id: 'acc_a', name: 'Own', status: 'active', environment: 'prod' }]),
    storage: postgresStorage({ ...driver, query: async (...statement) => counted(await query(...statement)) }),
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] },
    objects: [
      defineObject('RequestPayment', {
        schema: z.object({ id: z.string(), note: z.string() }),
        groups: { all: ['note'] },
        events: { default: ['all'] },
      }),
    ],
  });
  const url = 'https://partner.example/hooks';
  expect((await kit.endpoints.create('acc_a', { url, events: ['payed'] })).isOk()).toBe(true);
  const about = { accountId: 'acc_a', objectName: 'RequestPayment', type: 'payed' } as const;
  const publish = async (nth: number) =>
    kit.events.publish({ ...about, data: { id: `large_${nth}`, note: 'x'.repeat(250_000) } }, { tx: 'new' });
  for (let nth = 0; nth < 4; nth += 1) await publish(nth);
  await kit.worker().drain();
  // These wait for their dispatch.
  for (let nth = 4; nth < 8; nth += 1) await publish(nth);

  received = 0;
  const { items } = (await kit.events.list('acc_a'))._unsafeUnwrap();
  expect(items).toHaveLength(8);
  expect((await kit.events.list('acc_a', { type: 'payed' }))._unsafeUnwrap().items).toHaveLength(8);
  expect((await kit.deliveries.list('acc_a'))._unsafeUnwrap().items).toHaveLength(4);
  expect(received).toBeLessThan(20_000);

  for (const { id } of items) {
    received = 0;
    expect((await kit.events.find('acc_a', id))._unsafeUnwrap().bodyTail.length).toBeGreaterThan(250_000);
    expect(received).toBeLessThan(260_000);
  }
});
