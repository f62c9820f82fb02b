import { createPartnerkit, defineObject } from '@partnerkit/core';
import { memoryAccessTokens, memorySender, memoryStorage } from '@partnerkit/core/memory';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { identifierArbitrary } from '../../src/arbitraries/identifiers.ts';
import { many, runs, smallest } from './support.ts';

const payment = defineObject('RequestPayment', {
  schema: z.object({ id: z.string(), status: z.string().optional() }),
  groups: { all: ['status'] },
  events: { default: ['all'] },
});

test('core takes every identifier: for an account, a name, a label, an object, an idempotency key', async () => {
  const kit = createPartnerkit({
    accounts: { find: async (id) => ({ id, name: id, status: 'active', environment: 'prod' }) },
    storage: memoryStorage(),
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    webhooks: { maxEndpoints: 1_000_000 },
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] },
    objects: [payment],
  });
  const property = fc.asyncProperty(identifierArbitrary(), async (text) => {
    const client = (await kit.clients.create(text, { name: text }))._unsafeUnwrap().client;
    expect((await kit.clients.addSecret(text, client.id, { label: text })).isOk()).toBe(true);
    const event = { accountId: text, objectName: 'RequestPayment', type: 'payed', data: { id: text } } as const;
    expect((await kit.events.tryPublish(event, { tx: 'new', idempotencyKey: text })).isOk()).toBe(true);
  });
  await fc.assert(property, runs);
});

test('identifiers reach 256 bytes and never more; some are not ASCII', () => {
  const lengths = many(identifierArbitrary()).map((text) => Buffer.byteLength(text));
  expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([1, 256]);
  expect(many(identifierArbitrary()).some((text) => /[^\x20-\x7e]/.test(text))).toBe(true);
  expect(smallest(identifierArbitrary())).toBe('a');
});
