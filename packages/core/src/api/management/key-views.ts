import { z } from 'zod';
import { clientFields } from '../../access/clients/client-fields.ts';
import { withExample } from '../../base/fields/example.ts';
import { seen, seenIf } from '../../base/fields/field.ts';
import { one, viewOf } from '../../base/fields/view.ts';
import { once } from '../../base/runtime/once.ts';

export const apiKey = once(() =>
  viewOf(clientFields(), {
    name: 'ApiKey',
    description: 'An API key: an OAuth 2.0 client with its secrets.',
    example: {
      ...{ id: 'client_1', name: 'Booking system', createdAt: 1_798_761_600, disabled: false },
      secrets: [{ id: 'secret_1', label: '2027', createdAt: 1_798_761_600, revoked: false }],
    },
  }),
);

const shownOnce = 'The `client_secret`. It is shown once: only its digest is stored.';

/** A new API key, with its secret unless it has public keys. */
export const createdApiKey = once(() =>
  viewOf(
    {
      key: one(apiKey()),
      secretId: seenIf(withExample(z.string(), 'secret_1')),
      secret: seenIf(withExample(z.string(), 'pk_secret_1_…'), `${shownOnce} A key with \`jwks\` has none.`),
    },
    {
      name: 'CreatedApiKey',
      description: 'A new API key.',
    },
  ),
);

/** An API key with a new secret. */
export const newApiKey = once(() =>
  viewOf(
    {
      key: one(apiKey()),
      secretId: seen(withExample(z.string(), 'secret_1')),
      secret: seen(withExample(z.string(), 'pk_secret_1_…'), shownOnce),
    },
    { name: 'NewApiKey', description: 'An API key with a new secret.' },
  ),
);
