import type { ClientChangeFeed } from '../access/clients/client-change-feed.ts';
import type { ClientStore } from '../access/clients/client-store.ts';
import type { LoginLimits } from '../access/tokens/authenticate.ts';
import type { LegacySecrets, LegacyTokens } from '../access/tokens/legacy.ts';
import type { RateLimiter } from '../access/tokens/rate-limiter.ts';
import type { MetadataOptions } from '../api/partner/metadata.ts';
import { defaultBasePath, type PathAliases } from '../api/partner/routes.ts';
import type { AccountDirectory } from '../base/accounts/account.ts';
import { partForm } from '../base/accounts/rights.ts';
import type { AlertStore } from '../base/alerts/alert-store.ts';
import type { AuditStore } from '../base/audit/audit-store.ts';
import type { Clock } from '../base/runtime/clock.ts';
import {
  anything,
  assertOptions,
  booleanOption,
  every,
  exactly,
  functionOption,
  listOf,
  must,
  type OptionRule,
  type OptionRules,
  oneOf,
  optional,
  port,
  problem,
  type RequiredMethods,
  text,
  wholeNumber,
  withMembers,
} from '../base/runtime/option-rules.ts';
import type { Random } from '../base/runtime/random.ts';
import { second } from '../base/runtime/time.ts';
import { requestStoresRule } from '../requests/stores/stores-rule.ts';
import type { SecretIdStore } from '../stores/storage/secret-id-store.ts';
import type { Storage } from '../stores/storage/storage.ts';
import type { ObjectDefinition } from '../webhooks/catalogue/define-object.ts';
import type { DeliveryStore } from '../webhooks/deliveries/delivery-store.ts';
import type { HandlerStore } from '../webhooks/deliveries/handler-store.ts';
import type { ParentPropagation } from '../webhooks/deliveries/parent-propagation.ts';
import type { Sender } from '../webhooks/deliveries/sender.ts';
import type { EndpointStore } from '../webhooks/endpoints/endpoint-store.ts';
import type { EventStore } from '../webhooks/events/event-store.ts';
import type { FeedStore } from '../webhooks/feeds/feed-store.ts';
import type { DeliveryLog } from '../webhooks/log/delivery-log.ts';
import type { SendingStore } from '../webhooks/sending/sending-store.ts';
import type { ShardStore } from '../webhooks/shards/shard-store.ts';
import type { Retention } from '../webhooks/worker/context/retention.ts';
import { deliveryRule } from './delivery-rule.ts';
import {
  keyRules,
  metadataNeedsOrigin,
  needsKeys,
  needsSecret,
  noList,
  orFunction,
  sealingKeysRule,
  signingKeyVersionsRule,
} from './key-rules.ts';
import type { Observability, PartnerkitOptions } from './options.ts';

const storageRemedy = 'Hand over postgresStorage(pool) or memoryStorage().';
const storePart = <P>(methods: Readonly<Record<RequiredMethods<P>, true>>) => port<P>(methods, storageRemedy);

/** The parts of a storage. A missing storage, or a pool in its place, is reported once, not part by part. */
const storageRule = every(
  port<Pick<Storage<object>, 'transaction'>>({ transaction: true }, storageRemedy),
  withMembers({
    clients: storePart<ClientStore>({
      insertClient: true,
      findClient: true,
      listClients: true,
      listAllClients: true,
      replaceClient: true,
      deleteClient: true,
      touchSecret: true,
      noteRefusal: true,
      addUsage: true,
      readUsage: true,
      revokeToken: true,
      isTokenRevoked: true,
    }),
    endpoints: storePart<EndpointStore>({
      insertEndpoint: true,
      findEndpoint: true,
      readHealth: true,
      listEndpoints: true,
      listAllEndpoints: true,
      countBySealingKey: true,
      countByProfile: true,
      replaceEndpoint: true,
      resumeEndpoint: true,
      deleteEndpoint: true,
    }),
    events: storePart<EventStore<object>>({ append: true, listEvents: true, findEvent: true }),
    shards: storePart<ShardStore>({
      join: true,
      heartbeat: true,
      acquire: true,
      release: true,
      leave: true,
      hasWorkers: true,
      watch: true,
    }),
    deliveries: storePart<DeliveryStore>({
      readOutbox: true,
      dispatch: true,
      settle: true,
      readDue: true,
      readQueued: true,
      recover: true,
      readEndpoints: true,
      readQueuedAccounts: true,
    }),
    parents: storePart<ParentPropagation>({ readPropagated: true, propagate: true }),
    feeds: storePart<FeedStore>({
      readFeed: true,
      noteAsked: true,
      readProgress: true,
      findEntry: true,
      watchFeeds: true,
    }),
    handlers: storePart<HandlerStore<object>>({
      register: true,
      claim: true,
      settle: true,
      listHandlers: true,
      listDeliveries: true,
      sendAgain: true,
      removeHandler: true,
    }),
    audit: storePart<AuditStore>({
      tell: true,
      listEntries: true,
      readChains: true,
      readUnlinkedShards: true,
      readUnlinked: true,
      link: true,
      readLinked: true,
      pruneEntries: true,
    }),
    alerts: storePart<AlertStore>({ findAddress: true, setAddress: true, insertAddress: true }),
    sending: storePart<SendingStore>({ pause: true, resume: true, listPauses: true }),
    log: storePart<DeliveryLog>({
      listDeliveries: true,
      listAttempts: true,
      readExplainSnapshot: true,
      sendAgain: true,
      replay: true,
      readStatistics: true,
      countBacklog: true,
      readFailing: true,
      readFailedHours: true,
      deleteFailedHours: true,
      readHealthSnapshot: true,
      prune: true,
    }),
    requests: requestStoresRule(storageRemedy),
    secretIds: storePart<SecretIdStore>({ readSecretIds: true, replaceSecretIds: true }),
  } satisfies OptionRules<keyof Omit<Storage<object>, 'transaction' | 'maxTransactions' | 'check'>>),
);

const definition = every(
  port<Record<never, never>>({}, 'Make it with defineObject(objectName, { … }).'),
  must(
    'must be made by defineObject(objectName, { … }).',
    (value) => typeof (value as Partial<ObjectDefinition>).selections?.keys === 'function',
  ),
);

const retention = exactly({
  held: optional(wholeNumber(second)),
  events: optional(wholeNumber(second)),
  audit: optional(wholeNumber(second)),
} satisfies OptionRules<keyof Retention>);
const limitRule = optional(exactly({ points: wholeNumber(1), window: wholeNumber(1) }));
const loginLimits = exactly({
  perAddress: limitRule,
  perClientAndAddress: limitRule,
  signalPerClient: limitRule,
} satisfies OptionRules<keyof LoginLimits>);
const metadata = exactly({
  issuer: text('must be an https URL.'),
  origin: optional(text('must be an https URL.')),
} satisfies OptionRules<keyof MetadataOptions>);

type Options = PartnerkitOptions<object, readonly []>;

const scopesRule = 'must be a list of at most 32 scopes, each a word of ASCII (RFC 6749 §3.3).';
const isBelow = (path: string, base: string): boolean => path.startsWith(`${base}/`);
/** An alias whose 404 would hide other routes, or whose path would hide an account. */
const partRule =
  'must be a list of parts such as "bookings": a lower-case letter, then at most 30 letters, digits or "_".';

const shadows = (api: Options['api']): boolean => {
  const { basePath = defaultBasePath, pathAliases } = api ?? {};
  if (typeof pathAliases !== 'object') return false;
  const { basePaths = [], login = [] } = pathAliases;
  const bases = [basePath, ...basePaths];
  return (
    bases.some((base) => bases.some((other) => isBelow(other, base))) ||
    login.some((path) => bases.some((base) => isBelow(path, `${base}/organisations`)))
  );
};
const path = text(
  'must begin with "/", end without one, and consist of letters, digits, ".", "_", "~" and "-".',
  /^(\/[A-Za-z0-9._~-]+)+$/,
);
const paths = optional(listOf(path, 'must be a list of paths.'));
const aliases = exactly({ basePaths: paths, login: paths } satisfies OptionRules<keyof PathAliases>);

const observability: OptionRule = every(
  must('must be a function, or an object such as openTelemetry().', (value) => Object(value) === value),
  exactly({
    observe: optional(functionOption),
    traceContext: optional(functionOption),
  } satisfies OptionRules<keyof Observability>),
);

/** The options of groups, such as `advanced.clock`. */
const grouped: string[] = [];

/** A group of options: each of its names, and no other. */
const group = <G extends keyof Options>(name: G, rules: OptionRules<keyof NonNullable<Options[G]>>): OptionRule => {
  grouped.push(...Object.keys(rules).map((each) => `${name}.${each}`));
  return optional(exactly(rules));
};

const rules = {
  accounts: port<AccountDirectory>({ find: true }, 'Hand over { find: async (accountId) => account or undefined }.'),
  storage: storageRule,
  ...keyRules,
  sender: port<Sender>({ send: true }, 'Hand over httpsSender() of @partnerkit/node.'),
  objects: listOf(definition, noList('Hand over a list of what defineObject made.')),
  api: every(
    group('api', {
      basePath: optional(path),
      pathAliases: optional(
        must(
          "must be true, false or { basePaths: ['/partner/v2'], login: ['/partner/v2/oauth'] }.",
          (value) => typeof value === 'boolean' || aliases(value).length === 0,
        ),
      ),
      mayUseApi: optional(functionOption),
      environmentReach: optional(oneOf('same', 'all')),
      inactiveChildren: optional(oneOf('writable', 'read_only')),
      webhooks: optional(booleanOption),
      rights: optional(listOf(text(partRule, partForm), partRule)),
      trustRemoteAddress: optional(booleanOption),
    }),
    (api) =>
      shadows(api as Options['api'])
        ? problem(
            'shadows other routes: no base path may lie below another one, since each answers 404 for all below it, ' +
              'and no login path below /organisations.',
            'pathAliases',
          )
        : [],
  ),
  oauth: group('oauth', {
    tokenLifetime: optional(wholeNumber(second)),
    revocationDelay: optional(wholeNumber(0)),
    signingKeyVersions: optional(signingKeyVersionsRule),
    defaultScope: optional(oneOf('USER')),
    acceptedScopes: optional(
      every(
        listOf(text(scopesRule, /^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/), scopesRule),
        must(scopesRule, (scopes) => (scopes as readonly unknown[]).length <= 32),
      ),
    ),
    secretPrefix: optional(text('must be 1 to 16 letters and digits.', /^[A-Za-z0-9]{1,16}$/)),
    metadata: optional((value) => (value === true ? [] : metadata(value))),
  }),
  limits: group('limits', {
    failedLogins: optional(loginLimits),
    loginsPerClient: limitRule,
    callsPerClient: limitRule,
    keysPerAccount: limitRule,
    endpointsPerAccount: limitRule,
    testEventsPerAccount: limitRule,
  }),
  webhooks: group('webhooks', {
    maxEndpoints: optional(wholeNumber(1)),
    ports: optional(
      every(
        listOf(wholeNumber(1), 'must be a list of ports.'),
        must('must name at least one port; leave it out for any.', (ports) => (ports as readonly unknown[]).length > 0),
      ),
    ),
    // createProfiles checks these.
    ...{ envelope: anything, signatures: anything, headers: anything, profiles: anything },
    retention: optional(retention),
    delivery: optional(deliveryRule),
    userAgent: optional(text('must be 1 to 256 visible ASCII characters.', /^[\x20-\x7e]{1,256}$/)),
  }),
  observe: optional((value) => (typeof value === 'function' ? [] : observability(value))),
  onError: optional(functionOption),
  imported: group('imported', {
    clients: optional(booleanOption),
    legacySecrets: optional(
      port<LegacySecrets>({ verify: true }, 'Hand over { verify: async (clientId, secret) => true or false }.'),
    ),
    legacyTokens: optional(port<LegacyTokens>({ verify: true }, 'Hand over { verify: async (token) => claims }.')),
  }),
  shared: group('shared', {
    limiter: optional(port<RateLimiter>({ take: true, refund: true }, 'Hand over redisRateLimiter(client).')),
    changeFeed: optional(
      port<ClientChangeFeed>({ announce: true, changesSince: true }, 'Hand over redisClientChangeFeed(client).'),
    ),
    maxStaleness: optional(wholeNumber(0)),
  }),
  advanced: group('advanced', {
    sealingKeys: optional(orFunction(sealingKeysRule)),
    portTimeout: optional(wholeNumber(1)),
    clock: optional(port<Clock>({ now: true, sleep: true }, '')),
    random: optional(port<Random>({ bytes: true }, '')),
  }),
} satisfies OptionRules<keyof Options>;

const partnerkitRule: OptionRule = (options) => [
  ...exactly(rules, grouped)(options),
  ...needsKeys(options),
  ...needsSecret(options),
  ...metadataNeedsOrigin(options),
];

/** @throws TypeError that names each wrong option and its remedy. */
export const assertPartnerkitOptions = (options: unknown): void =>
  assertOptions('createPartnerkit', partnerkitRule, options);

/** Replaces options that are absent or `undefined` by their defaults. */
export const withDefaults = <T extends object>(defaults: T, given: Partial<T> | undefined): T => {
  const present = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(present) };
};
