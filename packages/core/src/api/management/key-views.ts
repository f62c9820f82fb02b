import { z } from 'zod';
import { clientFields } from '../../access/clients/client-fields.ts';
import { seen } from '../../base/fields/field.ts';
import { one, viewOf } from '../../base/fields/view.ts';
import { once } from '../../base/runtime/once.ts';

export const apiKey = once(() =>
  viewOf(clientFields(), {
    name: 'ApiKey',
    description: 'An API key: an OAuth 2.0 client with its secrets.',
  }),
);

/** An API key with a new secret. */
export const newApiKey = once(() =>
  viewOf(
    {
      key: one(apiKey()),
      secretId: seen(z.string()),
      secret: seen(z.string(), 'The `client_secret`. It is shown once: only its digest is stored.'),
    },
    { name: 'NewApiKey', description: 'An API key with a new secret.' },
  ),
);
