import type { Client } from '../../../access/clients/client.ts';
import { identity, json, number, table, text } from '../port/table.ts';

/** Clients, with the digests of their secrets. */
export const clients = table({
  name: 'clients',
  columns: { id: text(), accountId: text(), position: identity(), client: json<Client>() },
  key: ['id'],
  indexes: { account: { columns: ['accountId', 'position'] } },
});

/** Revoked tokens, until they have expired everywhere. */
export const revokedTokens = table({
  name: 'revoked_tokens',
  columns: { jti: text(), expiresAt: number() },
  key: ['jti'],
  indexes: { expiry: { columns: ['expiresAt', 'jti'] } },
});
