import { createFindParent } from './accounts/find-parent.ts';
import type { ObjectDefinition } from './catalogue/define-object.ts';
import { type Check, createCheck } from './check.ts';
import { type Clients, createClients } from './clients/clients.ts';
import { createSealer } from './crypto/seal.ts';
import { createAttempt } from './deliveries/attempt.ts';
import { createDeliveries, type Deliveries } from './deliveries/deliveries.ts';
import { workerLease } from './deliveries/membership.ts';
import { defaultRetention } from './deliveries/pruner.ts';
import { developmentSchedule, retrySchedule } from './deliveries/retry-schedule.ts';
import { createWorker, type Worker } from './deliveries/worker.ts';
import type { WorkerOptions } from './deliveries/worker-options.ts';
import { createEndpoints, type Endpoints } from './endpoints/endpoints.ts';
import { endpointSealer } from './endpoints/webhook-secret.ts';
import { createEvents, type Events } from './events/publish.ts';
import { routeMaker } from './http/create-route.ts';
import { metadataDocument } from './http/metadata.ts';
import { type AccountHandler, type AccountRouteOptions, partnerRoutes } from './http/partner-routes.ts';
import type { Route } from './http/route.ts';
import { memoryRateLimiter } from './memory/rate-limiter.ts';
import type { PartnerkitOptions } from './options.ts';
import { assertPartnerkitOptions, withDefaults } from './partnerkit-options.ts';
import { systemClock, systemRandom } from './runtime/system.ts';
import { type DurationMs, day, minute, second } from './runtime/time.ts';
import { guard, type Observer } from './signals/signal.ts';
import { takeLimit } from './tokens/api-limits.ts';
import { createCallerCheck } from './tokens/caller.ts';
import { createFreshClients } from './tokens/fresh-clients.ts';
import { createGrant, defaultLoginLimits } from './tokens/grant.ts';
import { rememberVerified } from './tokens/verified-tokens.ts';

/**
 * A platform's partner interface.
 * @public
 */
export interface Partnerkit<Tx extends object, D extends ObjectDefinition> {
  /** Absolute paths, for an adapter to mount. */
  readonly routes: readonly Route[];
  readonly clients: Clients;
  readonly endpoints: Endpoints;
  readonly events: Events<Tx, D>;
  readonly deliveries: Deliveries;
  /**
   * A route of the host's own, below `basePath` and its aliases, behind our authentication, reach rule (specification
   * §1.2, §1.3) and error answers. A body is read once the token was accepted; up to 1 MiB, unless `maxBodyBytes` says otherwise.
   * @example
   * const list = kit.accountRoute('GET', '/organisations/:organisationId/payments', async ({ account }) => ({
   *   status: 200,
   *   headers: { 'content-type': 'application/json' },
   *   body: JSON.stringify(await payments.of(account.id)),
   * }));
   * @throws TypeError when the method is not in capitals, or the path cannot be matched.
   */
  accountRoute<Path extends `/organisations/:organisationId${string}`>(
    method: string,
    path: Path,
    handle: AccountHandler<Path>,
    options?: AccountRouteOptions,
  ): Route;
  /** Sends a signal to the host's observer: for what is built on a kit, such as `createRequests`. */
  readonly observe: Observer;
  /** Wakes the workers of this process: call it after your commit to save the last milliseconds. Never needed for correctness. */
  nudge(): void;
  /**
   * Asks each port something harmless, and says what keeps this kit from working: a database that was not migrated, clocks that differ,
   * tokens that are not verified, a port that does not answer. The sender is not asked, since it answers by sending. Call it when a process
   * starts.
   * @example
   * const ready = await kit.check();
   * if (ready.isErr()) throw new Error(ready.error.detail);
   */
  readonly check: Check;
  /** A worker that sends deliveries. */
  worker(options?: WorkerOptions): Worker;
}

/** A receiver has so long to answer (DNS, connection, TLS, headers). */
const sendDeadline: DurationMs = 15 * second;
const rememberedTokens = 10_000;

/**
 * Puts the partner interface together: the one assembly function.
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
 * @throws TypeError that names each wrong option, and says what to hand over.
 * @public
 */
export const createPartnerkit = <Tx extends object, const D extends readonly ObjectDefinition[]>(
  options: PartnerkitOptions<Tx, D>,
): Partnerkit<Tx, D[number]> => {
  assertPartnerkitOptions(options);
  const { accounts, storage, tokens, sender, clock = systemClock, random = systemRandom } = options;
  const basePath = options.basePath ?? '/api/v1/partner';
  const tokenLifetime = options.tokenLifetime ?? 30 * day;
  const retention = withDefaults(defaultRetention, options.retention);
  const environmentReach = options.environmentReach ?? 'same';
  const mayUseApi = options.mayUseApi ?? ((account) => account.status === 'active');
  const observe = guard(options.observe);
  const tellError = guard(options.onError);
  const sealer = endpointSealer(createSealer(options.sealingKeys, random));
  const fresh = createFreshClients({
    store: storage.clients,
    clock,
    staleness: options.revocationStaleness ?? second,
    news: options.news,
    untoldStaleness: options.untoldStaleness ?? minute,
    onTrouble: (cause) => tellError(cause, {}),
  });

  const nudges = new Set<() => void>();
  const nudge = (): void => {
    for (const wake of nudges) wake();
  };

  const retries = sender.development === true ? developmentSchedule : retrySchedule;
  const limiter = options.limiter ?? memoryRateLimiter({ clock });
  const findParent = createFindParent(accounts, clock, environmentReach);
  const attempt = createAttempt({
    sender,
    findParent,
    sealer,
    clock,
    observe: options.observe && observe,
    tellError,
    userAgent: options.userAgent ?? 'partnerkit',
    deadline: sendDeadline,
  });

  const { loginsPerClient, callsPerClient } = options.apiLimits ?? {};
  const { routes, accountRoute } = partnerRoutes({
    basePath,
    observe,
    metadata: options.metadata && metadataDocument(options.metadata, basePath, tokens.jwks !== undefined),
    createRoute: routeMaker({ clock, random, observe, tellError }),
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
      verifyToken: rememberVerified(tokens, rememberedTokens),
      fresh,
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

  return {
    routes,
    accountRoute,
    observe,
    clients: createClients({
      store: storage.clients,
      clock,
      random,
      observe,
      secretPrefix: options.secretPrefix ?? 'pks',
      tokenLifetime,
      tokens,
      fresh,
    }),
    endpoints: createEndpoints({
      store: storage.endpoints,
      sealer,
      clock,
      random,
      observe,
      nudge,
      mostPerAccount: options.mostEndpoints ?? 20,
      ports: options.endpointPorts,
      canReach: (url) => sender.canReach?.(url) ?? true,
    }),
    events: createEvents<Tx, D[number]>({
      storage,
      objects: options.objects,
      clock,
      random,
      observe: options.observe && observe,
      traceContext: options.traceContext,
    }),
    deliveries: createDeliveries({ log: storage.log, events: storage.events, findParent, nudge }),
    nudge,
    check: createCheck({
      ...{ storage, accounts, tokens, limiter, clock, random, tellError },
      ...{ sealingKeys: options.sealingKeys, news: options.news },
    }),
    worker: (workerOptions = {}) =>
      createWorker(
        {
          storage,
          findParent,
          attempt,
          clock,
          random,
          observe: options.observe && observe,
          tellError,
          deadline: sendDeadline,
          retries,
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
};
