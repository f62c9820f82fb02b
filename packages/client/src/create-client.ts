import createOpenApiClient, { type Client } from 'openapi-fetch';
import type { paths } from '#partner-api';
import { createAccessToken } from './access-token.ts';
import { createEvents, createReadEvents, type EventsOptions, type PulledEvent } from './events.ts';
import { fillPath } from './fill-path.ts';
import { createFollow, type FollowOptions } from './follow.ts';
import { idempotentPosts } from './idempotent-posts.ts';
import { createItems, type Items } from './pages.ts';
import { sendWithRetry } from './retry.ts';
import { type ClientRequest, type ClientResponse, sendOnce } from './send.ts';
import { type ClientClock, systemClock } from './wait.ts';

/**
 * Options of `createPartnerClient`.
 * @public
 */
export interface PartnerClientOptions {
  /** Origin of the platform, such as `https://api.platform.example`. `http:` is for loopback addresses only. */
  readonly baseUrl: string;
  /** Id of the API key. */
  readonly clientId: string;
  /** Secret of the API key. It is sent to `tokenUrl` only. */
  readonly clientSecret: string;
  /** The token endpoint. @defaultValue `/api/v1/partner/login` at `baseUrl` */
  readonly tokenUrl?: string;
  /**
   * Attempts of a request that is answered with 429. GET, and POST with an `Idempotency-Key`, are repeated after 503
   * and a lost connection, too. @defaultValue 4
   */
  readonly maxAttempts?: number;
  /** Longest `Retry-After` to wait for, in milliseconds. A longer one returns the answer. @defaultValue 60,000 */
  readonly maxWait?: number;
  /**
   * Further paths whose POST reads an `Idempotency-Key`, as in the platform's document. The client sends a key there,
   * and repeats them. @defaultValue none: only those of the specification's API
   */
  readonly idempotent?: readonly string[];
  /** Milliseconds until an attempt is given up that has no whole answer. @defaultValue 30,000 */
  readonly timeout?: number;
  /** Maximum size of the body of an answer, in bytes. @defaultValue 32 MiB */
  readonly maxResponseBytes?: number;
  /**
   * Sends requests: for proxies, and for tests. Any `fetch` fits, also that of undici and node-fetch:
   * `(url, request) => fetch(url, { ...request, dispatcher })`. @defaultValue the global `fetch`
   */
  readonly fetch?: (url: string, request: ClientRequest) => Promise<ClientResponse>;
  /** @defaultValue the clock of the system */
  readonly clock?: ClientClock;
}

/**
 * A client of the partner API: the methods of openapi-fetch, and `items`.
 * @public
 */
export interface PartnerClient<Paths extends object = paths> extends Omit<Client<Paths>, 'use' | 'eject'> {
  /**
   * Iterates all items of a list. It asks for the next page when it is needed.
   * @throws PartnerApiError when a page is refused.
   * @throws Error when the platform answers one `next` twice.
   */
  readonly items: Items<Paths>;
  /**
   * Iterates the events of a pull endpoint, for ever: it waits for the next one. Store `next` of an event with what you
   * made of it, and begin there after a restart.
   * @throws PartnerApiError when a page is refused. With `cursor_expired`, events were deleted before they were read;
   *   with `cursor_ahead`, the platform lost events that it had given: `problem.resumeAfter` is where to continue.
   * @example
   * const { rows } = await pool.query('select cursor from cursors');
   * for await (const event of client.events({ organisationId, endpointId, after: rows[0]?.cursor })) {
   *   console.log(event.id, JSON.parse(event.body).type);
   *   if (event.next) await pool.query('update cursors set cursor = $1', [event.next]);
   * }
   */
  readonly events: (options: EventsOptions) => AsyncGenerator<PulledEvent, void, void>;
  /**
   * Handles the events of a pull endpoint as they come: effect and cursor of a page are stored in one transaction, so
   * that each effect happens once, however often the program dies and however many copies of it run. Resolves when
   * `signal` aborts. Repeats a page after a pause of 1 to 60 seconds when the handler, the store or the network fails.
   * @throws PartnerApiError when the platform refuses the request: see `events`.
   * @example
   * const store: CursorStore<pg.ClientBase> = {
   *   read: async () => (await pool.query('select cursor from cursors')).rows[0]?.cursor ?? undefined,
   *   advance: (from, to, work) =>
   *     db.transaction(async (tx) => {
   *       const set = 'update cursors set cursor = $2 where cursor is not distinct from $1';
   *       if ((await tx.query(set, [from, to])).rowCount === 0) return false;
   *       await work(tx);
   *       return true;
   *     }),
   * };
   * await client.follow({
   *   ...{ organisationId, endpointId, store },
   *   handle: async ({ id, body }, tx) => {
   *     await tx.query('insert into ledger (id, body) values ($1, $2)', [id, body]);
   *   },
   * });
   */
  readonly follow: <Tx>(options: FollowOptions<Tx>) => Promise<void>;
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** An address that a secret may be sent to. */
const safeUrl = (name: 'baseUrl' | 'tokenUrl', value: string): URL => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.test(url.hostname))) return url;
  throw new TypeError(`createPartnerClient: ${name} must be an https address, because the secret is sent there.`);
};

const required = (name: 'clientId' | 'clientSecret', value: string): string => {
  if (typeof value === 'string' && value !== '') return value;
  throw new TypeError(`createPartnerClient: ${name} is empty. The platform shows it when you add an API key.`);
};

/**
 * Creates a client of the partner API. It logs in at its first request and keeps its token until shortly before it
 * expires. Many requests at once share one login. It repeats what is safe to repeat: any request after 429; after 503
 * or a lost connection GET, and each POST that reads an `Idempotency-Key`.
 *
 * The types are those of the specification's API. For a platform with other routes or fields, generate them from its
 * document with openapi-typescript, and name them: `createPartnerClient<paths>(…)`.
 * @throws TypeError when an option is missing, or an address is not `https:`.
 * @example
 * const client = createPartnerClient({ baseUrl: 'https://api.platform.example', clientId, clientSecret });
 * const path = '/api/v1/partner/organisations/{organisationId}/payment-requests';
 * const params = { path: { organisationId } };
 * for await (const request of client.items(path, { params })) console.log(request.id, request.status);
 * @public
 */
export const createPartnerClient = <Paths extends object = paths>({
  baseUrl,
  clientId,
  clientSecret,
  tokenUrl = `${baseUrl.replace(/\/$/, '')}/api/v1/partner/login`,
  maxAttempts = 4,
  maxWait = 60_000,
  idempotent = [],
  timeout = 30_000,
  maxResponseBytes = 32 * 1_024 * 1_024,
  fetch = (url, request) => globalThis.fetch(url, request),
  clock = systemClock,
}: PartnerClientOptions): PartnerClient<Paths> => {
  const { origin } = safeUrl('baseUrl', baseUrl);
  for (const [name, value] of Object.entries({ maxAttempts, timeout, maxResponseBytes }))
    if (!Number.isSafeInteger(value) || value < 1)
      throw new TypeError(`createPartnerClient: ${name} must be a positive integer.`);
  const once = (request: Request, body: Uint8Array<ArrayBuffer>) =>
    sendOnce(request, body, { fetch, timeout, maxResponseBytes });
  const send = (request: Request, isRepeatable: boolean) =>
    sendWithRetry(request, isRepeatable, { once, clock, maxAttempts, maxWait });
  const accessToken = createAccessToken({
    clientId: required('clientId', clientId),
    clientSecret: required('clientSecret', clientSecret),
    tokenUrl: safeUrl('tokenUrl', tokenUrl).href,
    clock,
    // Two logins have no more effect than one.
    send: (request) => send(request, true),
  });
  const furtherPosts = new Set(idempotent);
  /** POSTs of which the document says that they take effect once. */
  const keyed = new WeakSet<Request>();

  const sendWithToken = async (request: Request): Promise<Response> => {
    if (new URL(request.url).origin !== origin)
      throw new TypeError(`The token is for ${origin}, and is not sent to ${request.url}.`);
    const { headers, method, signal } = request;
    const isRepeatable = method === 'GET' || method === 'HEAD' || keyed.has(request);
    const token = await accessToken.get(signal);
    headers.set('authorization', `Bearer ${token}`);
    const again = request.clone();
    const response = await send(request, isRepeatable);
    if (response.status !== 401) return response;
    // The token was revoked, or its key rotated: the request was not executed.
    accessToken.drop(token);
    again.headers.set('authorization', `Bearer ${await accessToken.get(signal)}`);
    return send(again, isRepeatable);
  };

  const client = createOpenApiClient<Paths>({
    baseUrl,
    redirect: 'manual',
    fetch: sendWithToken,
    pathSerializer: fillPath,
    // Lists in a query are written with commas.
    querySerializer: { array: { style: 'form', explode: false } },
  });
  client.use({
    onRequest: ({ request, schemaPath }) => {
      const isOnce =
        furtherPosts.has(schemaPath) || idempotentPosts.has(schemaPath.split('{organisationId}', 2)[1] ?? '');
      if (request.method !== 'POST' || !isOnce) return;
      if (!request.headers.has('idempotency-key')) request.headers.set('idempotency-key', crypto.randomUUID());
      keyed.add(request);
    },
  });
  const read = createReadEvents(client, timeout);
  return { ...client, items: createItems(client), events: createEvents(read), follow: createFollow(read, clock) };
};
