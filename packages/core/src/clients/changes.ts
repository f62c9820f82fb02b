import { err, ok, type Result } from 'neverthrow';
import { type EpochMs, toSeconds } from '../runtime/time.ts';
import type { Client, ClientSecret } from './client.ts';

/** A change of a client, or why it cannot be made. @internal */
export type ClientChange = (client: Client) => Result<Client, { readonly code: 'not_found' | 'too_many_secrets' }>;

/** How many secrets of a client may be alive at once: enough to rotate, too few to lose sight of. */
const mostSecrets = 5;

const changeSecret =
  (secretId: string, change: (secret: ClientSecret) => ClientSecret): ClientChange =>
  (client) =>
    client.secrets.some(({ id }) => id === secretId)
      ? ok({ ...client, secrets: client.secrets.map((secret) => (secret.id === secretId ? change(secret) : secret)) })
      : err({ code: 'not_found' });

/**
 * Adds a secret beside the others. Dead ones are dropped: a token of a secret that is not there is refused like one of a
 * revoked secret; one that expired before `tokensEndedBefore` has no living tokens.
 * @internal
 */
export const addSecret =
  (secret: ClientSecret, tokensEndedBefore: EpochMs): ClientChange =>
  (client) => {
    const alive = client.secrets.filter((held) => !held.revoked && (held.expiresAt ?? Infinity) > tokensEndedBefore);
    if (alive.length >= mostSecrets) return err({ code: 'too_many_secrets' });
    return ok({ ...client, secrets: [...alive, secret] });
  };

/** @internal */
export const expireSecret = (secretId: string, at: EpochMs): ClientChange =>
  changeSecret(secretId, (secret) => ({ ...secret, expiresAt: at }));

/** @internal */
export const revokeSecret = (secretId: string): ClientChange =>
  changeSecret(secretId, (secret) => ({ ...secret, revoked: true }));

/** @internal */
export const setDisabled =
  (disabled: boolean): ClientChange =>
  (client) =>
    ok({ ...client, disabled });

/** @internal */
export const rename =
  (name: string): ClientChange =>
  (client) =>
    ok({ ...client, name });

/**
 * Tokens count whole seconds: those of the running second end too, and those of the second that an earlier call gave to the
 * logins after it.
 * @internal
 */
export const revokeTokens =
  (now: EpochMs): ClientChange =>
  (client) =>
    ok({ ...client, tokensNotBefore: Math.max(client.tokensNotBefore, toSeconds(now)) + 1 });
