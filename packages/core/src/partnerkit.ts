import { findAccount } from './accounts/find-account.ts';
import { createFindParent } from './accounts/find-parent.ts';
import { createKnownAccountCheck } from './accounts/known-account.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import { catalogue as defaultCatalogue } from './catalogue/default-catalogue.ts';
import type { DefinitionOf, ObjectDefinition } from './catalogue/define-object.ts';
import type { EventPairs } from './catalogue/pairs.ts';
import type { SpecifiedPairs } from './catalogue/specification.ts';
import { type Check, createCheck } from './check.ts';
import { createClientCache } from './clients/client-cache.ts';
import { type Clients, createClients } from './clients/clients.ts';
import { createSealer } from './crypto/seal.ts';
import { createDeliveries, type Deliveries } from './deliveries/deliveries.ts';
import { breakerPauses, developmentPauses } from './delivery-rules/breaker.ts';
import { developmentSchedule, retrySchedule } from './delivery-rules/retry-policy.ts';
import { createEndpointReader } from './endpoints/endpoint-input.ts';
import { createEndpoints, type Endpoints } from './endpoints/endpoints.ts';
import { endpointSealer } from './endpoints/webhook-secret.ts';
import { createEvents, type Events } from './events/publish.ts';
import { createCallerCheck } from './http/caller.ts';
import { createRouteFactory } from './http/create-route.ts';
import { metadataDocument } from './http/metadata.ts';
import { type AccountHandler, type AccountRouteOptions, partnerRoutes } from './http/partner-routes.ts';
import { type Authenticate, createRefusal } from './http/refusal.ts';
import type { Route } from './http/route.ts';
import type { CallContext, ManagedBy } from './managed-by.ts';
import { managementRoutes } from './management/routes.ts';
import type { ManagementOptions } from './management/session.ts';
import { memoryRateLimiter } from './memory/rate-limiter.ts';
import { createOpenApi, type OpenApiDocument, type OpenApiOptions } from './openapi/document.ts';
import type { JsonSchema } from './openapi/json-schema.ts';
import { fillUnsent } from './openapi/sample.ts';
import { payloadSchemas } from './openapi/webhooks.ts';
import type { PartnerkitOptions } from './options.ts';
import { assertPartnerkitOptions, withDefaults } from './partnerkit-options.ts';
import { createPortLimit, defaultPortTimeout } from './runtime/port-limit.ts';
import { systemClock, systemRandom } from './runtime/system.ts';
import { type DurationMs, day, minute, second } from './runtime/time.ts';
import { type Observer, safeListener } from './signals/signal.ts';
import { limitStorage } from './storage/limit-storage.ts';
import { takeLimit } from './tokens/api-limits.ts';
import { createGrant, defaultLoginLimits } from './tokens/grant.ts';
import { cacheVerifiedTokens } from './tokens/verified-tokens.ts';
import { createAttempt } from './worker/attempt.ts';
import { workerLease } from './worker/membership.ts';
import { defaultRetention } from './worker/pruner.ts';
import { createUnknownAccounts } from './worker/unknown-accounts.ts';
import { createWorker, type Worker } from './worker/worker.ts';
import type { WorkerOptions } from './worker/worker-options.ts';

/**
 * The partner interface of a platform.
 * @public
 */
export interface Partnerkit<Tx extends object, D extends ObjectDefinition, P extends EventPairs = SpecifiedPairs> {
  /** The objects and event types of the platform. */
  readonly catalogue: Catalogue<P>;
  /** The HTTP routes, with absolute paths; mount them with an adapter. */
  readonly routes: readonly Route[];
  /** Manages clients and their secrets. */
  readonly clients: Clients;
  /** Manages webhook endpoints. */
  readonly endpoints: Endpoints<P>;
  /** Publishes events. */
  readonly events: Events<Tx, D>;
  /** Reads, explains and sends deliveries again. */
  readonly deliveries: Deliveries<P>;
  /**
   * The same calls on behalf of an actor, whom their signals name, and for given versions of what they change.
   * @example
   * const { clients } = kit.with({ actor: { type: 'user', id: 'user_7' } });
   * const renamed = await clients.rename(accountId, clientId, 'Booking system');
   */
  with(context: CallContext): ManagedBy<D, P>;
  /**
   * Makes a route of the host, below `basePath` and its aliases. Partnerkit authenticates the caller, checks its reach
   * (specification §1.2, §1.3) and answers failures. The body is read after the token is accepted; `maxBodyBytes`
   * limits it.
   * @example
   * const list = kit.accountRoute('GET', '/organisations/:organisationId/payments', async ({ account }) => ({
   *   status: 200,
   *   headers: { 'content-type': 'application/json' },
   *   body: JSON.stringify(await payments.of(account.id)),
   * }));
   * @throws TypeError when the method is not in capitals, the path cannot be matched, or an option is wrong.
   */
  accountRoute<Path extends `/organisations/:organisationId${string}`>(
    method: string,
    path: Path,
    handle: AccountHandler<Path>,
    options?: AccountRouteOptions,
  ): Route;
  /**
   * Authenticates a request to a handler of the host's own framework, as an account route does: by access token, and by
   * the account in its path (specification §1.2, §1.3). Prefer `accountRoute`, which all adapters mount.
   * @example
   * const readNotes = async (request: RequestHead, organisationId: string) => {
   *   const caller = await kit.authenticate(request, organisationId);
   *   return caller.isOk() ? payments.of(caller.value.account.id) : caller.error.response;
   * };
   */
  readonly authenticate: Authenticate;
  /**
   * Makes the routes of the management API, for the host's web interface: API keys, webhook endpoints, events and
   * deliveries of the account of a session. Secrets appear once; changes are refused across sites; every change is
   * signalled with its actor.
   * @example
   * const routes = kit.managementRoutes({
   *   authorize: async ({ headers }) => {
   *     const user = await findUser(headers['cookie']);
   *     return user && { accountId: user.organisationId, userId: user.id, can: { keys: 'write', webhooks: 'write' } };
   *   },
   * });
   * await app.register(fastifyRoutes, { routes: [...kit.routes, ...routes] });
   * @throws TypeError that names each wrong option.
   */
  managementRoutes(options: ManagementOptions): readonly Route[];
  /**
   * Writes the OpenAPI 3.1 document of the routes and of the webhooks, from the schemas that run.
   * @example
   * const document = kit.openApi({
   *   title: 'Partner API',
   *   servers: [{ url: 'https://api.platform.example' }],
   *   routes: [...kit.routes, ...requests.routes],
   * });
   * const text = JSON.stringify(document, null, 2);
   * @throws TypeError when two operations have the same id, or two schemas the same name.
   */
  openApi(options: OpenApiOptions): OpenApiDocument;
  /**
   * Makes a route that serves the OpenAPI document at `openapi.json` below `basePath`, to anyone.
   * @example
   * const document = kit.openApiRoute({ title: 'Partner API', routes: [...kit.routes, ...requests.routes] });
   * await app.register(fastifyRoutes, { routes: [...kit.routes, ...requests.routes, document] });
   * @throws TypeError as `openApi` does.
   */
  openApiRoute(options: OpenApiOptions): Route;
  /**
   * Writes the JSON Schema (2020-12) of each webhook body, by pair such as `RequestPayment.payed`, for receivers.
   */
  payloadSchemas(): Readonly<Record<string, JsonSchema>>;
  /** The option `portTimeout`, in milliseconds; for code on top of a kit, such as `createRequests`. */
  readonly portTimeout: DurationMs;
  /** Sends a signal to the option `observe`; for code on top of a kit, such as `createRequests`. */
  readonly observe: Observer;
  /**
   * Wakes the workers of this process. Call it after your commit for the lowest latency; correctness never needs it.
   */
  nudge(): void;
  /**
   * Calls each port without side effects and reports problems: a database that is not migrated, clocks that differ,
   * tokens that do not verify, a port that does not respond within 5 seconds. The sender is not called: it could only
   * send. Call it when a process starts.
   * @example
   * const ready = await kit.check();
   * if (ready.isErr()) throw new Error(ready.error.message);
   */
  readonly check: Check;
  /** Makes a worker, which dispatches events and sends deliveries once it is started. */
  worker(options?: WorkerOptions): Worker;
}

/** Maximum time from DNS lookup to response headers. */
const sendDeadline: DurationMs = 15 * second;
const maxVerifiedTokens = 10_000;

/**
 * Creates the partner interface of a platform.
 * @example
 * const kit = createPartnerkit({
 *   accounts: { find: (id) => organisations.byId(id) },
 *   storage: memoryStorage(),
 *   tokens: await joseAccessTokens({ keys, issuer, audience }),
 *   sender: undiciSender(),
 *   sealingKeys: [{ id: 'k1', key }],
 *   objects: [payment, deposit],
 * });
 * await app.register(fastifyRoutes, { routes: kit.routes });
 * @throws TypeError that names each wrong option and its remedy.
 * @public
 */
export const createPartnerkit = <
  Tx extends object,
  const D extends readonly DefinitionOf<P>[],
  P extends EventPairs = SpecifiedPairs,
>(
  options: PartnerkitOptions<Tx, D, P>,
): Partnerkit<Tx, D[number], P> => {
  assertPartnerkitOptions(options);
  const { sender, clock = systemClock, random = systemRandom } = options;
  const portTimeout = options.portTimeout ?? defaultPortTimeout;
  const limit = createPortLimit(clock, portTimeout);
  const accounts = limit.of('accounts', options.accounts, { find: 'read' });
  const storage = limitStorage(limit, options.storage);
  const tokens = limit.of('tokens', options.tokens, { issue: 'read', verify: 'read', jwks: 'read' });
  const catalogue = (options.catalogue ?? defaultCatalogue) as unknown as Catalogue;
  const basePath = options.basePath ?? '/api/v1/partner';
  const tokenLifetime = options.tokenLifetime ?? 30 * day;
  const retention = withDefaults(defaultRetention, options.retention);
  const environmentReach = options.environmentReach ?? 'same';
  const mayUseApi = options.mayUseApi ?? ((account) => account.status === 'active');
  const observe = safeListener(options.observe);
  const reportError = safeListener(options.onError);
  const sealer = endpointSealer(createSealer(options.sealingKeys, random));
  const cache = createClientCache({
    store: storage.clients,
    clock,
    staleness: options.revocationStaleness ?? second,
    changeFeed: options.changeFeed,
    maxStaleness: options.maxStaleness ?? minute,
    onError: (cause) => reportError(cause, {}),
  });

  const nudges = new Set<() => void>();
  const nudge = (): void => {
    for (const wake of nudges) wake();
  };

  const isDevelopment = sender.development === true;
  const retries = isDevelopment ? developmentSchedule : retrySchedule;
  const pauses = isDevelopment ? developmentPauses : breakerPauses;
  const limiter = options.limiter
    ? limit.of('limiter', options.limiter, { take: 'read', refund: 'read' })
    : memoryRateLimiter({ clock });
  const checkKnownAccount = createKnownAccountCheck(accounts);
  // It has a shorter timeout of its own: workers wait for it.
  const findParent = createFindParent(options.accounts, clock, environmentReach);
  const attempt = createAttempt({
    sender,
    findParent,
    sealer,
    clock,
    observe: options.observe && observe,
    reportError,
    userAgent: options.userAgent ?? 'partnerkit',
    deadline: sendDeadline,
  });

  const findOne = (accountId: string) => findAccount(accounts, accountId);
  const noteDispatched = options.observe && createUnknownAccounts(findOne, clock, observe);

  const refuse = createRefusal({ clock, random, observe, reportError });
  const createRoute = createRouteFactory(refuse);
  const { loginsPerClient, callsPerClient } = options.apiLimits ?? {};
  const { routes, accountRoute, authenticate, documentRoute } = partnerRoutes({
    basePath,
    observe,
    metadata: options.metadata && metadataDocument(options.metadata, basePath, options.tokens),
    createRoute,
    refuse,
    grant: createGrant({
      accounts,
      clients: storage.clients,
      tokens,
      limiter,
      limits: withDefaults(defaultLoginLimits, options.loginLimits),
      takeLogin: takeLimit(limiter, 'logins', loginsPerClient),
      mayUseApi,
      tokenLifetime,
      clock,
      random,
      observe,
    }),
    checkCaller: createCallerCheck({
      accounts,
      verifyToken: cacheVerifiedTokens(tokens, maxVerifiedTokens),
      cache,
      mayUseApi,
      environmentReach,
      inactiveChildren: options.inactiveChildren ?? 'writable',
      takeCall: takeLimit(limiter, 'calls', callsPerClient),
      clock,
    }),
    tokens,
    defaultScope: options.defaultScope,
    hasAliases: options.pathAliases ?? false,
  });

  const published = createEvents<Tx, D[number]>({
    storage,
    catalogue,
    objects: options.objects,
    clock,
    random,
    observe: options.observe && observe,
    traceContext: options.traceContext,
    fillUnsent,
  });

  const reader = createEndpointReader(catalogue, {
    ports: options.endpointPorts,
    canReach: (url) => sender.canReach?.(url) ?? true,
  });
  const managedBy = ({ actor = { type: 'host' }, ifVersion }: CallContext): ManagedBy<D[number], EventPairs> => ({
    clients: createClients({
      store: storage.clients,
      checkKnownAccount,
      clock,
      random,
      observe,
      secretPrefix: options.secretPrefix ?? 'pks',
      tokenLifetime,
      verifyToken: async (token) => tokens.verify(token),
      cache,
      actor,
      ifVersion,
    }),
    endpoints: createEndpoints({
      store: storage.endpoints,
      checkKnownAccount,
      sealer,
      clock,
      random,
      observe,
      nudge,
      maxPerAccount: options.maxEndpoints ?? 20,
      reader,
      actor,
      ifVersion,
    }),
    events: {
      sendTest: (accountId, endpointId, event) =>
        published
          .sendTest(accountId, endpointId, event)
          .andTee(() => observe({ kind: 'endpoint', change: 'test_sent', accountId, endpointId, by: actor })),
    },
    deliveries: createDeliveries({
      ...{ log: storage.log, events: storage.events, findAccount: findOne, findParent, nudge, observe, actor },
      findUnopenedKeyId: async (accountId, endpointId) => {
        const endpoint = await storage.endpoints.findEndpoint(accountId, endpointId);
        return endpoint && sealer.unopenedKeyId(endpoint);
      },
    }),
  });
  const byHost = managedBy({});
  const openApi = (document: OpenApiOptions): OpenApiDocument =>
    createOpenApi({ catalogue, objects: options.objects, basePath, routes }, document);

  const kit: Partnerkit<Tx, D[number], EventPairs> = {
    ...byHost,
    catalogue,
    routes,
    accountRoute,
    authenticate,
    portTimeout,
    observe,
    with: managedBy,
    managementRoutes: (management) =>
      managementRoutes(
        {
          createRoute,
          managedBy,
          limit,
          endpointInput: reader.schemas,
          limiter,
          context: {
            objects: options.objects,
            entries: catalogue.entries,
            findAccount: findOne,
          },
        },
        management,
      ),
    openApi,
    openApiRoute: (document) => documentRoute(openApi(document)),
    payloadSchemas: () => payloadSchemas(options.objects, catalogue.entries),
    events: { ...published, ...byHost.events },
    nudge,
    check: createCheck({
      // It has a timeout of its own.
      ...{ storage: options.storage, accounts: options.accounts, tokens: options.tokens },
      ...{ limiter: options.limiter ?? limiter, clock, random, reportError },
      ...{ sealingKeys: options.sealingKeys, sealer, changeFeed: options.changeFeed },
    }),
    worker: (workerOptions = {}) =>
      createWorker(
        {
          storage: options.storage,
          findParent,
          noteDispatched,
          attempt,
          clock,
          random,
          observe: options.observe && observe,
          reportError,
          deadline: sendDeadline,
          retries,
          pauses,
          retention,
          lease: workerLease,
          onNudge: (wake) => {
            nudges.add(wake);
            return () => nudges.delete(wake);
          },
        },
        workerOptions,
      ),
  };
  // The checks at run time follow the same catalogue as the types.
  return kit as unknown as Partnerkit<Tx, D[number], P>;
};
