import { type Account, createPartnerkit, type Endpoints, type OpenApiDocument, type Route } from '@partnerkit/core';
import {
  type MemoryTransaction,
  memoryAccessTokens,
  memoryAccounts,
  memorySender,
  memoryStorage,
} from '@partnerkit/core/memory';
import {
  createRequests,
  extendRequestObjects,
  type OnCommand,
  type Requests,
  type RequestsOptions,
} from '@partnerkit/core/requests';
import { type ManualClock, manualClock } from '@partnerkit/testing';
import { addKey } from '../support/keys.ts';

const accounts: readonly Account[] = [
  { id: 'org_main', name: 'Main', status: 'active', environment: 'prod' },
  { id: 'org_child', name: 'Child', status: 'active', environment: 'prod', parentId: 'org_main' },
  { id: 'org_dev', name: 'Child of another environment', status: 'active', environment: 'dev', parentId: 'org_main' },
  { id: 'org_stranger', name: 'Stranger', status: 'active', environment: 'prod' },
  { id: 'org_test', name: 'Main, for tests', status: 'active', environment: 'test' },
];

/** Settings of a platform. */
export type RequestsSettings = Pick<
  RequestsOptions<MemoryTransaction>,
  'extend' | 'newId' | 'paymentUrl' | 'evidenceUpload' | 'uniqueReferences' | 'testEnvironments'
>;

/** An event as a partner receives it. */
interface SentEvent {
  readonly objectName: string;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: what each case makes of it is what it checks
  readonly data: any;
}

/** The platform that the cases of requests use. */
export interface RequestsPlatform {
  readonly routes: readonly Route[];
  /** Describes the routes. */
  document(): OpenApiDocument;
  readonly requests: Requests<MemoryTransaction>;
  readonly endpoints: Endpoints;
  /** The clock of the platform. */
  readonly clock: ManualClock;
  /** Access tokens: of two clients of `org_main`, of one of `org_stranger` and of one of `org_test`. */
  readonly tokens: Readonly<Record<'main' | 'second' | 'stranger' | 'test', string>>;
  /** The client of the token `main`. */
  readonly clientId: string;
  /** Sets the hook that runs at each command. */
  onCommand(hook: OnCommand<MemoryTransaction>): void;
  /** Publishes another event of the host in a transaction. */
  publish(accountId: string, objectId: string, tx: MemoryTransaction): Promise<void>;
  /** Every stored record of every account, as text. */
  stored(): Promise<string>;
  /** The types of the events of one object, in order. */
  eventsOf(accountId: string, objectId: string): Promise<readonly string[]>;
  /** The events of an account as they are sent, in order. */
  sentOf(accountId: string): Promise<readonly SentEvent[]>;
}

/** Creates a platform in memory whose partners manage requests, on a manual clock. */
export const createRequestsPlatform = async (settings: RequestsSettings = {}): Promise<RequestsPlatform> => {
  const clock = manualClock();
  const storage = memoryStorage({ clock });
  const stores = storage.requests;
  const tokens = memoryAccessTokens();
  const kit = createPartnerkit({
    accounts: memoryAccounts(accounts),
    storage,
    tokens,
    sender: memorySender(),
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }], clock },
    objects: extendRequestObjects(settings.extend ?? {}),
  });
  let hook: OnCommand<MemoryTransaction> | undefined;
  const requests = createRequests({
    returnOrigins: ['https://shop.example'],
    ...settings,
    kit,
    onCommand: (given) => hook?.(given),
  }) as Requests<MemoryTransaction>;

  const routes = [...kit.routes, ...requests.routes];
  const now = Math.floor(clock.now() / 1_000);
  const clientOf = async (accountId: string, environment = 'prod') => {
    const { client, secretId } = await addKey(kit.clients, accountId);
    const claims = { clientId: client.id, accountId, environment, secretId, scope: 'USER', jti: client.id };
    return { id: client.id, token: await tokens.issue({ ...claims, issuedAt: now, expiresAt: now + 3_600 }) };
  };
  const main = await clientOf('org_main');
  const eventsIn = async (accountId: string) => {
    const { items } = await storage.events.listEvents(accountId, { limit: 100 });
    const found = await Promise.all(items.map(({ id }) => storage.events.findEvent(accountId, id)));
    return found.filter((event) => event !== undefined);
  };
  const kinds = ['payments', 'deposits', 'cashOuts', 'paymentTemplates', 'depositTemplates'] as const;
  /** The records of one account, each with its history. */
  const recordsOf = (account: Account) =>
    Promise.all(
      kinds.map(async (kind) => {
        const { items } = await stores[kind].list(account, { limit: 100 });
        return Promise.all(
          items.map(async (item) => [item, await stores[kind].listHistory(account, item.id, { limit: 100 })]),
        );
      }),
    );
  return {
    requests,
    clock,
    endpoints: kit.endpoints,
    routes,
    document: () => kit.openApi({ title: 'Requests', routes }),
    tokens: {
      main: main.token,
      second: (await clientOf('org_main')).token,
      stranger: (await clientOf('org_stranger')).token,
      test: (await clientOf('org_test', 'test')).token,
    },
    clientId: main.id,
    onCommand: (next) => {
      hook = next;
    },
    publish: async (accountId, objectId, tx) => {
      const of = { id: objectId, organisationId: accountId };
      const data = { ...of, status: 'active', name: 'Ledger', createdAt: now, updatedAt: now };
      await kit.events.publish({ accountId, objectName: 'ModelRequestPayment', type: 'creation', data }, { tx });
    },
    stored: async () =>
      JSON.stringify(
        await Promise.all(accounts.map(async (account) => [await recordsOf(account), await eventsIn(account.id)])),
      ),
    eventsOf: async (accountId, objectId) =>
      (await eventsIn(accountId)).filter((event) => event.objectId === objectId).map(({ type }) => type),
    sentOf: async (accountId) => {
      await kit.worker().drain();
      return (await eventsIn(accountId)).flatMap((event) => ('body' in event ? [JSON.parse(event.body)] : []));
    },
  };
};
