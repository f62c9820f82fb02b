import { createCreationLimiter } from '../api/management/limits.ts';
import { managementRoutes } from '../api/management/routes.ts';
import { webhookRows } from '../api/management/webhook-rows.ts';
import { createOpenApi } from '../api/operations/document.ts';
import type { OpenApiDocument, OpenApiOptions } from '../api/operations/document-options.ts';
import { fillUnsent } from '../api/operations/sample.ts';
import { payloadSchemas } from '../api/operations/webhooks.ts';
import { webhookRoutes } from '../api/partner/webhooks.ts';
import { findAccount } from '../base/accounts/find-account.ts';
import { createFindParent } from '../base/accounts/find-parent.ts';
import { createAlerts } from '../base/alerts/alerts.ts';
import { operationsSelectors } from '../base/audit/audit-entry.ts';
import { createAuditTrail } from '../base/audit/audit-trail.ts';
import { once } from '../base/runtime/once.ts';
import { withInternals } from '../requests/options/kit-internals.ts';
import { catalogueOf } from '../webhooks/catalogue/catalogue.ts';
import type { ObjectDefinition } from '../webhooks/catalogue/define-object.ts';
import { failuresToOpen } from '../webhooks/delivery-rules/breaker.ts';
import { longestRetryAfter } from '../webhooks/delivery-rules/retry-policy.ts';
import { maxBodyBytes } from '../webhooks/envelope/envelope.ts';
import { createEvents } from '../webhooks/events/publish.ts';
import { createFeedWaits } from '../webhooks/feeds/feed-waits.ts';
import { createHandlerAdmin } from '../webhooks/handlers/handler-admin.ts';
import { createSending } from '../webhooks/sending/sending.ts';
import { allShards } from '../webhooks/shards/shard.ts';
import { profileOf } from '../webhooks/signature/wire-profile.ts';
import { type Engine, engine } from '../webhooks/worker/engine.ts';
import { assertPartnerkitOptions } from './assert-options.ts';
import { createCalls } from './calls.ts';
import { createCheck } from './check.ts';
import { checkEnvelopes } from './check-envelopes.ts';
import { createExport } from './exports/exports.ts';
import { createFoundation } from './foundation.ts';
import { createHealth, unwritten } from './health.ts';
import { keysOf } from './keys.ts';
import { observabilityOf } from './observability.ts';
import type { PartnerkitOptions } from './options.ts';
import { createPartnerInterface } from './partner-interface.ts';
import { type PartnerSettings, withPartnerSettings } from './partner-settings.ts';
import type { Partnerkit } from './partnerkit.ts';
import { observeAbsence } from './worker-absence.ts';
import { createWorkers } from './workers.ts';

/** Assembles a kit whose workers run this engine. */
export const assembleKit = <Tx extends object, const D extends readonly ObjectDefinition[]>(
  given: PartnerkitOptions<Tx, D>,
  engine: Engine,
): Partnerkit<Tx, D[number]> => {
  assertPartnerkitOptions(given);
  const options = { ...given, ...keysOf(given), ...observabilityOf(given.observe) };
  const { objects, shared = {} } = options;
  const catalogue = catalogueOf(objects);
  const foundation = createFoundation(
    options,
    options.storage,
    catalogue.entries.map(({ objectName, type }) => `${objectName}.${type}`),
  );
  const { accounts, storage, limiter, clock, random, limit, observe, reportError, sealer, profiles } = foundation;
  checkEnvelopes(profiles.envelopes, objects);

  // Not limited: it has a shorter timeout of its own, for workers wait for it.
  const findParent = createFindParent(options.accounts, clock, foundation.environmentReach);
  const partner = createPartnerInterface(foundation, options);
  const { accountRoute, serveAccount, authenticate, documentRoute, basePath, run, refuse } = partner;
  const workers = createWorkers(foundation, options, {
    ...{ storage: options.storage, findParent, engine },
    eventSelectors: [...catalogue.eventSelectors, ...operationsSelectors],
  });
  const { nudge, worker, dueWork, started, handlerNames } = workers;
  const { publishWith, ...published } = createEvents<Tx, ObjectDefinition>({
    ...{ storage, objects, clock, random, fillUnsent, auditor: foundation.auditor },
    onUntold: (cause) => reportError(cause, {}),
    observe: foundation.listener && observeAbsence(storage.shards, clock, foundation.listener),
    traceContext: options.traceContext,
    envelopes: profiles.envelopes,
    onUnwritable: (cause) => reportError(cause, {}),
  });
  const { calls, createEndpoint, imports, endpointInput, maxEndpoints } = createCalls<Tx>(foundation, options, {
    ...{ catalogue, partner, findParent, nudge },
    sendTest: published.sendTest,
  });
  const waits = createFeedWaits({ feeds: storage.feeds, clock, reportError: (cause) => reportError(cause, {}) });
  const { auditor } = foundation;
  const audit = createAuditTrail({ store: storage.audit, auditor, shards: allShards });
  const sending = createSending({ store: storage.sending, endpoints: storage.endpoints, auditor, nudge });
  const alerts = createAlerts({ store: storage.alerts, auditor });
  const managed = {
    calls: { ...calls, createEndpoint, audit, alerts, sending },
    limiter: createCreationLimiter(limiter, options.limits),
  };
  const rowsOfWebhooks = once(() => webhookRows(endpointInput, { objects, profiles }));
  const reading = { pull: calls.events.pull, waits, clock };
  const routes = [
    ...partner.routes,
    ...(options.api?.webhooks
      ? webhookRoutes({ ...managed, ...reading, serve: serveAccount, rows: rowsOfWebhooks() })
      : []),
  ];
  const openApi = (document: OpenApiOptions): OpenApiDocument =>
    createOpenApi({ objects, basePath, profiles, routes, retrySchedule: workers.policy.retrySchedule }, document);

  const checkOf = (checked: typeof options.storage) =>
    createCheck({
      // It has a timeout of its own.
      ...{ storage: checked, accounts: options.accounts, tokens: options.tokens },
      ...{ limiter: shared.limiter ?? limiter, clock, random, reportError, workers: started, handlerNames },
      ...{ sealingKeys: options.sealingKeys, secretIds: options.secretIds, sealer, profiles },
      changeFeed: shared.changeFeed,
    });

  // Inside the kit, names are texts.
  const kit: Partnerkit<Tx, ObjectDefinition> = {
    ...calls,
    import: imports,
    export: createExport({
      ...{ catalogue, clients: storage.clients, endpoints: storage.endpoints, events: storage.events, sealer },
      alerts: storage.alerts,
      ...{ profiles, accounts, requests: storage.requests, audit: storage.audit, auditor: foundation.auditor },
      deliveries: calls.deliveries,
      clock,
    }),
    catalogue,
    routes,
    accountRoute,
    authenticate,
    managementRoutes: (management) =>
      managementRoutes(
        {
          ...{ ...managed, run, refuse, limit, webhooks: rowsOfWebhooks(), endpointFields: endpointInput.fields },
          context: {
            findAccount: (id) => findAccount(accounts, id),
            attemptTimeout: workers.policy.timeout,
            rights: foundation.rights.served,
            allRights: foundation.rights.all,
            hasNetworks: foundation.trustsAddresses,
            hasPublicKeys: partner.verifiesAssertions,
          },
        },
        management,
      ),
    openApi,
    openApiRoute: (document) => documentRoute(openApi(document)),
    payloadSchemas: ({ profile } = {}) =>
      payloadSchemas(objects, profileOf('payloadSchemas', profiles, profile).envelope),
    events: { ...published, ...calls.events },
    handlers: createHandlerAdmin(storage.handlers, nudge),
    audit,
    alerts,
    sending,
    nudge,
    check: checkOf(options.storage),
    health: createHealth({
      ...{ log: storage.log, handlers: storage.handlers },
      check: checkOf(unwritten(options.storage)),
    }),
    worker,
  };
  const { listChildren } = foundation;
  const internals = {
    ...{ storage, catalogue, accounts, listChildren, serveAccount, observe, dueWork, clock, random },
    auditor,
    publishing: { publishMany: published.publishMany, publishWith },
  };
  const { retention, ...delivery } = workers.delivery;
  const settings: PartnerSettings = {
    origin: [options.origin ?? []].flat()[0],
    basePath,
    tokenLifetime: partner.tokenLifetime,
    limits: {
      failedLogins: partner.failedLogins.perClientAndAddress,
      logins: options.limits?.loginsPerClient,
      calls: options.limits?.callsPerClient,
    },
    webhooks: {
      ...delivery,
      ...{ maxEndpoints, maxBodyBytes },
      signatures: profileOf('handbook', profiles, undefined).signatures,
      maxRetryAfter: longestRetryAfter,
      failuresToPause: failuresToOpen,
      heldFor: retention.held,
      storedFor: retention.events,
    },
  };
  // The checks at run time follow the same objects as the types.
  return withPartnerSettings(withInternals(kit, internals), settings) as unknown as Partnerkit<Tx, D[number]>;
};

/**
 * Creates the partner interface of a platform.
 * @example
 * const kit = createPartnerkit({
 *   accounts: { find: (id) => organisations.byId(id) },
 *   storage: memoryStorage(),
 *   tokens: jwtAccessTokens({ keys, issuer, audience }),
 *   sender: httpsSender(),
 *   secret: process.env['PARTNERKIT_SECRET'],
 *   objects: [payment, deposit],
 * });
 * await app.register(fastifyRoutes, { routes: kit.routes });
 * @throws TypeError that names each wrong option and its remedy.
 * @public
 */
export const createPartnerkit = <Tx extends object, const D extends readonly ObjectDefinition[]>(
  options: PartnerkitOptions<Tx, D>,
): Partnerkit<Tx, D[number]> => assembleKit(options, engine);
