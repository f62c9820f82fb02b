import { z } from 'zod';
import type { Client, ClientSecret } from '../../access/clients/client.ts';
import { clientFields, secretFields } from '../../access/clients/client-fields.ts';
import { isSecretId, noDigest } from '../../access/clients/secret.ts';
import { shapeOf } from '../../base/fields/field.ts';
import { once } from '../../base/runtime/once.ts';
import { accountId, clientId } from './row-fields.ts';

const time = once(() => z.int('a time in milliseconds since 1970.').min(0, 'a time in milliseconds since 1970.'));

const secret = once(() =>
  z
    .strictObject({
      ...shapeOf(secretFields(), 'created'),
      id: z.string().refine(isSecretId, 'as partnerkit made it: 12 letters and digits.'),
      digest: z.string().regex(/^[0-9a-f]{64}$/, '64 hex digits.'),
      origin: z.enum(['imported', 'legacy'], 'imported or legacy.').optional(),
      createdAt: time(),
      expiresAt: time().optional(),
      revoked: z.boolean(),
      lastUsedAt: time().optional(),
    } satisfies Record<keyof ClientSecret, z.ZodType>)
    .refine(({ digest, origin }) => (digest === noDigest) === (origin === 'legacy'), {
      error: '64 zeros are the digest of a legacy secret, and of no other.',
      path: ['digest'],
    }),
);

const client = once(() =>
  z.strictObject({
    ...shapeOf(clientFields(), 'created'),
    id: clientId(),
    accountId: accountId(),
    createdAt: time(),
    disabled: z.boolean(),
    secrets: z.array(secret()),
    lastRefusal: z.looseObject({}).optional(),
    tokensNotBefore: z.int().min(0),
    version: z.int().min(1),
  } satisfies Record<keyof Client, z.ZodType>),
);

/** A line of `kit.export`. Revoked secrets are left out: tokens of an absent secret are refused like theirs. */
export const exportedClient = once(
  () =>
    z
      .strictObject({ kind: z.literal('client'), client: client() })
      .transform(({ client: { lastRefusal: _refusal, secrets, ...rest } }) => ({
        ...rest,
        secrets: secrets.filter(({ revoked }) => !revoked),
        version: 1,
        // Strict objects have no fields that are undefined: the line was JSON, or came from the kit.
      })) as unknown as z.ZodType<Client>,
);
