import type { z } from 'zod';
import { err, ok, type Result } from '#result';
import { mergePatch } from '../../base/fields/merge-patch.ts';
import { type Failure, failure, type InvalidInput } from '../../base/runtime/failure.ts';
import { type EpochMs, maxClockLead, toSeconds } from '../../base/runtime/time.ts';
import type { Client, ClientSecret } from './client.ts';
import type { clientInputs } from './client-fields.ts';
import { consistent } from './limits.ts';

/** Changes a client, or says why it cannot. */
export type ClientChange = (client: Client) => Result<Client, Failure<'not_found' | 'too_many_secrets'> | InvalidInput>;

/** Maximum number of active secrets of a client. */
const maxSecrets = 5;

const changeSecret =
  (secretId: string, change: (secret: ClientSecret) => ClientSecret): ClientChange =>
  (client) =>
    client.secrets.some(({ id }) => id === secretId)
      ? ok({ ...client, secrets: client.secrets.map((secret) => (secret.id === secretId ? change(secret) : secret)) })
      : err(failure('not_found'));

/**
 * Adds a secret. Revoked secrets are removed: a token of an absent secret is refused like one of a revoked secret. So
 * are secrets that expired before `tokensEndedBefore`: their tokens have expired.
 */
export const addSecret =
  (secret: ClientSecret, tokensEndedBefore: EpochMs): ClientChange =>
  (client) => {
    const active = client.secrets.filter((each) => !each.revoked && (each.expiresAt ?? Infinity) > tokensEndedBefore);
    if (active.length >= maxSecrets) return err(failure('too_many_secrets'));
    return ok({ ...client, secrets: [...active, secret] });
  };

export const expireSecret = (secretId: string, at: EpochMs): ClientChange =>
  changeSecret(secretId, (secret) => ({ ...secret, expiresAt: at }));

export const revokeSecret = (secretId: string): ClientChange =>
  changeSecret(secretId, (secret) => ({ ...secret, revoked: true }));

/** Gives a secret that only another system could verify its digest. */
export const toNewDigest = (secretId: string, digest: string): ClientChange =>
  changeSecret(secretId, (secret) => ({ ...secret, digest, origin: 'imported' }));

export const setDisabled =
  (disabled: boolean): ClientChange =>
  (client) =>
    ok({ ...client, disabled });

/** Changes fields by RFC 7396: `null` removes one; an absent field stays. */
export const update =
  (change: z.output<ReturnType<typeof clientInputs>['changed']>): ClientChange =>
  (client) =>
    consistent(mergePatch({ ...client }, change) as unknown as Client);

/**
 * Token times are whole seconds: tokens of the current second end too, and those of a server whose clock is ahead.
 * After an earlier call in the same second, logins got `tokensNotBefore` as their time; these tokens end too.
 */
export const revokeTokens =
  (now: EpochMs): ClientChange =>
  (client) =>
    ok({ ...client, tokensNotBefore: Math.max(client.tokensNotBefore, toSeconds(now + maxClockLead)) + 1 });
