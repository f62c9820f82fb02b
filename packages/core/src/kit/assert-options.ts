import { z } from 'zod';
import type { ClientChangeFeed } from '../access/clients/client-change-feed.ts';
import type { ClientStore } from '../access/clients/client-store.ts';
import type { LoginLimits } from '../access/tokens/grant.ts';
import type { LegacySecrets, LegacyTokens } from '../access/tokens/legacy.ts';
import type { RateLimiter } from '../access/tokens/rate-limiter.ts';
import type { MetadataOptions } from '../api/partner/metadata.ts';
import { defaultBasePath, type PathAliases } from '../api/partner/routes.ts';
import type { AccountDirectory } from '../base/accounts/account.ts';
import type { Clock } from '../base/runtime/clock.ts';
import {
  assertOptions,
  exactly,
  functionSchema,
  portSchema,
  type RequiredMethods,
  wholeNumberSchema,
} from '../base/runtime/option-schemas.ts';
import type { Random } from '../base/runtime/random.ts';
import { second } from '../base/runtime/time.ts';
import { requestStoresSchema } from '../requests/stores/stores-schema.ts';
import type { SecretIdStore } from '../stores/storage/secret-id-store.ts';
import type { Storage } from '../stores/storage/storage.ts';
import type { Catalogue } from '../webhooks/catalogue/catalogue.ts';
import type { ObjectDefinition } from '../webhooks/catalogue/define-object.ts';
import type { DeliveryStore } from '../webhooks/deliveries/delivery-store.ts';
import type { ParentPropagation } from '../webhooks/deliveries/parent-propagation.ts';
import type { Sender } from '../webhooks/deliveries/sender.ts';
import type { EndpointStore } from '../webhooks/endpoints/endpoint-store.ts';
import type { EventStore } from '../webhooks/events/event-store.ts';
import type { DeliveryLog } from '../webhooks/log/delivery-log.ts';
import type { ShardStore } from '../webhooks/shards/shard-store.ts';
import type { Retention } from '../webhooks/worker/context/retention.ts';
import { keySchemas, needsKeys, needsSecret, noList, signingKeyVersionsSchema } from './key-schemas.ts';
import type { PartnerkitOptions } from './options.ts';

const storageRemedy = 'Hand over postgresStorage(pool) or memoryStorage().';
const storePart = <P>(methods: Readonly<Record<RequiredMethods<P>, true>>) => portSchema<P>(methods, storageRemedy);

/** The parts of a storage. A missing storage, or a pool in its place, is reported once, not part by part. */
const storageSchema = portSchema<Pick<Storage<object>, 'transaction'>>({ transaction: true }, storageRemedy).pipe(
  z.looseObject({
    clients: storePart<ClientStore>({
      insertClient: true,
      findClient: true,
      listClients: true,
      replaceClient: true,
      deleteClient: true,
      touchSecret: true,
      noteRefusal: true,
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
    log: storePart<DeliveryLog>({
      listDeliveries: true,
      listAttempts: true,
      readExplainSnapshot: true,
      sendAgain: true,
      replay: true,
      readStatistics: true,
      countBacklog: true,
      prune: true,
    }),
    requests: requestStoresSchema(storageRemedy),
    secretIds: storePart<SecretIdStore>({ readSecretIds: true, replaceSecretIds: true }),
  } satisfies Record<keyof Omit<Storage<object>, 'transaction' | 'check'>, z.ZodType>),
);

const definition = portSchema<Record<never, never>>({}, 'Make it with defineObject(objectName, { … }).').refine(
  (value) => typeof (value as Partial<ObjectDefinition>).selections?.keys === 'function',
  'must be made by defineObject(objectName, { … }).',
);

const retention: Record<keyof Retention, z.ZodType> = {
  held: wholeNumberSchema(second).optional(),
  events: wholeNumberSchema(second).optional(),
  attempts: wholeNumberSchema(second).optional(),
};
const limitRule = exactly({ points: wholeNumberSchema(1), window: wholeNumberSchema(1) }).optional();
const loginLimits: Record<keyof LoginLimits, z.ZodType> = {
  perAddress: limitRule,
  perClientAndAddress: limitRule,
  signalPerClient: limitRule,
};
const metadata: Record<keyof MetadataOptions, z.ZodType> = {
  issuer: z.string('must be an https URL.'),
  origin: z.string('must be an https URL.').optional(),
};
const matching = (rule: string, shape: RegExp) => z.string(rule).regex(shape, rule);

type Options = PartnerkitOptions<object, readonly []>;

const scopesRule = 'must be a list of at most 32 scopes, each a word of ASCII (RFC 6749 §3.3).';
const isBelow = (path: string, base: string): boolean => path.startsWith(`${base}/`);
/** An alias whose 404 would hide other routes, or whose path would hide an account. */
const shadows = (http: Options['http']): boolean => {
  const { basePath = defaultBasePath, pathAliases } = http ?? {};
  if (typeof pathAliases !== 'object') return false;
  const { basePaths = [], login = [] } = pathAliases;
  const bases = [basePath, ...basePaths];
  return (
    bases.some((base) => bases.some((other) => isBelow(other, base))) ||
    login.some((path) => bases.some((base) => isBelow(path, `${base}/organisations`)))
  );
};
const paths = z.array(z.string().regex(/^(\/[A-Za-z0-9._~-]+)+$/)).optional();

/** Schema of a group of options: each of its names, and no other. */
const group = <G extends keyof Options>(shape: Readonly<Record<keyof NonNullable<Options[G]>, z.ZodType>>) =>
  exactly(shape).optional();

const partnerkitSchema = exactly({
  accounts: portSchema<AccountDirectory>(
    { find: true },
    'Hand over { find: async (accountId) => account or undefined }.',
  ),
  storage: storageSchema,
  ...keySchemas,
  sender: portSchema<Sender>({ send: true }, 'Hand over httpsSender() of @partnerkit/node.'),
  catalogue: portSchema<Pick<Catalogue, 'has' | 'typesOf' | 'defineObject'>>(
    { has: true, typesOf: true, defineObject: true },
    'Make it with defineCatalogue({ … }).',
  ).optional(),
  objects: z.array(definition, { error: noList('Hand over a list of what defineObject made.') }),
  http: group<'http'>({
    basePath: matching(
      'must begin with "/", end without one, and consist of letters, digits, ".", "_", "~" and "-".',
      /^(\/[A-Za-z0-9._~-]+)+$/,
    ).optional(),
    pathAliases: z
      .union(
        [
          z.boolean(),
          z.strictObject({ basePaths: paths, login: paths } satisfies Record<keyof PathAliases, z.ZodType>),
        ],
        "must be true, false or { basePaths: ['/partner/v2'], login: ['/partner/v2/oauth'] }.",
      )
      .optional(),
  }).refine((http) => !shadows(http as Options['http']), {
    error:
      'shadows other routes: no base path may lie below another one, since each answers 404 for all below it, ' +
      'and no login path below /organisations.',
    path: ['pathAliases'],
  }),
  access: group<'access'>({
    mayUseApi: functionSchema.optional(),
    environmentReach: z.enum(['same', 'all'], "must be 'same' or 'all'.").optional(),
    inactiveChildren: z.enum(['writable', 'read_only'], "must be 'writable' or 'read_only'.").optional(),
  }),
  oauth: group<'oauth'>({
    tokenLifetime: wholeNumberSchema(second).optional(),
    signingKeyVersions: signingKeyVersionsSchema.optional(),
    defaultScope: z.literal('USER', "must be 'USER'.").optional(),
    acceptedScopes: z
      .array(z.string(scopesRule).regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/, scopesRule), scopesRule)
      .max(32, scopesRule)
      .optional(),
    importedClients: z.boolean('must be true or false.').optional(),
    legacySecrets: portSchema<LegacySecrets>(
      { verify: true },
      'Hand over { verify: async (clientId, secret) => true or false }.',
    ).optional(),
    legacyTokens: portSchema<LegacyTokens>(
      { verify: true },
      'Hand over { verify: async (token) => claims }.',
    ).optional(),
    secretPrefix: matching('must be 1 to 16 letters and digits.', /^[A-Za-z0-9]{1,16}$/).optional(),
    metadata: exactly(metadata).optional(),
  }),
  revocation: group<'revocation'>({
    staleness: wholeNumberSchema(0).optional(),
    changeFeed: portSchema<ClientChangeFeed>(
      { announce: true, changesSince: true },
      'Hand over redisClientChangeFeed(client).',
    ).optional(),
    maxStaleness: wholeNumberSchema(0).optional(),
  }),
  limits: group<'limits'>({
    limiter: portSchema<RateLimiter>({ take: true, refund: true }, 'Hand over redisRateLimiter(client).').optional(),
    failedLogins: exactly(loginLimits).optional(),
    loginsPerClient: limitRule,
    callsPerClient: limitRule,
  }),
  webhooks: group<'webhooks'>({
    maxEndpoints: wholeNumberSchema(1).optional(),
    ports: z
      .array(wholeNumberSchema(1), 'must be a list of ports.')
      .min(1, 'must name at least one port; leave it out for any.')
      .optional(),
    // createProfiles checks these.
    ...{ envelope: z.unknown().optional(), signatures: z.unknown().optional(), headers: z.unknown().optional() },
    profiles: z.unknown().optional(),
    userAgent: matching('must be 1 to 256 visible ASCII characters.', /^[\x20-\x7e]{1,256}$/).optional(),
  }),
  retention: exactly(retention).optional(),
  observe: functionSchema.optional(),
  traceContext: functionSchema.optional(),
  onError: functionSchema.optional(),
  portTimeout: wholeNumberSchema(1).optional(),
  clock: portSchema<Clock>({ now: true, sleep: true }, '').optional(),
  random: portSchema<Random>({ bytes: true }, '').optional(),
} satisfies Record<keyof Options, z.ZodType>)
  .refine(...needsKeys)
  .refine(...needsSecret);

/** @throws TypeError that names each wrong option and its remedy. */
export const assertPartnerkitOptions = (options: unknown): void =>
  assertOptions('createPartnerkit', partnerkitSchema, options);

/** Replaces options that are absent or `undefined` by their defaults. */
export const withDefaults = <T extends object>(defaults: T, given: Partial<T> | undefined): T => {
  const present = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(present) };
};
