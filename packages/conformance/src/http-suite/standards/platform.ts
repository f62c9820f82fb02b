import { createHmac, createPrivateKey, randomUUID, sign } from 'node:crypto';
import { type Account, createPartnerkit, type OpenApiDocument, type Route } from '@partnerkit/core';
import { type AccessTokens, deliveryIdOf, type TokenClaims } from '@partnerkit/core/adapter';
import {
  type MemorySender,
  memoryAccounts,
  memoryRateLimiter,
  memorySender,
  memoryStorage,
} from '@partnerkit/core/memory';
import { CommandRejection, createRequests, requestObjects } from '@partnerkit/core/requests';
import { ed25519 } from '@partnerkit/core/wire';
import { type ManualClock, manualClock } from '@partnerkit/testing';
import { forgeries } from '../../attacks/tokens.ts';
import { deposit, payment } from '../requests/client.ts';
import { addKey, nobody } from '../support/keys.ts';
import { assertionValues } from './assertion-values.ts';
import type { StandardsHttpSuiteOptions } from './options.ts';

export const basePath = '/api/v1/partner';

const accounts: readonly Account[] = [
  { id: 'org_main', name: 'Gîte des Érables', status: 'active', environment: 'prod' },
  { id: 'org_child', name: 'Child', status: 'active', environment: 'prod', parentId: 'org_main' },
];
/** Its directory entry cannot be read. */
const unreachable = 'org_unreachable';
const webhookSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const webhook = '{"timestamp":1732147200,"data":{"id":"1"},"objectName":"RequestPayment","type":"payed"}';

/** A webhook as the platform sent it. */
type SentWebhook = MemorySender['posts'][number];

/** The platform that the rows of the standards are sent to. */
export interface StandardsPlatform {
  readonly routes: readonly Route[];
  readonly document: OpenApiDocument;
  readonly issuer: string;
  readonly clientId: string;
  /** The value of a name in a row. Each `<payment>` of a row is new, at version 1. */
  valueOf(name: string): Promise<string>;
  /** A path of the document with an existing object for each parameter. */
  pathOf(template: string): Promise<string>;
  /** Sends one event twice, because its receiver refuses the first attempt. */
  sentTwice(): Promise<{ readonly secret: string; readonly posts: readonly SentWebhook[] }>;
}

/** The claims of a token in a JWT of another type, by the same key. */
const ofOtherType = (token: string, key: StandardsHttpSuiteOptions['signingKey']): string => {
  const [, claims = ''] = token.split('.');
  const header = Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'JWT', kid: key.kid })).toString('base64url');
  const signer = { key: createPrivateKey({ key: { ...key }, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
  return `${header}.${claims}.${sign('sha256', Buffer.from(`${header}.${claims}`), signer).toString('base64url')}`;
};

/** The receiver of the rows of Standard Webhooks. */
const hook = { path: '/webhooks', secrets: [webhookSecret] } as const;

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const signed = (id: string, at: number, body: string): string => {
  const key = Buffer.from(webhookSecret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`;
};

/** No row is refused because another one was before. */
const unlimited = { points: 100_000, window: 60_000 };

const createKit = (
  tokens: AccessTokens,
  issuer: string,
  { sender, clock }: { readonly sender: MemorySender; readonly clock: ManualClock },
) => {
  const [known, limiter] = [memoryAccounts(accounts), memoryRateLimiter()];
  return createPartnerkit({
    accounts: {
      ...known,
      find: async (id) => {
        if (id === unreachable) throw new Error('no answer');
        return known.find(id);
      },
    },
    storage: memoryStorage({ clock }),
    tokens,
    sender,
    objects: requestObjects,
    oauth: { metadata: { issuer } },
    webhooks: {
      profiles: { public: { signatures: [ed25519({ keys: [{ id: 'w1', privateKey: new Uint8Array(32).fill(3) }] })] } },
    },
    limits: { failedLogins: { perAddress: unlimited, perClientAndAddress: unlimited } },
    shared: {
      // A client that nobody made has no attempt left.
      limiter: { ...limiter, take: async (key, rule) => (key.endsWith(nobody) ? 7_000 : limiter.take(key, rule)) },
    },
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }], clock },
  });
};

/** Creates the platform, in memory. */
export const createStandardsPlatform = async ({
  tokens,
  signingKey,
  receiver,
}: Pick<StandardsHttpSuiteOptions, 'tokens' | 'signingKey' | 'receiver'>): Promise<StandardsPlatform> => {
  const { issuer } = tokens;
  if (issuer === undefined)
    throw new TypeError('tokens: JWTs whose issuer is known, such as those of jwtAccessTokens.');
  let refuses = false;
  const sender = memorySender(() => ({ kind: 'answered', status: refuses ? 500 : 200, body: '', durationMs: 0 }));
  // Tokens are checked by the clock of the system.
  const clock = manualClock(Date.now());
  const kit = createKit(tokens, issuer, { sender, clock });
  const requests = createRequests({
    kit,
    testEnvironments: ['prod'],
    onCommand: ({ after }) => {
      const [, status] = /^status (\d+)$/.exec('name' in after ? String(after.name) : '') ?? [];
      if (status !== undefined)
        throw new CommandRejection({ code: 'rejected', detail: 'Rejected by the platform.', status: Number(status) });
    },
  });
  const { client, secretId, secret } = await addKey(kit.clients, 'org_main');
  const now = Math.floor(Date.now() / 1_000);
  const claims: TokenClaims = {
    ...{ clientId: client.id, accountId: 'org_main', environment: 'prod', secretId, scope: 'USER' },
    ...{ jti: 'token_1', issuedAt: now, expiresAt: now + 3_600 },
  };
  const token = await tokens.issue(claims);
  const other = await addKey(kit.clients, 'org_main');
  const issueNew = (change: Partial<TokenClaims> = {}) => tokens.issue({ ...claims, jti: randomUUID(), ...change });
  const target = { basePath, accountId: 'org_main', foreignAccountId: 'org_other', clientId: client.id };
  const forged = (name: string) => forgeries[name]?.(token, { ...target, clientSecret: secret, token }) ?? '';
  const made = async (path: 'payments' | 'deposits') =>
    (
      await (path === 'payments'
        ? requests.payments.create('org_main', payment, { tx: 'new' })
        : requests.deposits.create('org_main', deposit, { tx: 'new' }))
    )._unsafeUnwrap().id;

  const values: Readonly<Record<string, () => string | Promise<string>>> = {
    client: () => client.id,
    secret: () => secret,
    basic: () => base64(`${client.id}:${secret}`),
    basicEncoded: () => base64(`%${client.id.charCodeAt(0).toString(16)}${client.id.slice(1)}:${secret}`),
    basicWrong: () => base64(`${client.id}:wrong`),
    basicColon: () => base64(`${client.id}:${secret}:`),
    basicControl: () => base64(`${client.id}\u0007:${secret}`),
    basicLatin1: () => Buffer.from(`é:${secret}`, 'latin1').toString('base64'),
    limited: () => nobody,
    token: () => token,
    otherScope: () => tokens.issue({ ...claims, jti: 'token_2', scope: 'ADMIN' }),
    expired: () => tokens.issue({ ...claims, jti: 'token_3', issuedAt: now - 120, expiresAt: now - 60 }),
    newToken: () => issueNew(),
    tokenOfOther: () => issueNew({ clientId: other.client.id, secretId: other.secretId }),
    otherType: () => ofOtherType(token, signingKey),
    unsigned: () => forged('an unsigned JWT (alg "none")'),
    changed: () => forged('a JWT whose account was changed'),
    foreign: () => forged('a JWT signed with another key'),
    ...(await assertionValues(kit.clients, { accountId: 'org_main', issuer, login: `${basePath}/login`, token })),
    account: () => 'org_main',
    unreachable: () => unreachable,
    issuer: () => issuer,
    issuerPath: () => new URL(issuer).pathname.replace(/\/$/, ''),
    payment: () => made('payments'),
    deposit: () => made('deposits'),
    template: async () =>
      (await requests.paymentTemplates.create('org_main', { name: 'Stay' }, { tx: 'new' }))._unsafeUnwrap().id,
    webhook: () => webhook,
    now: () => String(now),
    signature: () => signed('msg_1', now, webhook),
    old: () => String(now - 600),
    oldSignature: () => signed('msg_1', now - 600, webhook),
  };
  const objects = once(async () => {
    const depositId = await made('deposits');
    (await requests.deposits.perform('org_main', depositId, 'succeedDeposit', { tx: 'new' }))._unsafeUnwrap();
    const cashOut = await requests.cashOuts.create('org_main', { depositId, amount: 5 }, { tx: 'new' });
    const depositTemplate = await requests.depositTemplates.create('org_main', { name: 'Stay' }, { tx: 'new' });
    const url = 'https://partner.example/management';
    const input = { url, events: ['creation'], standardWebhooks: true } as const;
    const { endpoint } = (await kit.endpoints.create('org_main', input))._unsafeUnwrap();
    const paymentId = await made('payments');
    await kit.worker().drain();
    const post = sender.posts.find((each) => each.url === url);
    const [eventId = '', endpointId = endpoint.id] = post?.headers['webhook-id']?.split('_') ?? [];
    const deliveryId = deliveryIdOf({ accountId: 'org_main', eventId, endpointId, replay: 0 });
    return {
      ...{ keyId: client.id, secretId, endpointId, eventId, deliveryId },
      'payment-requests': paymentId,
      'security-deposits': depositId,
      'cash-outs': cashOut._unsafeUnwrap().id,
      'payment-templates': await values['template']?.(),
      'security-deposit-templates': depositTemplate._unsafeUnwrap().id,
    } as Readonly<Record<string, string>>;
  });

  const can = {
    keys: 'write',
    webhooks: 'write',
    deliveries: 'write',
    audit: 'read',
    alerts: 'read',
    sending: 'read',
  } as const;
  const session = { accountId: 'org_main', userId: 'user_1', can };
  // A session is whatever the host makes of a request: here, any credentials.
  const management = kit.managementRoutes({
    authorize: ({ headers }) => (headers['authorization'] === undefined ? undefined : session),
  });
  const served = [...kit.routes, ...requests.routes];
  const described = kit.openApiRoute({ title: 'Standards', routes: served });
  const routes = [...served, described, ...management, receiver({ ...hook, otherwise: () => undefined })];
  return {
    routes,
    document: kit.openApi({ title: 'Standards', routes }),
    issuer,
    clientId: client.id,
    valueOf: async (name) => {
      const value = await values[name]?.();
      if (value === undefined) throw new TypeError(`standards: nothing is called <${name}>.`);
      return value;
    },
    pathOf: async (template) => {
      const known = await objects();
      return template
        .replace('{organisationId}', 'org_main')
        .replace('{depositId}', known['security-deposits'] ?? '')
        .replace(/\{(keyId|secretId|endpointId|eventId|deliveryId)\}/g, (_whole, name: string) => known[name] ?? '')
        .replace(/([\w-]+)\/\{id\}/, (_whole, collection: string) => `${collection}/${known[collection]}`);
    },
    sentTwice: once(async () => {
      const endpoint = { url: 'https://partner.example/hooks', events: ['creation'], standardWebhooks: true } as const;
      const created = (await kit.endpoints.create('org_child', endpoint))._unsafeUnwrap();
      (await requests.payments.create('org_child', payment, { tx: 'new' }))._unsafeUnwrap();
      refuses = true;
      await kit.worker().drain();
      refuses = false;
      await clock.pass(10_000);
      await kit.worker().drain();
      return { secret: created.secret, posts: sender.posts.filter(({ url }) => url === endpoint.url) };
    }),
  };
};
