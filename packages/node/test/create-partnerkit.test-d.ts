import { defineCatalogue, defineObject, type Partnerkit } from '@partnerkit/core';
import { type MemoryTransaction, memoryAccessTokens, memoryAccounts, memoryStorage } from '@partnerkit/core/memory';
import { createPartnerkit, generateSigningKey, httpsSender } from '@partnerkit/node';
import { joseAccessTokens } from '@partnerkit/node/jose';
import { describe, expectTypeOf, test } from 'vitest';
import { z } from 'zod';

const payment = defineObject('RequestPayment', {
  schema: z.object({ id: z.string(), status: z.string() }),
  groups: { summary: ['status'] },
  events: { default: ['summary'] },
});
const given = {
  accounts: memoryAccounts([]),
  storage: memoryStorage(),
  sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }],
} as const;
const origin = 'https://api.platform.example';
const signingKeys = [generateSigningKey()] as const;

describe('createPartnerkit', () => {
  test('infers transaction, objects and catalogue, as that of core does', () => {
    const kit = createPartnerkit({ ...given, origin, signingKeys, objects: [payment] });
    expectTypeOf(kit).toEqualTypeOf<Partnerkit<MemoryTransaction, typeof payment>>();
    const data = { id: 'p', status: 'paid' };
    const outside = { accountId: 'a', objectName: 'RequestPayment', type: 'deletion', data } as const;
    // @ts-expect-error a pair outside the catalogue
    void kit.events.publish(outside, { tx: 'new' });
  });

  test('infers a catalogue of the host', () => {
    const catalogue = defineCatalogue({ Booking: ['confirmed', 'cancelled'] });
    const booking = catalogue.defineObject('Booking', {
      schema: z.object({ id: z.string() }),
      groups: { all: [] },
      events: { default: ['all'] },
    });
    const kit = createPartnerkit({ ...given, origin, signingKeys, catalogue, objects: [booking] });
    void kit.events.publish(
      { accountId: 'a', objectName: 'Booking', type: 'confirmed', data: { id: 'b' } },
      { tx: 'new' },
    );
    // @ts-expect-error a pair outside the catalogue
    void kit.events.publish({ accountId: 'a', objectName: 'Booking', type: 'paid', data: { id: 'b' } }, { tx: 'new' });
  });

  test('takes tokens and a sender of the host', async () => {
    createPartnerkit({ ...given, tokens: memoryAccessTokens(), sender: httpsSender(), objects: [payment] });
    const tokens = await joseAccessTokens({ keys: signingKeys as never, issuer: origin, audience: origin });
    createPartnerkit({ ...given, tokens, objects: [payment] });
  });

  test('refuses an unknown option', () => {
    // @ts-expect-error a misspelt option
    createPartnerkit({ ...given, origin, signingKey: signingKeys, objects: [payment] });
  });
});
