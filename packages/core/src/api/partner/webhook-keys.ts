import { z } from 'zod';
import { documentation } from '#documentation';
import { ok } from '#result';
import { once } from '../../base/runtime/once.ts';
import type { Operation } from '../operations/operation.ts';

const keySet = once(() =>
  z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) }).register(documentation, {
    name: 'WebhookKeys',
    description: 'A JWK set (RFC 7517).',
    // The key of RFC 8037, appendix A.2.
    example: {
      keys: [
        {
          ...{ kty: 'OKP', crv: 'Ed25519', kid: '1', alg: 'EdDSA', use: 'sig' },
          x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
        },
      ],
    },
  }),
);

/** The public keys of webhook signatures, at a well-known path (RFC 8615). */
export const webhookKeysOperation = (
  keys: readonly Readonly<Record<string, string>>[],
): Operation<undefined, undefined, undefined> => ({
  method: 'GET',
  path: '/.well-known/webhook-keys.json',
  operationId: 'getWebhookKeys',
  summary: 'Reads the public keys of webhook signatures (RFC 8037)',
  tag: 'Webhooks',
  answers: {
    200: {
      description: 'The keys.',
      get schema() {
        return keySet();
      },
    },
  },
  conditional: true,
  headers: { 'cache-control': 'public, max-age=300' },
  handle: () => ok({ body: { keys } }),
});
