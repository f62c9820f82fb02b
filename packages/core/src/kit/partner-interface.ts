import { takeLimit } from '../access/tokens/api-limits.ts';
import type { AssertionCheck } from '../access/tokens/assertion.ts';
import { createAuthentication, defaultLoginLimits } from '../access/tokens/authenticate.ts';
import { createGrant } from '../access/tokens/grant.ts';
import { checkLegacySecrets, checkLegacyTokens } from '../access/tokens/legacy.ts';
import { createRevocation } from '../access/tokens/revoke.ts';
import { cacheVerifiedTokens } from '../access/tokens/verified-tokens.ts';
import { createRefusal } from '../api/operations/refusal.ts';
import { createRunner } from '../api/operations/run.ts';
import { createCallerCheck } from '../api/partner/caller.ts';
import { metadataOperation } from '../api/partner/metadata.ts';
import { defaultBasePath, type PathAliases, partnerRoutes, specifiedAliases } from '../api/partner/routes.ts';
import { webhookKeysOperation } from '../api/partner/webhook-keys.ts';
import { day } from '../base/runtime/time.ts';
import { withDefaults } from './assert-options.ts';
import type { Foundation, Settings } from './foundation.ts';

const maxVerifiedTokens = 10_000;

const aliasesOf = (aliases: boolean | PathAliases = false): PathAliases =>
  typeof aliases === 'object' ? aliases : aliases ? specifiedAliases : {};

/**
 * How assertions of clients are verified: for the issuer of the tokens, or for an address of the login at an origin of
 * the platform. `undefined`: nothing verifies them, or nothing names the platform.
 */
const assertionCheckOf = (
  { tokens, origin = [], oauth: { metadata } = {} }: Settings,
  verify: AssertionCheck['verify'] | undefined,
  loginPaths: readonly string[],
): AssertionCheck | undefined => {
  const described = typeof metadata === 'object' ? [metadata.issuer, metadata.origin ?? metadata.issuer] : [];
  const issuers = [tokens.issuer, described[0], ...[origin].flat()].filter((each) => each !== undefined);
  const origins = [...[origin].flat(), ...described, tokens.issuer].flatMap((each) =>
    each !== undefined && URL.canParse(each) ? [new URL(each).origin] : [],
  );
  const addresses = origins.flatMap((each) => loginPaths.map((path) => `${each}${path}`));
  const audiences = [...new Set([...issuers, ...addresses])];
  return verify && audiences.length > 0 ? { verify, audiences } : undefined;
};

/** Login, the check of callers, and the routes of partners. */
export const createPartnerInterface = <Tx extends object>(foundation: Foundation<Tx>, settings: Settings) => {
  const { accounts, storage, tokens, limiter, cache, clock, random, limit, observe, reportError } = foundation;
  const { profiles, environmentReach, listChildren, rights, calls, trustsAddresses } = foundation;
  const { api = {}, oauth = {}, limits = {} } = settings;
  const basePath = api.basePath ?? defaultBasePath;
  const [issuer = ''] = [settings.origin ?? []].flat();
  const metadata = oauth.metadata === true ? { issuer } : oauth.metadata;
  const tokenLifetime = oauth.tokenLifetime ?? 30 * day;
  const mayUseApi = api.mayUseApi ?? ((account) => account.status === 'active');
  const { clients: acceptsImported = false, ...given } = settings.imported ?? {};
  const legacySecrets = given.legacySecrets && checkLegacySecrets(given.legacySecrets, limit, clock);
  const imported = { acceptsImported, legacySecrets };
  if (legacySecrets && !acceptsImported)
    throw new TypeError('createPartnerkit: the option imported.legacySecrets needs imported.clients: true.');
  const legacyTokens =
    given.legacyTokens && checkLegacyTokens(limit.of('legacyTokens', given.legacyTokens, { verify: 'read' }), clock);
  const verifyToken = cacheVerifiedTokens(tokens, maxVerifiedTokens, legacyTokens);

  const failedLogins = withDefaults(defaultLoginLimits, limits.failedLogins);

  const pathAliases = aliasesOf(api.pathAliases);
  const assertions = assertionCheckOf(settings, tokens.verifyAssertion, [
    ...[basePath, ...(pathAliases.basePaths ?? [])].map((base) => `${base}/login`),
    ...(pathAliases.login ?? []),
  ]);
  const authentication = createAuthentication({
    ...{ accounts, clients: storage.clients, imported, assertions, limiter, limits: failedLogins },
    ...{ mayUseApi, trustsAddresses, clock, observe },
  });

  const refuse = createRefusal({ clock, random, observe, reportError });
  const run = createRunner(refuse);
  const routes = partnerRoutes({
    basePath,
    observe,
    webhookKeys: profiles.publicKeys.length > 0 ? webhookKeysOperation(profiles.publicKeys) : undefined,
    metadata: metadata && metadataOperation(metadata, basePath, settings.tokens, assertions !== undefined),
    run,
    refuse,
    grant: createGrant({
      ...{ authentication, clients: storage.clients, cache, tokens, tokenLifetime, clock, random, observe },
      takeLogin: takeLimit(limiter, 'logins', limits.loginsPerClient),
    }),
    revoke: createRevocation({
      ...{ authentication, clients: storage.clients, cache, verifyToken, clock, observe },
      auditor: foundation.auditor,
    }),
    verifiesAssertions: assertions !== undefined,
    listChildren,
    checkCaller: createCallerCheck({
      accounts,
      verifyToken,
      cache,
      mayUseApi,
      environmentReach,
      inactiveChildren: api.inactiveChildren ?? 'writable',
      trustsAddresses,
      takeCall: takeLimit(limiter, 'calls', limits.callsPerClient),
      calls,
      clock,
    }),
    limitsLogins: limits.loginsPerClient !== undefined,
    trustsAddresses,
    limitsCalls: limits.callsPerClient !== undefined,
    tokens,
    rights,
    scopes: { default: oauth.defaultScope, accepted: oauth.acceptedScopes ?? [], rights: rights.all },
    aliases: pathAliases,
  });
  return {
    ...routes,
    basePath,
    run,
    refuse,
    tokenLifetime,
    failedLogins,
    /** Whether clients can log in by `private_key_jwt`. */
    verifiesAssertions: assertions !== undefined,
    /** Which imported clients can log in. */
    imported,
    /** The claims of a token to revoke. One of another system names no account. */
    verifyToken: async (token: string) => {
      const claims = await verifyToken(token);
      const accountId = claims && (claims.accountId ?? (await storage.clients.findClient(claims.clientId))?.accountId);
      return accountId === undefined || !claims ? undefined : { ...claims, accountId };
    },
  };
};

export type PartnerInterface = ReturnType<typeof createPartnerInterface<object>>;
