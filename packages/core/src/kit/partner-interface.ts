import { takeLimit } from '../access/tokens/api-limits.ts';
import { createGrant, defaultLoginLimits } from '../access/tokens/grant.ts';
import { checkLegacySecrets, checkLegacyTokens } from '../access/tokens/legacy.ts';
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

  const refuse = createRefusal({ clock, random, observe, reportError });
  const run = createRunner(refuse);
  const routes = partnerRoutes({
    basePath,
    observe,
    webhookKeys: profiles.publicKeys.length > 0 ? webhookKeysOperation(profiles.publicKeys) : undefined,
    metadata: metadata && metadataOperation(metadata, basePath, settings.tokens),
    run,
    refuse,
    grant: createGrant({
      accounts,
      clients: storage.clients,
      tokens,
      limiter,
      limits: failedLogins,
      cache,
      imported,
      takeLogin: takeLimit(limiter, 'logins', limits.loginsPerClient),
      mayUseApi,
      trustsAddresses,
      tokenLifetime,
      clock,
      random,
      observe,
    }),
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
    aliases: aliasesOf(api.pathAliases),
  });
  return {
    ...routes,
    basePath,
    run,
    refuse,
    tokenLifetime,
    failedLogins,
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
