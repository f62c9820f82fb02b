import { defineCatalogue, defineObject, type Partnerkit } from '@partnerkit/core';
import { type MemoryTransaction, memoryAccessTokens, memoryAccounts, memoryStorage } from '@partnerkit/core/memory';
import { createPartnerkit, generateSigningKey, httpsSender, jwtAccessTokens } from '@partnerkit/node';
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
  secret: 'a secret',
} as const;
const origin = 'https://api.platform.example';
const key = generateSigningKey();

describe('createPartnerkit', () => {
  test('infers transaction, objects and catalogue, as that of core does', () => {
    const kit = createPartnerkit({ ...given, origin, objects: [payment] });
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
    const kit = createPartnerkit({ ...given, origin, catalogue, objects: [booking] });
    void kit.events.publish(
      { accountId: 'a', objectName: 'Booking', type: 'confirmed', data: { id: 'b' } },
      { tx: 'new' },
    );
    // @ts-expect-error a pair outside the catalogue
    void kit.events.publish({ accountId: 'a', objectName: 'Booking', type: 'paid', data: { id: 'b' } }, { tx: 'new' });
  });

  test('takes tokens and a sender of the host', async () => {
    createPartnerkit({ ...given, tokens: memoryAccessTokens(), sender: httpsSender(), objects: [payment] });
    const tokens = await joseAccessTokens({ keys: [key] as never, issuer: origin, audience: origin });
    createPartnerkit({ ...given, tokens, objects: [payment] });
    createPartnerkit({
      ...given,
      ...{ origin, objects: [payment] },
      tokens: (own) => jwtAccessTokens({ ...own, keys: [...own.keys, key] }),
    });
  });

  test('refuses an unknown option', () => {
    // @ts-expect-error a misspelt option
    createPartnerkit({ ...given, origins: origin, objects: [payment] });
  });
});
