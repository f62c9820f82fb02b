import { defineObject, type Partnerkit } from '@partnerkit/core';
import { type MemoryTransaction, memoryAccessTokens, memoryAccounts, memoryStorage } from '@partnerkit/core/memory';
import { createPartnerkit, generateSigningKey, httpsSender, jwtAccessTokens } from '@partnerkit/node';
import { joseAccessTokens } from '@partnerkit/node/jose';
import { describe, expectTypeOf, test } from 'vitest';
import { z } from 'zod';

const booking = defineObject('Booking', {
  schema: z.object({ id: z.string(), status: z.string() }),
  events: { confirmed: ['status'] },
});
const given = {
  accounts: memoryAccounts([]),
  storage: memoryStorage(),
  secret: 'a secret',
} as const;
const origin = 'https://api.platform.example';
const key = generateSigningKey();

describe('createPartnerkit', () => {
  test('infers transaction and objects, as that of core does', () => {
    const kit = createPartnerkit({ ...given, origin, objects: [booking] });
    expectTypeOf(kit).toEqualTypeOf<Partnerkit<MemoryTransaction, typeof booking>>();
    const data = { id: 'p', status: 'paid' };
    const outside = { accountId: 'a', objectName: 'Booking', type: 'deletion', data } as const;
    // @ts-expect-error a pair outside the objects
    void kit.events.publish(outside, { tx: 'new' });
  });

  test('takes tokens and a sender of the host', async () => {
    createPartnerkit({ ...given, tokens: memoryAccessTokens(), sender: httpsSender(), objects: [booking] });
    const tokens = await joseAccessTokens({ keys: [key] as never, issuer: origin, audience: origin });
    createPartnerkit({ ...given, tokens, objects: [booking] });
    createPartnerkit({
      ...given,
      ...{ origin, objects: [booking] },
      tokens: (own) => jwtAccessTokens({ ...own, keys: [...own.keys, key] }),
    });
  });

  test('refuses an unknown option', () => {
    // @ts-expect-error a misspelt option
    createPartnerkit({ ...given, origins: origin, objects: [booking] });
  });
});
