import type { ApiKey } from './portal.ts';

type Secret = ApiKey['secrets'][number];

const soon = 30 * 86_400;

/** Whether logins with the secret are accepted. @internal */
export const isActive = ({ revoked, expiresAt }: Secret, now: number = Date.now() / 1_000): boolean =>
  !revoked && (expiresAt === undefined || expiresAt > now);

/** When a key logged in or called last, in seconds. @internal */
export const lastUse = ({ secrets, usage }: ApiKey): number | undefined => {
  const uses = [...secrets.map(({ lastUsedAt }) => lastUsedAt), usage?.lastCallAt].filter((at) => at !== undefined);
  return uses.length === 0 ? undefined : Math.max(...uses);
};

/**
 * When a key can no longer log in, in seconds. `undefined`: never, or it cannot today, or not within 30 days.
 * @internal
 */
export const endsSoon = ({ secrets, disabled }: ApiKey, now: number = Date.now() / 1_000): number | undefined => {
  const active = secrets.filter((secret) => isActive(secret, now));
  if (disabled || active.length === 0) return undefined;
  const ends = active.map(({ expiresAt = Number.POSITIVE_INFINITY }) => expiresAt);
  const last = Math.max(...ends);
  return last < now + soon ? last : undefined;
};
