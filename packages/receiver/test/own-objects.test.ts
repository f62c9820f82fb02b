import { randomBytes } from 'node:crypto';
import { createPartnerkit, day, defineObject } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memoryStorage } from '@partnerkit/core/memory';
import { undiciSender } from '@partnerkit/node/undici';
import { createCertificateAuthority, startHttpsReceiver } from '@partnerkit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createReceiver, memorySeenKeys, type Receiver } from '../src/index.ts';

const accountId = 'acc_partner';

/** A platform of a shop, with three objects of its own. */
const schema = z.object({ id: z.string() });
const objects = [
  defineObject('Invoice', {
    schema: z.object({ id: z.string(), total: z.number(), payer: z.email() }),
    events: { creation: ['total'], payed: ['total', 'payer'] },
  }),
  defineObject('Customer', { schema, events: { creation: [], removal: [] } }),
  defineObject('Shipment', { schema, events: { lost: [] } }),
] as const;

/** The platform, and a partner that receives over real TLS. */
const start = async () => {
  const authority = await createCertificateAuthority();
  const partner: { receiver?: Receiver; readonly received: string[]; readonly statuses: number[] } = {
    received: [],
    statuses: [],
  };
  const server = await startHttpsReceiver({
    ...(await authority.issue({ names: ['partner.test'] })),
    answer: async ({ method, path, headers, body }, response) => {
      const answer = await partner.receiver?.handle({ method, target: path, headers, body: Buffer.from(body) });
      partner.statuses.push(answer?.status ?? 500);
      response.writeHead(answer?.status ?? 500).end();
    },
  });
  const sender = undiciSender({
    ca: authority.certificate,
    allow: ['127.0.0.0/8'],
    lookup: async () => ['127.0.0.1'],
  });
  onTestFinished(async () => {
    await sender.close();
    await server.close();
  });

  const kit = createPartnerkit({
    accounts: memoryAccounts([{ id: accountId, name: 'Partner', status: 'active', environment: 'prod' }]),
    storage: memoryStorage(),
    tokens: memoryAccessTokens(),
    sender,
    advanced: { sealingKeys: [{ id: 'k1', key: randomBytes(32) }] },
    objects,
  });
  const url = `https://partner.test:${server.port}/webhooks`;
  const created = await kit.endpoints.create(accountId, { url, events: ['Invoice.payed'] });
  const { endpoint, secret } = created._unsafeUnwrap();
  partner.receiver = createReceiver({
    secrets: [secret],
    seen: memorySeenKeys(),
    schemas: { Invoice: z.strictObject({ id: z.string(), total: z.number(), payer: z.email() }) },
    on: {
      Invoice: { payed: ({ data }) => void partner.received.push(`${data.payer} payed ${data.total} for ${data.id}`) },
      Customer: { removal: ({ data }) => void partner.received.push(`removed ${data.id}`) },
      Shipment: { lost: ({ data }) => void partner.received.push(`lost ${data.id.slice(0, 5)}`) },
    },
  });
  return { kit, endpoint, partner, worker: kit.worker() };
};

test('a platform with objects of its own publishes, replays and tests; its partner receives what it selects', async () => {
  const { kit, endpoint, partner, worker } = await start();
  const data = { id: 'inv_1', total: 120, payer: 'zoe@example.org' };
  const { events } = kit;
  await events.publish({ accountId, objectName: 'Invoice', type: 'creation', data }, { tx: 'new' });
  await events.publish({ accountId, objectName: 'Invoice', type: 'payed', data }, { tx: 'new' });
  const removed = { accountId, objectName: 'Customer', type: 'removal', data: { id: 'cus_1' } } as const;
  const { eventId } = await events.publish(removed, { tx: 'new' });
  await worker.drain();
  expect(partner.received).toEqual(['zoe@example.org payed 120 for inv_1']);
  expect((await kit.deliveries.explain(accountId, eventId, endpoint.id))._unsafeUnwrap()).toEqual({
    kind: 'not_subscribed',
    events: ['Invoice.payed'],
  });

  const selected = await kit.endpoints.update(accountId, endpoint.id, { events: [...endpoint.events, 'removal'] });
  expect(selected._unsafeUnwrap().events).toEqual(['Invoice.payed', 'removal']);
  const range = { from: 0, to: Date.now() + day };
  expect((await kit.deliveries.replay(accountId, endpoint.id, range))._unsafeUnwrap()).toEqual({ deliveries: 2 });
  await worker.drain();
  expect(partner.received.slice(1)).toEqual(['removed cus_1']);

  const sent = await events.sendTest(accountId, endpoint.id, { objectName: 'Shipment', type: 'lost', data: {} });
  expect(sent.isOk()).toBe(true);
  await worker.drain();
  expect(partner.received.slice(2)).toEqual(['lost test_']);
  // The payment came twice, with one key.
  expect(partner.statuses).toEqual([204, 204, 204, 204]);

  const listed = await kit.events.list(accountId, { objectName: 'Invoice', type: 'payed' });
  expect(listed._unsafeUnwrap().items.map(({ objectName, type, objectId }) => [objectName, type, objectId])).toEqual([
    ['Invoice', 'payed', 'inv_1'],
  ]);
});
