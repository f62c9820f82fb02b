import { createPartnerkit, type OpenApiDocument, type OpenApiOptions } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { createRequests, extendRequestObjects } from '@partnerkit/core/requests';

const anyLimit = { points: 1, window: 1_000 };

/** The document of the partner API that the specification describes, without anything of a host. */
export const specificationDocument = (options: OpenApiOptions): OpenApiDocument => {
  const storage = memoryStorage();
  const kit = createPartnerkit({
    accounts: memoryAccounts([]),
    storage,
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    advanced: { sealingKeys: [{ id: 'unused', key: new Uint8Array(32) }] },
    objects: extendRequestObjects({}),
    // A platform may have limits: the document then lists 429.
    limits: { loginsPerClient: anyLimit, callsPerClient: anyLimit },
    api: { webhooks: true },
  });
  const requests = createRequests({ kit, testEnvironments: ['test'] });
  return kit.openApi({ routes: [...kit.routes, ...requests.routes], ...options });
};
