import type { Client } from '../../../access/clients/client.ts';
import type { RefusedCall } from '../../../access/clients/client-usage.ts';
import { identity, integer, json, number, optional, table, text } from '../port/table.ts';

/** Clients, with the digests of their secrets. */
export const clients = table({
  name: 'clients',
  columns: { id: text(), accountId: text(), position: identity(), client: json<Client>() },
  key: ['id'],
  indexes: { account: { columns: ['accountId', 'position'] } },
});

/** The calls of clients, by day. */
export const clientUsage = table({
  name: 'client_usage',
  columns: {
    clientId: text(),
    date: text(),
    calls: integer(),
    lastCallAt: number(),
    lastRefusal: optional(json<RefusedCall>()),
  },
  key: ['clientId', 'date'],
  indexes: { client: { columns: ['clientId', 'date'] } },
});

/** Revoked tokens, until they have expired everywhere. */
export const revokedTokens = table({
  name: 'revoked_tokens',
  columns: { jti: text(), expiresAt: number() },
  key: ['jti'],
  indexes: { expiry: { columns: ['expiresAt', 'jti'] } },
});
