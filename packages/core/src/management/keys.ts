import type { ResultAsync } from 'neverthrow';
import { z } from 'zod';
import { documentation } from '#documentation';
import type { ClientView } from '../clients/client.ts';
import type { ClientFailure, NewSecret } from '../clients/clients.ts';
import { pageOf, pageQuery } from '../http/query.ts';
import { isIdentifier } from '../runtime/text.ts';
import { second } from '../runtime/time.ts';
import { type ManagementAnswer, type ManagementOperation, operation } from './operation.ts';
import { apiKeySchema, newApiKeySchema, pageOfSchema, viewApiKey } from './views.ts';

const textRule = '1 to 256 bytes of text without control characters.';
const text = z.string(textRule).min(1, textRule).max(256, textRule).refine(isIdentifier, textRule);

/** A time in seconds since 1970, as milliseconds. @internal */
export const secondsField = z
  .int('whole seconds since 1970.')
  .min(0, 'whole seconds since 1970.')
  .max(99_999_999_999, 'whole seconds since 1970.')
  .transform((seconds) => seconds * second)
  .register(documentation, { description: 'Seconds since 1970-01-01T00:00:00Z.' });

const shown = (client: ClientView): ManagementAnswer => ({ body: viewApiKey(client), version: client.version });
const withSecret = ({ client, secretId, secret }: NewSecret): ManagementAnswer => ({
  body: { key: viewApiKey(client), secretId, secret },
  version: client.version,
  createdId: client.id,
});

const changed = {
  part: 'keys',
  status: 200,
  answer: apiKeySchema,
  isConditional: true,
  hasVersion: true,
  codes: ['not_found', 'changed_meanwhile'],
} as const;

/** A change without input. */
const change = (
  path: `/${string}`,
  operationId: string,
  summary: string,
  act: (
    clients: Parameters<ManagementOperation['handle']>[0]['managed']['clients'],
    accountId: string,
    params: Readonly<Record<string, string>>,
  ) => ResultAsync<ClientView, ClientFailure>,
): ManagementOperation =>
  operation({
    ...changed,
    method: 'POST',
    path: `/api-keys/:keyId${path}`,
    operationId,
    summary,
    handle: ({ managed, accountId, params }) => act(managed.clients, accountId, params).map(shown),
  });

/** The operations on API keys (specification §1.4). @internal */
export const keyOperations: readonly ManagementOperation[] = [
  operation({
    method: 'GET',
    path: '/api-keys',
    part: 'keys',
    operationId: 'listApiKeys',
    summary: 'Lists the API keys of the account',
    status: 200,
    query: pageQuery,
    answer: pageOfSchema(apiKeySchema),
    codes: ['invalid_cursor'],
    handle: ({ managed, accountId, query }) =>
      managed.clients
        .list(accountId, { page: pageOf(query) })
        .map(({ items, ...page }) => ({ body: { items: items.map(viewApiKey), ...page } })),
  }),
  operation({
    method: 'POST',
    path: '/api-keys',
    part: 'keys',
    operationId: 'createApiKey',
    summary: 'Makes an API key; its secret is shown once',
    status: 201,
    limit: 'keys',
    body: z.strictObject({ name: text }),
    answer: newApiKeySchema,
    hasVersion: true,
    codes: [],
    handle: ({ managed, accountId, input }) => managed.clients.create(accountId, input).map(withSecret),
  }),
  operation({
    method: 'GET',
    path: '/api-keys/:keyId',
    part: 'keys',
    operationId: 'getApiKey',
    summary: 'Reads an API key',
    status: 200,
    answer: apiKeySchema,
    hasVersion: true,
    codes: ['not_found'],
    handle: ({ managed, accountId, params }) => managed.clients.find(accountId, params['keyId'] ?? '').map(shown),
  }),
  operation({
    ...changed,
    method: 'PATCH',
    path: '/api-keys/:keyId',
    operationId: 'renameApiKey',
    summary: 'Renames an API key',
    body: z.strictObject({ name: text }),
    handle: ({ managed, accountId, params, input }) =>
      managed.clients.rename(accountId, params['keyId'] ?? '', { name: input.name }).map(shown),
  }),
  operation({
    ...changed,
    method: 'POST',
    path: '/api-keys/:keyId/secrets',
    operationId: 'addApiKeySecret',
    summary: 'Adds a secret to an API key, shown once: first step of a rotation',
    status: 201,
    body: z.strictObject({ label: text.optional() }).optional(),
    answer: newApiKeySchema,
    codes: [...changed.codes, 'too_many_secrets'],
    handle: ({ managed, accountId, params, input }) =>
      managed.clients
        .addSecret(accountId, params['keyId'] ?? '', input?.label === undefined ? {} : { label: input.label })
        .map(withSecret)
        .map(({ createdId: _none, ...answer }) => answer),
  }),
  operation({
    ...changed,
    method: 'POST',
    path: '/api-keys/:keyId/secrets/:secretId/expire',
    operationId: 'expireApiKeySecret',
    summary: 'Refuses logins with a secret from a time on: second step of a rotation',
    body: z.strictObject({ at: secondsField.optional() }).optional(),
    handle: ({ managed, accountId, params, input }) =>
      managed.clients
        .expireSecret(accountId, params['keyId'] ?? '', params['secretId'] ?? '', { at: input?.at ?? 0 })
        .map(shown),
  }),
  change(
    '/secrets/:secretId/revoke',
    'revokeApiKeySecret',
    'Refuses logins with a secret, and its tokens',
    (clients, accountId, { keyId = '', secretId = '' }) => clients.revokeSecret(accountId, keyId, secretId),
  ),
  change(
    '/revoke-tokens',
    'revokeApiKeyTokens',
    'Revokes every token issued until now; the secrets keep working',
    (clients, accountId, { keyId = '' }) => clients.revokeTokens(accountId, keyId),
  ),
  change(
    '/disable',
    'disableApiKey',
    'Refuses logins and tokens of an API key until it is enabled',
    (clients, accountId, { keyId = '' }) => clients.disable(accountId, keyId),
  ),
  change('/enable', 'enableApiKey', 'Enables a disabled API key', (clients, accountId, { keyId = '' }) =>
    clients.enable(accountId, keyId),
  ),
];
