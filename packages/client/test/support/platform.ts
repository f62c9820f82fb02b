import { createPartnerkit } from '@partnerkit/core';
import { memoryAccessTokens, memoryAccounts, memorySender, memoryStorage } from '@partnerkit/core/memory';
import { createRequests, extendRequestObjects } from '@partnerkit/core/requests';
import { webHandler } from '@partnerkit/web';
import { createPartnerClient, type PartnerClientOptions } from '../../src/index.ts';

export const organisationId = 'org_main';
/** A payment request. */
export const payment = {
  name: 'Booking 42',
  amount: 120.5,
  currency: 'EUR',
  recipient: { email: 'guest@example.com' },
};

/** A clock that stands still; `sleep` moves it, and is recorded. */
const testClock = () => {
  const sleeps: number[] = [];
  let now = Date.parse('2027-01-01T00:00:00Z');
  return {
    sleeps,
    now: () => now,
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
    sleep: async (milliseconds: number) => {
      sleeps.push(milliseconds);
      now += milliseconds;
    },
  };
};

/** Answers a request in place of the platform; `undefined`: the platform answers. */
type Intercept = (request: Request, count: number) => Response | undefined | Promise<Response | undefined>;

/** A refusal. */
export const problem = (status: number, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify({ title: 'No', status, code: 'too_many_requests', detail: 'Wait.' }), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  });

/** Intercepts all requests but logins. */
export const afterLogin =
  (answer: (request: Request, count: number) => Response | undefined): Intercept =>
  (request, count) =>
    request.url.endsWith('/login') ? undefined : answer(request, count - 1);

/** The host's own routes, as its document describes them. */
export interface OwnPaths {
  readonly '/api/v1/partner/organisations/{organisationId}/charges': { readonly post: Own };
  readonly '/api/v1/partner/organisations/{organisationId}/refunds/{id}': {
    readonly patch: Own;
    readonly put: Own;
    readonly delete: Own;
  };
}
interface Own {
  readonly parameters: { readonly path: { readonly organisationId: string; readonly id?: string } };
  readonly responses: { readonly 204: { readonly content?: never } };
}

/** A platform, and a client of it without a network between them. */
export const platform = async (options: Partial<PartnerClientOptions> = {}, intercept: Intercept = () => undefined) => {
  const storage = memoryStorage();
  const account = { id: organisationId, name: 'Main', status: 'active', environment: 'prod' };
  const kit = createPartnerkit({
    accounts: memoryAccounts([account, { ...account, id: 'org_other' }]),
    storage,
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    advanced: { sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }] },
    objects: extendRequestObjects({}),
    oauth: { revocationDelay: 0 },
    api: { webhooks: true },
  });
  const requests = createRequests({ kit });
  /** What the host's own routes did before they answered. */
  const effects: string[] = [];
  let ownAnswer = { status: 503, headers: {}, body: '' };
  const own = (method: string, path: 'charges' | 'refunds/:id') =>
    kit.accountRoute(
      method,
      `/organisations/:organisationId/${path}`,
      async () => {
        effects.push(method);
        return ownAnswer;
      },
      { right: 'none' },
    );
  const ownRoutes = [own('POST', 'charges'), ...['PATCH', 'PUT', 'DELETE'].map((method) => own(method, 'refunds/:id'))];
  const handle = webHandler([...kit.routes, ...requests.routes, ...ownRoutes]);
  const key = (await kit.clients.create(organisationId, { name: 'test' }))._unsafeUnwrap();
  const sent: Request[] = [];
  const clock = testClock();
  const client = createPartnerClient({
    baseUrl: 'https://api.platform.example',
    clientId: key.client.id,
    clientSecret: key.secret,
    clock,
    fetch: async (url, init) => {
      const request = new Request(url, init);
      sent.push(request.clone());
      const intercepted = await intercept(request, sent.length);
      return intercepted ?? (await handle(request)) ?? new Response(null, { status: 404 });
    },
    ...options,
  });
  const logins = () => sent.filter(({ url }) => url.endsWith('/login')).length;
  const answerOwn = (status: number) => {
    ownAnswer = { ...ownAnswer, status };
  };
  return { kit, client, key, sent, clock, logins, effects, answerOwn };
};
