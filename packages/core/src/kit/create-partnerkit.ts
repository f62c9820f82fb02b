import { findAccount } from '../accounts/find-account.ts';
import { createFindParent } from '../accounts/find-parent.ts';
import { createKnownAccountCheck } from '../accounts/known-account.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { catalogue as defaultCatalogue } from '../catalogue/default-catalogue.ts';
import type { DefinitionOf } from '../catalogue/define-object.ts';
import type { EventPairs } from '../catalogue/pairs.ts';
import type { SpecifiedPairs } from '../catalogue/specification.ts';
import { createClientCache } from '../clients/client-cache.ts';
import { createClients } from '../clients/clients.ts';
import { createSealer } from '../crypto/seal.ts';
import { breakerPauses, developmentPauses } from '../delivery-rules/breaker.ts';
import { developmentSchedule, retrySchedule } from '../delivery-rules/retry-policy.ts';
import { createEndpointReader } from '../endpoints/endpoint-input.ts';
import { createEndpoints } from '../endpoints/endpoints.ts';
import { endpointSealer } from '../endpoints/webhook-secret.ts';
import { createEvents } from '../events/publish.ts';
import { createEventReader } from '../events/read-events.ts';
import { createExport } from '../exports/exports.ts';
import { createImportClients } from '../imports/import-clients.ts';
import { createImportEndpoints } from '../imports/import-endpoints.ts';
import type { Imports } from '../imports/imports.ts';
import { createDeliveries } from '../log/deliveries.ts';
import type { CallContext, ManagedBy } from '../management/managed-by.ts';
import { managementRoutes } from '../management/routes.ts';
import { memoryRateLimiter } from '../memory/rate-limiter.ts';
import { createOpenApi, type OpenApiDocument, type OpenApiOptions } from '../operations/document.ts';
import { createRefusal } from '../operations/refusal.ts';
import { createRunner } from '../operations/run.ts';
import { fillUnsent } from '../operations/sample.ts';
import { payloadSchemas } from '../operations/webhooks.ts';
import { createCallerCheck } from '../partner/caller.ts';
import { metadataOperation } from '../partner/metadata.ts';
import { type PathAliases, partnerRoutes, specifiedAliases } from '../partner/routes.ts';
import { webhookKeysOperation } from '../partner/webhook-keys.ts';
import { withInternals } from '../requests/kit-internals.ts';
import { assertOptionNames } from '../runtime/option-names.ts';
import { createPortLimit, defaultPortTimeout } from '../runtime/port-limit.ts';
import { systemClock, systemRandom } from '../runtime/system.ts';
import { type DurationMs, day, minute, second } from '../runtime/time.ts';
import { safeListener } from '../signals/listener.ts';
import { createProfiles, profileOf } from '../signature/wire-profile.ts';
import { limitStorage } from '../storage/limit-storage.ts';
import { takeLimit } from '../tokens/api-limits.ts';
import { createGrant, defaultLoginLimits } from '../tokens/grant.ts';
import { cacheVerifiedTokens } from '../tokens/verified-tokens.ts';
import { createAttempt } from '../worker/attempt.ts';
import type { DueWork } from '../worker/due-work.ts';
import { type Engine, engine } from '../worker/engine.ts';
import { createErrorReports } from '../worker/error-reports.ts';
import { defaultRetention } from '../worker/retention.ts';
import { createUnknownAccounts } from '../worker/unknown-accounts.ts';
import { createWorker, type Worker, workerLease } from '../worker/worker.ts';
import { assertPartnerkitOptions, withDefaults } from './assert-options.ts';
import { createCheck } from './check.ts';
import { checkEnvelopes } from './check-envelopes.ts';
import type { PartnerkitOptions } from './options.ts';
import type { Partnerkit } from './partnerkit.ts';

/** Maximum time from DNS lookup to response headers. */
const sendDeadline: DurationMs = 15 * second;
const maxVerifiedTokens = 10_000;

const aliasesOf = (aliases: boolean | PathAliases = false): PathAliases =>
  typeof aliases === 'object' ? aliases : aliases ? specifiedAliases : {};

/**
 * Assembles a kit whose workers run this engine.
 * @internal
 */
export const assembleKit = <
  Tx extends object,
  const D extends readonly DefinitionOf<P>[],
  P extends EventPairs = SpecifiedPairs,
>(
  options: PartnerkitOptions<Tx, D, P>,
  engine: Engine,
): Partnerkit<Tx, D[number], P> => {
  assertPartnerkitOptions(options);
  const { sender, clock = systemClock, random = systemRandom } = options;
  const { http = {}, access = {}, oauth = {}, revocation = {}, limits = {}, webhooks = {} } = options;
  const limit = createPortLimit(clock, options.portTimeout ?? defaultPortTimeout);
  const accounts = limit.of('accounts', options.accounts, { find: 'read' });
  const storage = limitStorage(limit, options.storage);
  const tokens = limit.of('tokens', options.tokens, { issue: 'read', verify: 'read', jwks: 'read' });
  // Inside the kit, the names of any catalogue are texts.
  const catalogue = (options.catalogue ?? defaultCatalogue) as unknown as Catalogue;
  const basePath = http.basePath ?? '/api/v1/partner';
  const tokenLifetime = oauth.tokenLifetime ?? 30 * day;
  const retention = withDefaults(defaultRetention, options.retention);
  const environmentReach = access.environmentReach ?? 'same';
  const mayUseApi = access.mayUseApi ?? ((account) => account.status === 'active');
  const profiles = createProfiles('createPartnerkit: the option webhooks', webhooks);
  checkEnvelopes(profiles.envelopes, options.objects);
  const observe = safeListener(options.observe);
  const reportError = safeListener(options.onError);
  const sealer = endpointSealer(createSealer(options.sealingKeys, random));
  const cache = createClientCache({
    store: storage.clients,
    clock,
    staleness: revocation.staleness ?? second,
    changeFeed: revocation.changeFeed,
    maxStaleness: revocation.maxStaleness ?? minute,
    onError: (cause) => reportError(cause, {}),
  });

  const started = new Set<Worker>();
  const nudges = new Set<() => void>();
  const dueWork = new Set<DueWork>();
  const nudge = (): void => {
    for (const wake of nudges) wake();
  };

  const isDevelopment = sender.development === true;
  const retries = isDevelopment ? developmentSchedule : retrySchedule;
  const pauses = isDevelopment ? developmentPauses : breakerPauses;
  const limiter = limits.limiter
    ? limit.of('limiter', limits.limiter, { take: 'read', refund: 'read' })
    : memoryRateLimiter({ clock });
  const checkKnownAccount = createKnownAccountCheck(accounts);
  // It has a shorter timeout of its own: workers wait for it.
  const findParent = createFindParent(options.accounts, clock, environmentReach);
  const reportWorkerError = createErrorReports({ clock, observe: options.observe && observe, onError: reportError });
  const attempts = createAttempt({
    sender,
    findParent,
    sealer,
    profiles,
    clock,
    reportError: reportWorkerError,
    userAgent: webhooks.userAgent ?? 'partnerkit',
    deadline: sendDeadline,
  });

  const findOne = (accountId: string) => findAccount(accounts, accountId);
  const noteDispatched = options.observe && createUnknownAccounts(findOne, clock, observe);

  const legacySecrets = oauth.legacySecrets && {
    ...limit.of('legacySecrets', oauth.legacySecrets, { verify: 'read' }),
    storeDigest: oauth.legacySecrets.storeDigest ?? false,
  };
  const imported = { acceptsImported: oauth.importedClients ?? false, legacySecrets };
  if (legacySecrets && !imported.acceptsImported)
    throw new TypeError('createPartnerkit: the option oauth.legacySecrets needs oauth.importedClients: true.');
  const legacyTokens = oauth.legacyTokens && limit.of('legacyTokens', oauth.legacyTokens, { verify: 'read' });
  const verifyToken = cacheVerifiedTokens(tokens, maxVerifiedTokens, legacyTokens);
  /** The claims of a token to revoke. One of another system names no account. */
  const verifyAnyToken = async (token: string) => {
    const claims = await verifyToken(token);
    const accountId = claims && (claims.accountId ?? (await storage.clients.findClient(claims.clientId))?.accountId);
    return accountId === undefined || !claims ? undefined : { ...claims, accountId };
  };

  const refuse = createRefusal({ clock, random, observe, reportError });
  const run = createRunner(refuse);
  const { routes, accountRoute, serveAccount, authenticate, documentRoute } = partnerRoutes({
    basePath,
    observe,
    webhookKeys: profiles.publicKeys.length > 0 ? webhookKeysOperation(profiles.publicKeys) : undefined,
    metadata: oauth.metadata && metadataOperation(oauth.metadata, basePath, options.tokens),
    run,
    refuse,
    grant: createGrant({
      accounts,
      clients: storage.clients,
      tokens,
      limiter,
      limits: withDefaults(defaultLoginLimits, limits.failedLogins),
      cache,
      imported,
      takeLogin: takeLimit(limiter, 'logins', limits.loginsPerClient),
      mayUseApi,
      tokenLifetime,
      clock,
      random,
      observe,
    }),
    checkCaller: createCallerCheck({
      accounts,
      verifyToken,
      cache,
      mayUseApi,
      environmentReach,
      inactiveChildren: access.inactiveChildren ?? 'writable',
      takeCall: takeLimit(limiter, 'calls', limits.callsPerClient),
      clock,
    }),
    limitsLogins: limits.loginsPerClient !== undefined,
    limitsCalls: limits.callsPerClient !== undefined,
    tokens,
    defaultScope: oauth.defaultScope,
    aliases: aliasesOf(http.pathAliases),
  });

  const published = createEvents<Tx, D[number]>({
    storage,
    catalogue,
    objects: options.objects,
    clock,
    random,
    observe: options.observe && observe,
    traceContext: options.traceContext,
    envelopes: profiles.envelopes,
    fillUnsent,
  });

  const reader = createEndpointReader(
    catalogue,
    { ports: webhooks.ports, canReach: (url) => sender.canReach?.(url) ?? true },
    profiles,
  );
  const maxPerAccount = webhooks.maxEndpoints ?? 20;
  const managedBy = ({ actor = { type: 'host' }, ifVersion }: CallContext): ManagedBy<D[number], EventPairs> => ({
    clients: createClients({
      store: storage.clients,
      checkKnownAccount,
      clock,
      random,
      observe,
      secretPrefix: oauth.secretPrefix ?? 'pks',
      tokenLifetime,
      verifyToken: verifyAnyToken,
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
      maxPerAccount,
      profiles,
      reader,
      actor,
      ifVersion,
    }),
    events: {
      ...createEventReader(storage.events),
      sendTest: (accountId, endpointId, event) =>
        published
          .sendTest(accountId, endpointId, event)
          .andTee(() => observe({ kind: 'endpoint', change: 'test_sent', accountId, endpointId, by: actor })),
    },
    deliveries: createDeliveries({
      ...{ log: storage.log, findAccount: findOne, findParent, clock, nudge, observe, actor },
      readHealth: (accountId, endpointIds) => storage.endpoints.readHealth(accountId, endpointIds),
      findUnopenedKeyId: async (accountId, endpointId) => {
        const endpoint = await storage.endpoints.findEndpoint(accountId, endpointId);
        return endpoint && sealer.unopenedKeyId(endpoint);
      },
    }),
  });
  const byHost = managedBy({});
  const common = { checkKnownAccount, clock, observe };
  const imports: Imports<EventPairs> = {
    clients: createImportClients({
      ...common,
      ...{ store: storage.clients, cache },
      logins: { acceptsImported: imported.acceptsImported, hasLegacySecrets: legacySecrets !== undefined },
    }),
    endpoints: createImportEndpoints({
      ...common,
      ...{ store: storage.endpoints, sealer, reader, profiles, maxPerAccount },
    }),
  };
  const openApi = (document: OpenApiOptions): OpenApiDocument =>
    createOpenApi({ catalogue, objects: options.objects, basePath, profiles, routes }, document);

  const kit: Partnerkit<Tx, D[number], EventPairs> = {
    ...byHost,
    import: imports,
    export: createExport({
      ...{ catalogue, clients: storage.clients, endpoints: storage.endpoints, events: storage.events, sealer },
      deliveries: byHost.deliveries,
    }),
    catalogue,
    routes,
    accountRoute,
    authenticate,
    with: (context) => {
      assertOptionNames('with', context, { actor: true, ifVersion: true });
      return managedBy(context);
    },
    managementRoutes: (management) =>
      managementRoutes(
        {
          run,
          refuse,
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
    payloadSchemas: ({ profile } = {}) =>
      payloadSchemas(options.objects, catalogue.entries, profileOf('payloadSchemas', profiles, profile).envelope),
    events: { ...published, ...byHost.events },
    nudge,
    check: createCheck({
      // It has a timeout of its own.
      ...{ storage: options.storage, accounts: options.accounts, tokens: options.tokens },
      ...{ limiter: limits.limiter ?? limiter, clock, random, reportError, workers: started },
      ...{ sealingKeys: options.sealingKeys, sealer, profiles, changeFeed: revocation.changeFeed },
    }),
    worker: (workerOptions = {}) => {
      const worker = createWorker(
        {
          engine,
          storage: options.storage,
          findParent,
          noteDispatched,
          attempts,
          clock,
          random,
          observe: options.observe && observe,
          reportError: reportWorkerError,
          deadline: sendDeadline,
          retries,
          pauses,
          retention,
          lease: workerLease,
          dueWork,
          onNudge: (wake) => {
            nudges.add(wake);
            return () => nudges.delete(wake);
          },
        },
        workerOptions,
      );
      return {
        ...worker,
        start: () => {
          started.add(worker);
          worker.start();
        },
        stop: async () => {
          await worker.stop();
          started.delete(worker);
        },
      };
    },
  };
  // The checks at run time follow the same catalogue as the types.
  return withInternals(kit, {
    storage,
    accounts,
    serveAccount,
    observe,
    dueWork,
    clock,
    random,
  }) as unknown as Partnerkit<Tx, D[number], P>;
};

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
): Partnerkit<Tx, D[number], P> => assembleKit(options, engine);
