import { createHmac } from 'node:crypto';
import {
  type Account,
  createPartnerkit,
  type HttpResponse,
  type OpenApiDocument,
  type PartnerkitOptions,
  type Route,
} from '@partnerkit/core';
import type { AccessTokens, RateLimiter, TokenClaims } from '@partnerkit/core/adapter';
import {
  type MemoryTransaction,
  memoryAccessTokens,
  memoryAccounts,
  memoryRateLimiter,
  memorySender,
  memoryStorage,
} from '@partnerkit/core/memory';
import { addKey } from '../support/keys.ts';
import { deadKeys } from './dead-keys.ts';
import { deadTokens } from './dead-tokens.ts';

/** 150 bytes: longer than some routers allow for a parameter. */
export const longId = `org_${'x'.repeat(146)}`;

const accounts: readonly Account[] = [
  { id: 'org_parent', name: 'Parent', status: 'active', environment: 'prod' },
  { id: 'org_main', name: 'Gîte des Érables 🏡', status: 'active', environment: 'prod', parentId: 'org_parent' },
  { id: 'org_child', name: 'Child', status: 'closed', environment: 'prod', parentId: 'org_main' },
  { id: 'org/ü 1', name: 'Odd id', status: 'active', environment: 'prod', parentId: 'org_main' },
  { id: longId, name: 'Long id', status: 'active', environment: 'prod', parentId: 'org_main' },
  { id: 'org_grandchild', name: 'Grandchild', status: 'active', environment: 'prod', parentId: 'org_child' },
  { id: 'org_dev', name: 'Child of another environment', status: 'active', environment: 'dev', parentId: 'org_main' },
  { id: 'org_stranger', name: 'Stranger', status: 'active', environment: 'prod' },
  { id: 'org_suspended', name: 'Suspended', status: 'suspended', environment: 'prod' },
];

/** An account that was deleted after its client had logged in. */
const deleted: Account = { id: 'org_gone', name: 'Gone', status: 'active', environment: 'prod' };

const text = (status: number, body: string): HttpResponse => ({
  status,
  headers: { 'content-type': 'text/plain' },
  body,
});
const webhookSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
/** API keys of the receivers that require one, by the name of the header. */
export const receiverKeys = { 'X-API-Key': 'pk_live_8f3a', Authorization: 'Bearer pk_live_8f3a' } as const;

/**
 * A receiver that the suite needs.
 * @public
 */
export interface SuiteReceiver {
  /** Path of the route. */
  readonly path: `/${string}`;
  /** Webhook secrets to accept. */
  readonly secrets: readonly [string, ...string[]];
  /** API key to require. @defaultValue none */
  readonly deliveryHeader?: {
    /** Name of the header. */
    readonly name: string;
    /** Value of the header. */
    readonly value: string;
  };
  /** Call this with every processed event. */
  readonly otherwise: (event: unknown) => void;
}

/** The platform under test, with the credentials that the cases use. */
export interface Platform {
  readonly routes: readonly Route[];
  /** Describes the routes. */
  readonly document: OpenApiDocument;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly token: string;
  /** A token of an account that was suspended after the login. */
  readonly suspendedToken: string;
  /** A token with a scope that no route accepts. */
  readonly otherScopeToken: string;
  /** Keys that do not log in, by their fault. */
  readonly deadKeys: Readonly<Record<string, { readonly id: string; readonly secret: string }>>;
  /** Issued tokens that are refused, by the reason. */
  readonly deadTokens: Readonly<Record<string, string>>;
  /** `X-WEBHOOK-SIGNATURE` of a body. */
  sign(body: string | Uint8Array): string;
  /** The headers of Standard Webhooks for a body; `ahead` moves the timestamp, in seconds. */
  signStandard(body: string | Uint8Array, ahead?: number, id?: string): Readonly<Record<string, string>>;
  /** The events that its receivers processed. */
  readonly processed: readonly unknown[];
}

type KitOptions = PartnerkitOptions<MemoryTransaction, []> & { readonly tokens: AccessTokens };

type Options = KitOptions & {
  readonly shared: {
    readonly limiter: RateLimiter;
  };
};

/** Changes that a test makes to the platform. */
export interface PlatformSettings {
  readonly receiver?: ((wanted: SuiteReceiver) => Route) | undefined;
  /** Wraps or replaces the options of the kit. */
  readonly adapt?: (options: Options) => KitOptions;
}

const options: () => Options = () => ({
  accounts: memoryAccounts(accounts),
  storage: memoryStorage(),
  tokens: { ...memoryAccessTokens(), jwks: async () => ({ keys: [{ kty: 'EC', crv: 'P-256', kid: 'k1' }] }) },
  sender: memorySender(),
  limits: {
    failedLogins: {
      perClientAndAddress: { points: 1_000, window: 60_000 },
      perAddress: { points: 1_000, window: 60_000 },
    },
  },
  shared: { limiter: memoryRateLimiter() },
  advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] },
  objects: [],
});

const mapped = async <F, T>(
  entries: Readonly<Record<string, F>>,
  make: (entry: F) => Promise<T>,
): Promise<Readonly<Record<string, T>>> =>
  Object.fromEntries(
    await Promise.all(Object.entries(entries).map(async ([name, entry]) => [name, await make(entry)])),
  );

/** The same platform for every framework: memory adapters, and a few routes of the host. */
export const createPlatform = async ({
  receiver,
  adapt = (same) => same,
}: PlatformSettings = {}): Promise<Platform> => {
  const adapted = adapt(options());
  const kit = createPartnerkit(adapted);
  // The same kit before an account was deleted.
  const { clients } = createPartnerkit({ ...adapted, accounts: memoryAccounts([...accounts, deleted]) });
  const { client, secretId, secret } = await addKey(clients, 'org_main');
  const suspended = await addKey(clients, 'org_suspended');
  const now = Math.floor(Date.now() / 1_000);
  const good: TokenClaims = {
    clientId: client.id,
    accountId: 'org_main',
    environment: 'prod',
    secretId,
    scope: 'USER',
    jti: 'good',
    issuedAt: now - 60,
    expiresAt: now + 3_600,
  };
  const { issue } = adapted.tokens;

  const processed: unknown[] = [];
  const receiving = { secrets: [webhookSecret], otherwise: (event: unknown) => void processed.push(event) } as const;
  const receivers = ({ path, deliveryHeader }: Pick<SuiteReceiver, 'path' | 'deliveryHeader'>): readonly Route[] =>
    receiver ? [receiver({ ...receiving, path, ...(deliveryHeader ? { deliveryHeader } : {}) })] : [];

  const own = '/organisations/:organisationId';
  return {
    document: kit.openApi({ title: 'Suite' }),
    routes: [
      ...kit.routes,
      kit.accountRoute(
        'GET',
        `${own}/notes/:noteId`,
        async ({ account, scope }, _request, { noteId }) => text(200, `${account.id} ${noteId} ${scope}`),
        { right: 'none' },
      ),
      kit.accountRoute(
        'PUT',
        `${own}/notes/:noteId`,
        async (_caller, { body }) =>
          text(200, ArrayBuffer.isView(body) ? new TextDecoder().decode(body) : JSON.stringify(body)),
        { right: 'none' },
      ),
      kit.accountRoute('DELETE', `${own}/notes/:noteId`, async () => ({ status: 204, headers: {}, body: '' }), {
        right: 'none',
      }),
      kit.accountRoute(
        'GET',
        `${own}/sent`,
        async (_caller, { body }) =>
          text(200, ArrayBuffer.isView(body) ? `${body.length} bytes` : JSON.stringify(body)),
        { right: 'none' },
      ),
      kit.accountRoute(
        'GET',
        `${own}/broken`,
        async () => {
          throw new Error('a secret of the platform');
        },
        { right: 'none' },
      ),
      ...receivers({ path: '/webhooks' }),
      ...Object.entries(receiverKeys).flatMap(([name, value]) =>
        receivers({ path: `/webhooks/${name}`, deliveryHeader: { name, value } }),
      ),
    ],
    clientId: client.id,
    clientSecret: secret,
    token: await issue(good),
    suspendedToken: await issue({
      ...good,
      clientId: suspended.client.id,
      accountId: 'org_suspended',
      secretId: suspended.secretId,
    }),
    otherScopeToken: await issue({ ...good, jti: 'other scope', scope: 'ADMIN' }),
    deadKeys: await mapped(deadKeys, (make) => make(clients, { id: client.id, secret })),
    deadTokens: await mapped(deadTokens, (make) => make({ clients, good, issue })),
    processed,
    sign: (body) => createHmac('sha1', webhookSecret).update(body).digest('hex'),
    signStandard: (body, ahead = 0, id = 'msg_1') => {
      const timestamp = String(Math.floor(Date.now() / 1_000) + ahead);
      const key = Buffer.from(webhookSecret.slice('whsec_'.length), 'base64');
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
      return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
    },
  };
};
