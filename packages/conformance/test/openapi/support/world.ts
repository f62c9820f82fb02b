import { createPartnerkit, type OpenApiDocument } from '@partnerkit/core';
import { mountRoutes, routeFinder } from '@partnerkit/core/adapter';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { createRequests, extendRequestObjects } from '@partnerkit/core/requests';
import { documentCheck } from '../../../src/http-suite/index.ts';

const account = { id: 'org_test', name: 'Test', status: 'active', environment: 'test' };
const recipient = { email: 'guest@example.com' };
const data = { id: 'pay_0', name: 'Stay', status: 'pending', amount: 1, currency: 'EUR', recipient };
const at = { createdAt: 1_798_761_600, updatedAt: 1_798_761_600 };
const alone = { tx: 'new' } as const;

/** A request of a partner, or of a person at the platform's web interface. */
export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A platform with every route, and one object of each kind for every path. Answers are checked by the document. */
export const createWorld = async () => {
  const storage = memoryStorage();
  const tokens = memoryAccessTokens();
  const kit = createPartnerkit({
    accounts: memoryAccounts([account]),
    storage,
    tokens: { ...tokens, jwks: async () => ({ keys: [] }) },
    sender: memorySender(() => ({ kind: 'answered', status: 200, body: '', durationMs: 1 })),
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] },
    objects: extendRequestObjects({}),
    webhooks: { maxEndpoints: 10_000 },
    api: { trustRemoteAddress: true },
    oauth: { metadata: { issuer: 'https://api.platform.example' } },
  });
  const requests = createRequests({
    kit,
    testEnvironments: ['test'],
    returnOrigins: ['https://pay.example'],
    evidenceUpload: async () => ({ id: 'f1', url: 'https://files.example/f1', expiresAt: 4_000_000_000_000 }),
  });
  const all = {
    keys: 'write',
    webhooks: 'write',
    deliveries: 'write',
    audit: 'read',
    alerts: 'write',
    sending: 'write',
  } as const;
  const session = { accountId: account.id, userId: 'user_1', can: all };
  const management = kit.managementRoutes({ authorize: () => session });
  const routes = [...kit.routes, ...requests.routes, ...management];
  const document: OpenApiDocument = kit.openApi({ title: 'Everything', routes });
  const find = routeFinder(mountRoutes(routes));
  const check = documentCheck(document);
  const addKey = async () => (await kit.clients.create(account.id, { name: 'Key' }))._unsafeUnwrap();
  const key = await addKey();
  const now = Math.floor(Date.now() / 1_000);
  const token = await tokens.issue({
    clientId: key.client.id,
    accountId: account.id,
    environment: account.environment,
    secretId: key.secretId,
    scope: 'USER',
    jti: 'jti_1',
    issuedAt: now,
    expiresAt: now + 3_600,
  });

  /** Answers a request, and checks that the document describes the answer. */
  const send = async ({ method, target, headers = {}, body = '' }: Sent) => {
    const request = {
      method,
      target,
      headers: { authorization: `Bearer ${token}`, ...headers },
      body: new TextEncoder().encode(body),
    };
    const answer = await find(target)?.handle(request);
    if (!answer) throw new TypeError(`No route serves ${target}.`);
    check(method, target, answer, { headers: request.headers, body });
    return answer;
  };

  let lastEndpoint: string | undefined;
  /** Creates what a path names, with a deposit whose cash-out the recipient disputes. */
  const fill = async (template: string): Promise<Readonly<Record<string, string>>> => {
    const { payments, deposits, cashOuts, paymentTemplates, depositTemplates } = requests;
    const sum = { name: 'Stay', currency: 'EUR' };
    const depositOf = async () => {
      const made = await deposits.create(account.id, { ...sum, depositAmount: 300, recipient }, alone);
      return made._unsafeUnwrap().id;
    };
    const cashOutOf = async (depositId: string) => {
      (await deposits.perform(account.id, depositId, 'succeedDeposit', alone))._unsafeUnwrap();
      return (await cashOuts.create(account.id, { depositId, amount: 20 }, alone))._unsafeUnwrap().id;
    };
    const organisationId = account.id;
    if (template.includes('/payment-requests/{id}'))
      return {
        organisationId,
        id: (await payments.create(account.id, { ...sum, amount: 20, recipient }, alone))._unsafeUnwrap().id,
      };
    if (template.includes('/security-deposits/{id}')) return { organisationId, id: await depositOf() };
    if (template.includes('cash-outs')) {
      const depositId = await depositOf();
      return { organisationId, depositId, id: await cashOutOf(depositId) };
    }
    if (template.includes('/payment-templates/{id}'))
      return {
        organisationId,
        id: (await paymentTemplates.create(account.id, { name: 'T' }, alone))._unsafeUnwrap().id,
      };
    if (template.includes('/security-deposit-templates/{id}'))
      return {
        organisationId,
        id: (await depositTemplates.create(account.id, { name: 'T' }, alone))._unsafeUnwrap().id,
      };
    if (template.includes('{keyId}')) {
      const { client, secretId } = await addKey();
      return { keyId: client.id, secretId };
    }
    if (template.includes('{endpointId}') || template.includes('{eventId}') || template.includes('{deliveryId}')) {
      // An event is sent to each endpoint there is.
      if (lastEndpoint !== undefined) (await kit.endpoints.delete(account.id, lastEndpoint))._unsafeUnwrap();
      const endpoint = await kit.endpoints.create(account.id, {
        url: 'https://partner.example/hooks',
        events: ['RequestPayment.creation'],
      });
      const endpointId = endpoint._unsafeUnwrap().endpoint.id;
      lastEndpoint = endpointId;
      const event = { accountId: account.id, objectName: 'RequestPayment', type: 'creation' } as const;
      await kit.events.publish({ ...event, data: { ...data, ...at, organisationId: account.id } as never }, alone);
      await kit.worker().drain();
      const listed = await kit.deliveries.list(account.id, { endpointId });
      const [delivery] = listed._unsafeUnwrap().items;
      (await kit.endpoints.prepareSecret(account.id, endpointId))._unsafeUnwrap();
      return { endpointId, eventId: delivery?.eventId ?? '', deliveryId: delivery?.id ?? '' };
    }
    return { organisationId };
  };

  return { document, send, fill, key };
};
