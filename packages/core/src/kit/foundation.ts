import { createClientCache } from '../access/clients/client-cache.ts';
import { createCallCounter } from '../access/clients/count-calls.ts';
import type { RateLimiter } from '../access/tokens/rate-limiter.ts';
import type { AccountDirectory } from '../base/accounts/account.ts';
import { createListChildren } from '../base/accounts/list-children.ts';
import { createRights } from '../base/accounts/rights.ts';
import { createAuditor } from '../base/audit/auditor.ts';
import { createSealer } from '../base/crypto/seal.ts';
import { createPortLimit, defaultPortTimeout } from '../base/runtime/port-limit.ts';
import { systemClock, systemRandom } from '../base/runtime/system.ts';
import { minute, second } from '../base/runtime/time.ts';
import { wrongAnswer } from '../base/runtime/wrong-answer.ts';
import { safeListener } from '../base/signals/listener.ts';
import { memoryRateLimiter } from '../stores/memory/rate-limiter.ts';
import { limitStorage } from '../stores/storage/limit-storage.ts';
import type { Storage } from '../stores/storage/storage.ts';
import { type EndpointSealer, endpointSealer } from '../webhooks/endpoints/webhook-secret.ts';
import { createProfiles } from '../webhooks/signature/wire-profile.ts';
import type { Keys } from './keys.ts';
import type { Observability, PartnerkitOptions } from './options.ts';

/** The options that know nothing of transactions and of the platform's objects. */
export type Settings = Omit<PartnerkitOptions<object, readonly []>, 'storage' | 'objects' | 'observe' | keyof Keys> &
  Keys &
  Observability;

/** A limiter whose answer is no time would limit nothing: it fails instead. */
const checkedLimiter = ({ take, refund }: RateLimiter): RateLimiter => ({
  take: async (key, rule) => {
    const wait: unknown = await take(key, rule);
    if (typeof wait === 'number' && wait >= 0 && wait < Infinity) return wait;
    throw wrongAnswer('shared.limiter.take', 'a time in milliseconds, 0 when a point was free');
  },
  refund,
});

/**
 * What all parts of a kit stand on: ports whose calls end in time, listeners that cannot throw, keys and caches.
 * `pairs`: those of the catalogue, such as `RequestPayment.payed`.
 */
export const createFoundation = <Tx extends object>(
  settings: Settings,
  storage: Storage<Tx>,
  pairs: readonly string[],
) => {
  const { oauth = {}, shared = {}, advanced = {} } = settings;
  const { clock = systemClock, random = systemRandom, portTimeout = defaultPortTimeout } = advanced;
  const limit = createPortLimit(clock, portTimeout);
  const limited = limitStorage(limit, storage);
  const observe = safeListener(settings.observe);
  const reportError = safeListener(settings.onError);
  const accounts: AccountDirectory = {
    ...limit.of('accounts', settings.accounts, { find: 'read', listChildren: 'read' }),
    find: (id) => limit.callAtOnce('accounts.find', 'read', () => settings.accounts.find(id)),
  };
  const environmentReach = settings.api?.environmentReach ?? 'same';
  const sealer: EndpointSealer = endpointSealer(createSealer(settings.sealingKeys, random));
  return {
    clock,
    random,
    limit,
    observe,
    /** `observe` if somebody listens, for signals that cost something to make. */
    listener: settings.observe && observe,
    reportError,
    accounts,
    listChildren: createListChildren(accounts, environmentReach),
    storage: limited,
    tokens: limit.of('tokens', settings.tokens, {
      ...{ issue: 'read', verify: 'read', jwks: 'read' },
      verifyAssertion: 'read',
    }),
    limiter: shared.limiter
      ? checkedLimiter(limit.of('limiter', shared.limiter, { take: 'read', refund: 'read' }))
      : memoryRateLimiter({ clock }),
    sealer,
    auditor: createAuditor(settings.sealingKeys, clock, random),
    rights: createRights(settings.api?.rights),
    /** Whether the address of a caller is known. */
    trustsAddresses: settings.api?.trustRemoteAddress ?? false,
    cache: createClientCache({
      store: limited.clients,
      clock,
      staleness: oauth.revocationDelay ?? second,
      changeFeed: shared.changeFeed,
      maxStaleness: shared.maxStaleness ?? minute,
      onError: (cause) => reportError(cause, {}),
    }),
    calls: createCallCounter({ store: limited.clients, clock, onError: (cause) => reportError(cause, {}) }),
    profiles: createProfiles('createPartnerkit: the option webhooks', settings.webhooks ?? {}, pairs),
    environmentReach,
  };
};

export type Foundation<Tx extends object> = ReturnType<typeof createFoundation<Tx>>;
