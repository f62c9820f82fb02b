import { deepStrictEqual } from 'node:assert';
import { createPartnerkit } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { createRequests, extendRequestObjects } from '@partnerkit/core/requests';

/** The document names the schemas of each entry: what one entry says of a schema, the other reads. */
export const checkDocument = (): void => {
  const storage = memoryStorage();
  const kit = createPartnerkit({
    accounts: memoryAccounts([]),
    storage,
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] },
    objects: extendRequestObjects({}),
  });
  const requests = createRequests({ kit });
  const { schemas } = kit.openApi({ title: 'Partner API', routes: [...kit.routes, ...requests.routes] }).components;
  const named = ['Account', 'PaymentRequest', 'RequestPaymentData'].filter((name) => name in schemas);
  deepStrictEqual(named, ['Account', 'PaymentRequest', 'RequestPaymentData']);
};
