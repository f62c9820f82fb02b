import { createClientCache } from '../clients/client-cache.ts';
import { createSealer } from '../crypto/seal.ts';
import { type EndpointSealer, endpointSealer } from '../endpoints/webhook-secret.ts';
import { memoryRateLimiter } from '../memory/rate-limiter.ts';
import { createPortLimit, defaultPortTimeout } from '../runtime/port-limit.ts';
import { systemClock, systemRandom } from '../runtime/system.ts';
import { minute, second } from '../runtime/time.ts';
import { safeListener } from '../signals/listener.ts';
import { createProfiles } from '../signature/wire-profile.ts';
import { limitStorage } from '../storage/limit-storage.ts';
import type { Storage } from '../storage/storage.ts';
import type { RateLimiter } from '../tokens/rate-limiter.ts';
import type { PartnerkitOptions } from './options.ts';

/** The options that know nothing of transactions and of the platform's objects. @internal */
export type Settings = Omit<PartnerkitOptions<object, readonly []>, 'storage' | 'catalogue' | 'objects'>;

/** A limiter whose answer is no time would limit nothing: it fails instead. */
const checkedLimiter = ({ take, refund }: RateLimiter): RateLimiter => ({
  take: async (key, rule) => {
    const wait: unknown = await take(key, rule);
    if (typeof wait === 'number' && wait >= 0 && wait < Infinity) return wait;
    throw new TypeError('partnerkit: limits.limiter.take must return a time in milliseconds, 0 when a point was free.');
  },
  refund,
});

/**
 * What all parts of a kit stand on: ports whose calls end in time, listeners that cannot throw, keys and caches.
 * `pairs`: those of the catalogue, such as `RequestPayment.payed`.
 * @internal
 */
export const createFoundation = <Tx extends object>(
  settings: Settings,
  storage: Storage<Tx>,
  pairs: readonly string[],
) => {
  const { clock = systemClock, random = systemRandom, revocation = {}, limits = {} } = settings;
  const limit = createPortLimit(clock, settings.portTimeout ?? defaultPortTimeout);
  const limited = limitStorage(limit, storage);
  const observe = safeListener(settings.observe);
  const reportError = safeListener(settings.onError);
  const sealer: EndpointSealer = endpointSealer(createSealer(settings.sealingKeys, random));
  return {
    clock,
    random,
    limit,
    observe,
    /** `observe` if somebody listens, for signals that cost something to make. */
    listener: settings.observe && observe,
    reportError,
    accounts: limit.of('accounts', settings.accounts, { find: 'read' }),
    storage: limited,
    tokens: limit.of('tokens', settings.tokens, { issue: 'read', verify: 'read', jwks: 'read' }),
    limiter: limits.limiter
      ? checkedLimiter(limit.of('limiter', limits.limiter, { take: 'read', refund: 'read' }))
      : memoryRateLimiter({ clock }),
    sealer,
    cache: createClientCache({
      store: limited.clients,
      clock,
      staleness: revocation.staleness ?? second,
      changeFeed: revocation.changeFeed,
      maxStaleness: revocation.maxStaleness ?? minute,
      onError: (cause) => reportError(cause, {}),
    }),
    profiles: createProfiles('createPartnerkit: the option webhooks', settings.webhooks ?? {}, pairs),
    environmentReach: settings.access?.environmentReach ?? 'same',
  };
};

/** @internal */
export type Foundation<Tx extends object> = ReturnType<typeof createFoundation<Tx>>;
