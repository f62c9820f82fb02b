import type { Account, AccountDirectory } from './accounts/account.ts';
import { createFindParent } from './accounts/find-parent.ts';
import type { EnvironmentReach } from './accounts/reach.ts';
import type { ObjectDefinition } from './catalogue/define-object.ts';
import { type Check, createCheck } from './check.ts';
import { type Clients, createClients } from './clients/clients.ts';
import { createSealer, type SealingKey } from './crypto/seal.ts';
import { createAttempt } from './deliveries/attempt.ts';
import { createDeliveries, type Deliveries } from './deliveries/deliveries.ts';
import { workerLease } from './deliveries/membership.ts';
import { defaultRetention, type Retention } from './deliveries/pruner.ts';
import { developmentSchedule, retrySchedule } from './deliveries/retry-schedule.ts';
import type { Sender } from './deliveries/sender.ts';
import { createWorker, type Worker } from './deliveries/worker.ts';
import type { WorkerOptions } from './deliveries/worker-options.ts';
import { createEndpoints, type Endpoints } from './endpoints/endpoints.ts';
import { endpointSealer } from './endpoints/webhook-secret.ts';
import { createEvents, type Events } from './events/publish.ts';
import { routeMaker } from './http/create-route.ts';
import { type MetadataOptions, metadataDocument } from './http/metadata.ts';
import { type AccountHandler, type AccountRouteOptions, partnerRoutes } from './http/partner-routes.ts';
import type { Route } from './http/route.ts';
import { memoryRateLimiter } from './memory/rate-limiter.ts';
import { assertPartnerkitOptions, withDefaults } from './partnerkit-options.ts';
import type { Clock } from './runtime/clock.ts';
import type { Random } from './runtime/random.ts';
import { systemClock, systemRandom } from './runtime/system.ts';
import { type DurationMs, day, minute, second } from './runtime/time.ts';
import { type ErrorListener, guard, type Signal } from './signals/signal.ts';
import type { Storage } from './storage.ts';
import type { AccessTokens } from './tokens/access-tokens.ts';
import { type ApiLimits, takeLimit } from './tokens/api-limits.ts';
import { createCallerCheck, type InactiveChildren } from './tokens/caller.ts';
import type { ClientNews } from './tokens/client-news.ts';
import { createFreshClients } from './tokens/fresh-clients.ts';
import { createGrant, defaultLoginLimits, type LoginLimits } from './tokens/grant.ts';
import type { RateLimiter } from './tokens/rate-limiter.ts';
import { rememberVerified } from './tokens/verified-tokens.ts';

/**
 * What {@link createPartnerkit} takes: the host's directory, one adapter for each port, and the objects it publishes.
 * @public
 */
export interface PartnerkitOptions<Tx extends object, D extends readonly ObjectDefinition[]> {
  readonly accounts: AccountDirectory;
  readonly storage: Storage<Tx>;
  readonly tokens: AccessTokens;
  readonly sender: Sender;
  /** Made by `defineObject`; each objectName once. */
  readonly objects: D;
  /**
   * The first seals webhook secrets and API-key values at rest (AES-256-GCM, bound to account, endpoint and field, an API key to URL origin
   * and header name too); all of them open. To rotate: add the new key at the end, wait until every process has it, move it to the front, and drop the old
   * one when nothing is sealed with it any more.
   */
  readonly sealingKeys: readonly [SealingKey, ...SealingKey[]];
  /** Where the partner API lives. @defaultValue '/api/v1/partner' */
  readonly basePath?: `/${string}`;
  /**
   * Serve everything below `basePath` below `/v1/partner` too, account routes included, and login at `/oauth/token`
   * (specification §4.2). The answers are the same. @defaultValue false
   */
  readonly pathAliases?: boolean;
  /**
   * Serve authorization server metadata (RFC 8414), so that clients and validators that are configured by issuer find login and keys.
   * @defaultValue none
   */
  readonly metadata?: MetadataOptions;
  /** Serve a login without `scope` as this one. @defaultValue none: `scope` is required (specification §4.1) */
  readonly defaultScope?: 'USER';
  /** May the client's own account use the API? Asked at login (401) and at each call (403). @defaultValue status === 'active' */
  readonly mayUseApi?: (account: Account) => boolean;
  /**
   * Which children a client reaches, and of which children an endpoint may receive the events: those in the environment
   * of its account, or those in all environments. In both cases a token ends when its own account changes its
   * environment. @defaultValue 'same'
   */
  readonly environmentReach?: EnvironmentReach;
  /**
   * May a client change something in a child account that `mayUseApi` refuses? With `'read_only'`, account routes answer
   * 403 `account_not_active` there to every method but GET and HEAD. @defaultValue 'writable'
   */
  readonly inactiveChildren?: InactiveChildren;
  /** How long an access token lives, in milliseconds. @defaultValue 30 days */
  readonly tokenLifetime?: DurationMs;
  /** How late a disabled client or a revoked secret may be refused, in milliseconds; 0 asks the store each time. @defaultValue 1000 */
  readonly revocationStaleness?: DurationMs;
  /**
   * Lets callers cost no read of the store while nothing changes: what was read of a client lasts until it is told that it changes,
   * and `revocationStaleness` still holds. Each process that serves or changes these clients needs the same news.
   * @defaultValue none: clients are read anew every `revocationStaleness`
   */
  readonly news?: ClientNews;
  /**
   * With `news`: how late a change may be heard of that could not be told, in milliseconds. Its process had lost the news, and not
   * found them again; or it was made past partnerkit, in the database. @defaultValue 1 minute
   */
  readonly untoldStaleness?: DurationMs;
  /** The first part of client secrets, for secret scanners: 1 to 16 letters and digits. @defaultValue 'pks' */
  readonly secretPrefix?: string;
  /** @defaultValue in memory, per process */
  readonly limiter?: RateLimiter;
  readonly loginLimits?: Partial<LoginLimits>;
  /** How often one client may log in and call, with credentials that are right. @defaultValue no limits */
  readonly apiLimits?: ApiLimits;
  /** How many webhook endpoints an account may have. @defaultValue 20 */
  readonly mostEndpoints?: number;
  /** The ports that a webhook URL may have. @defaultValue any */
  readonly endpointPorts?: readonly number[];
  /** How long deliveries are held, and events and attempts kept; workers drop what is older. */
  readonly retention?: Partial<Retention>;
  /** The `User-Agent` of deliveries. @defaultValue 'partnerkit' */
  readonly userAgent?: string;
  /** Receives every signal; what it throws is ignored. */
  readonly observe?: (signal: Signal) => void;
  /**
   * Names the trace that is being published in, as text: 1 to 512 visible ASCII characters, such as a `traceparent` (W3C Trace Context).
   * Asked once for each event, within the call to publish; signals about the event repeat it, weeks later and in other processes
   * too. What it throws is ignored. It never reaches a partner.
   */
  readonly traceContext?: () => string | undefined;
  /** Receives the errors behind signals, with messages and stacks: for a log that may hold foreign text. */
  readonly onError?: ErrorListener;
  readonly clock?: Clock;
  readonly random?: Random;
}

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
