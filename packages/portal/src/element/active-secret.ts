import type { ApiKey } from './portal.ts';

/** Whether logins with the secret are accepted. @internal */
export const isActive = (
  { revoked, expiresAt }: ApiKey['secrets'][number],
  now: number = Date.now() / 1_000,
): boolean => !revoked && (expiresAt === undefined || expiresAt > now);
