import { z } from 'zod';
import { documentation } from '#documentation';
import type { ResultAsync } from '#result';
import type { ClientView } from '../../access/clients/client.ts';
import type { clientInputs } from '../../access/clients/client-fields.ts';
import type { ClientFailure, NewClient, NewClientSecret } from '../../access/clients/clients.ts';
import { withExample } from '../../base/fields/example.ts';
import { present } from '../../base/fields/present.ts';
import { once } from '../../base/runtime/once.ts';
import { second } from '../../base/runtime/time.ts';
import type { Answer } from '../operations/operation.ts';
import { pageSchema } from '../operations/page-schema.ts';
import { pageOf, pageQuery } from '../operations/query.ts';
import { etag } from '../operations/request-headers.ts';
import { apiKey, createdApiKey, newApiKey } from './key-views.ts';
import { type ChangeCall, type ManagementOperation, operation } from './operation.ts';
import { created } from './views.ts';

/** A time in seconds since 1970, as milliseconds. */
export const secondsField = once(() =>
  z
    .int('whole seconds since 1970.')
    .min(0, 'whole seconds since 1970.')
    .max(99_999_999_999, 'whole seconds since 1970.')
    .transform((seconds) => seconds * second)
    .register(documentation, { description: 'Seconds since 1970-01-01T00:00:00Z.' }),
);

const shown = (client: ClientView): Answer => ({ body: apiKey().show(client), version: client.version });
const asCreated = ({ client, ...secret }: NewClient): Answer => ({
  body: createdApiKey().show({ key: client, ...secret }),
  version: client.version,
  createdId: client.id,
});
const withSecret = ({ client, secretId, secret }: NewClientSecret): Answer => ({
  body: newApiKey().show({ key: client, secretId, secret }),
  version: client.version,
});

const one = once(() => ({ description: 'The API key.', schema: apiKey().schema, headers: etag }));
const oneWithSecret = once(() => ({
  description: 'The API key, with the new secret.',
  schema: newApiKey().schema,
  headers: etag,
}));

const changed = once(
  () =>
    ({
      part: 'keys',
      conditional: true,
      answers: { 200: one() },
      refuses: ['changed_meanwhile'],
    }) as const,
);

/** A change without input. */
const change = (
  path: `/${string}`,
  operationId: string,
  summary: string,
  act: (call: ChangeCall) => ResultAsync<ClientView, ClientFailure>,
): ManagementOperation =>
  operation({
    ...changed(),
    method: 'POST',
    path: `/api-keys/:keyId${path}`,
    operationId,
    summary,
    handle: (call) => act(call).map(shown),
  });

/** The operations on API keys (specification §1.4). */
export const keyOperations = (inputs: ReturnType<typeof clientInputs>): readonly ManagementOperation[] => [
  operation({
    method: 'GET',
    path: '/api-keys',
    part: 'keys',
    operationId: 'listApiKeys',
    summary: 'Lists the API keys of the account',
    query: pageQuery(),
    answers: { 200: { description: 'A page of the list.', schema: pageSchema(apiKey().schema) } },
    refuses: ['invalid_cursor'],
    handle: ({ managed, accountId, query }) =>
      managed.clients
        .list(accountId, { page: pageOf(query) })
        .map(({ items, ...page }) => ({ body: { items: items.map(apiKey().show), ...page } })),
  }),
  operation({
    method: 'POST',
    path: '/api-keys',
    part: 'keys',
    operationId: 'createApiKey',
    summary: 'Makes an API key; its secret is shown once',
    limit: 'keysPerAccount',
    body: inputs.created,
    answers: { 201: created({ description: 'The API key.', schema: createdApiKey().schema, headers: etag }) },
    handle: ({ managed, accountId, body, by }) => managed.clients.create(accountId, present(body), by).map(asCreated),
  }),
  operation({
    method: 'GET',
    path: '/api-keys/:keyId',
    part: 'keys',
    operationId: 'getApiKey',
    conditional: true,
    summary: 'Reads an API key',
    answers: { 200: one() },
    handle: ({ managed, accountId, params }) => managed.clients.find(accountId, params['keyId'] ?? '').map(shown),
  }),
  operation({
    ...changed(),
    method: 'PATCH',
    path: '/api-keys/:keyId',
    operationId: 'updateApiKey',
    summary: 'Changes an API key (RFC 7396)',
    body: inputs.changed,
    handle: ({ managed, accountId, params: { keyId = '' }, body, by }) =>
      managed.clients.update(accountId, keyId, present(body), by).map(shown),
  }),
  operation({
    method: 'DELETE',
    path: '/api-keys/:keyId',
    part: 'keys',
    operationId: 'deleteApiKey',
    summary: 'Deletes an API key; its logins and its tokens are refused',
    conditional: true,
    answers: { 204: { description: 'The API key is deleted.' } },
    refuses: ['changed_meanwhile'],
    handle: ({ managed, accountId, params: { keyId = '' }, by }) =>
      managed.clients.delete(accountId, keyId, by).map(() => ({})),
  }),
  operation({
    ...changed(),
    method: 'POST',
    path: '/api-keys/:keyId/secrets',
    operationId: 'addApiKeySecret',
    summary: 'Adds a secret to an API key, shown once: first step of a rotation',
    body: inputs.secret.optional(),
    answers: { 201: oneWithSecret() },
    refuses: [...changed().refuses, 'too_many_secrets'],
    handle: ({ managed, accountId, params: { keyId = '' }, body, by }) =>
      managed.clients.addSecret(accountId, keyId, present(body ?? {}), by).map(withSecret),
  }),
  operation({
    ...changed(),
    method: 'POST',
    path: '/api-keys/:keyId/secrets/:secretId/expire',
    operationId: 'expireApiKeySecret',
    summary: 'Refuses logins with a secret from a time on: second step of a rotation',
    body: withExample(z.strictObject({ at: secondsField().optional() }).optional(), { at: 4_102_444_800 }),
    handle: ({ managed, accountId, params: { keyId = '', secretId = '' }, body, by }) =>
      managed.clients.expireSecret(accountId, keyId, secretId, { ...by, at: body?.at ?? 0 }).map(shown),
  }),
  change(
    '/secrets/:secretId/revoke',
    'revokeApiKeySecret',
    'Refuses logins with a secret, and its tokens',
    ({ managed, accountId, params: { keyId = '', secretId = '' }, by }) =>
      managed.clients.revokeSecret(accountId, keyId, secretId, by),
  ),
  change(
    '/revoke-tokens',
    'revokeApiKeyTokens',
    'Revokes every token issued until now; the secrets keep working',
    ({ managed, accountId, params: { keyId = '' }, by }) => managed.clients.revokeTokens(accountId, keyId, by),
  ),
  change(
    '/disable',
    'disableApiKey',
    'Refuses logins and tokens of an API key until it is enabled',
    ({ managed, accountId, params: { keyId = '' }, by }) => managed.clients.disable(accountId, keyId, by),
  ),
  change(
    '/enable',
    'enableApiKey',
    'Enables a disabled API key',
    ({ managed, accountId, params: { keyId = '' }, by }) => managed.clients.enable(accountId, keyId, by),
  ),
];
