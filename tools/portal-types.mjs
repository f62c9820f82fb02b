// Writes the types of the management API that packages/portal reads, from its OpenAPI document.
import { createPartnerkit } from '../packages/core/src/index.ts';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '../packages/core/src/memory.ts';
import { createRequests, requestObjects } from '../packages/core/src/requests.ts';
import { writeTypes } from './openapi-types.mjs';

const kit = createPartnerkit({
  accounts: memoryAccounts([]),
  storage: memoryStorage(),
  tokens: memoryAccessTokens(),
  sender: memorySender(),
  sealingKeys: [{ id: 'unused', key: new Uint8Array(32) }],
  objects: requestObjects,
});
const requests = createRequests({ kit, testEnvironments: ['sandbox'] });
const document = kit.openApi({
  title: 'Management API',
  routes: kit.managementRoutes({ authorize: () => undefined, requests }),
});
await writeTypes(
  { ...document, paths: {}, webhooks: {} },
  { target: 'packages/portal/src/element/management-api.ts', command: 'pnpm run portal:types' },
);
