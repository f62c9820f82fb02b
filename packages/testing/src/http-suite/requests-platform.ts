import { type Account, createPartnerkit, type Route } from '@partnerkit/core';
import {
  type MemoryTransaction,
  memoryAccessTokens,
  memoryAccounts,
  memoryRequests,
  memorySender,
  memoryStorage,
} from '@partnerkit/core/memory';
import { createRequests, type Requests, requestObjects } from '@partnerkit/core/requests';
import { addKey } from './keys.ts';

const accounts: readonly Account[] = [
  { id: 'org_main', name: 'Main', status: 'active', environment: 'prod' },
  { id: 'org_child', name: 'Child', status: 'active', environment: 'prod', parentId: 'org_main' },
  { id: 'org_dev', name: 'Child of another environment', status: 'active', environment: 'dev', parentId: 'org_main' },
  { id: 'org_stranger', name: 'Stranger', status: 'active', environment: 'prod' },
];

/** What the cases about requests talk to. @internal */
export interface RequestsPlatform {
  readonly routes: readonly Route[];
  readonly requests: Requests<MemoryTransaction>;
  /** Access tokens: of two clients of `org_main`, and of one of `org_stranger`. */
  readonly tokens: Readonly<Record<'main' | 'second' | 'stranger', string>>;
  /** All that is stored, of every account, as text. */
  stored(): Promise<string>;
  /** The types of the events about one object, in order. */
  eventsOf(accountId: string, objectId: string): Promise<readonly string[]>;
}

/** A platform in memory whose partners manage requests. @internal */
export const createRequestsPlatform = async (): Promise<RequestsPlatform> => {
  const storage = memoryStorage();
  const stores = memoryRequests();
  const tokens = memoryAccessTokens();
  const kit = createPartnerkit({
    accounts: memoryAccounts(accounts),
    storage,
    tokens,
    sender: memorySender(),
    sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }],
    objects: requestObjects,
  });
  const requests = createRequests({ kit, storage, stores });
  const now = Math.floor(Date.now() / 1_000);
  const tokenFor = async (accountId: string, jti: string): Promise<string> => {
    const { client, secretId } = await addKey(kit.clients, accountId);
    return tokens.issue({
      clientId: client.id,
      accountId,
      environment: 'prod',
      secretId,
      scope: 'USER',
      jti,
      issuedAt: now + 1,
      expiresAt: now + 3_600,
    });
  };
  const eventsIn = async (accountId: string) => (await storage.events.listEvents(accountId, { limit: 100 })).items;
  return {
    requests,
    routes: [...kit.routes, ...requests.routes],
    tokens: {
      main: await tokenFor('org_main', 'main'),
      second: await tokenFor('org_main', 'second'),
      stranger: await tokenFor('org_stranger', 'stranger'),
    },
    stored: async () => {
      const kinds = [stores.payments, stores.deposits, stores.paymentTemplates, stores.depositTemplates];
      const rows = accounts.map(async (account) => [
        await Promise.all(kinds.map((store) => store.list(account, { limit: 100 }))),
        await eventsIn(account.id),
      ]);
      return JSON.stringify(await Promise.all(rows));
    },
    eventsOf: async (accountId, objectId) =>
      (await eventsIn(accountId)).filter((event) => event.objectId === objectId).map(({ type }) => type),
  };
};
