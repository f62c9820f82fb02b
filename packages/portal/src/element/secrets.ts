import type { ApiKey } from './portal.ts';

type Secret = ApiKey['secrets'][number];

const soon = 30 * 86_400;

/** Whether logins with the secret are accepted. @internal */
export const isActive = ({ revoked, expiresAt }: Secret, now: number = Date.now() / 1_000): boolean =>
  !revoked && (expiresAt === undefined || expiresAt > now);

/** Whether a key has ended, whatever its secrets. @internal */
export const hasEnded = ({ expiresAt }: ApiKey, now: number = Date.now() / 1_000): boolean =>
  expiresAt !== undefined && expiresAt <= now;

/** Whether a key has something to log in with: an active secret, or a public key. @internal */
export const canLogIn = ({ secrets, jwks }: ApiKey, now: number = Date.now() / 1_000): boolean =>
  jwks !== undefined || secrets.some((secret) => isActive(secret, now));

/** When a key logged in or called last, in seconds. @internal */
export const lastUse = ({ secrets, usage }: ApiKey): number | undefined => {
  const uses = [...secrets.map(({ lastUsedAt }) => lastUsedAt), usage?.lastCallAt].filter((at) => at !== undefined);
  return uses.length === 0 ? undefined : Math.max(...uses);
};

/**
 * When a key can no longer log in, in seconds. `undefined`: never, or it cannot today, or not within 30 days.
 * @internal
 */
export const endsSoon = (key: ApiKey, now: number = Date.now() / 1_000): number | undefined => {
  const { secrets, jwks, disabled, expiresAt: ownEnd = Number.POSITIVE_INFINITY } = key;
  if (disabled || hasEnded(key, now) || !canLogIn(key, now)) return undefined;
  const active = secrets.filter((secret) => isActive(secret, now));
  // Public keys have no end.
  const ends = jwks ? [Infinity] : active.map(({ expiresAt = Infinity }) => expiresAt);
  const last = Math.min(ownEnd, Math.max(...ends));
  return last < now + soon ? last : undefined;
};
