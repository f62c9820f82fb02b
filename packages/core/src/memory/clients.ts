import type { Client } from '../clients/client.ts';
import type { ClientStore } from '../clients/client-store.ts';
import type { Clock } from '../runtime/clock.ts';
import { day, toSeconds } from '../runtime/time.ts';
import { createTable } from './table.ts';

const latest = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : Math.max(a, b);

/** Copies the last logins of `held` to `next`. */
const keepTouches = ({ lastRefusal: _read, ...next }: Client, held: Client): Client => ({
  ...next,
  ...(held.lastRefusal ? { lastRefusal: held.lastRefusal } : {}),
  secrets: next.secrets.map((secret) => {
    const lastUsedAt = latest(secret.lastUsedAt, held.secrets.find(({ id }) => id === secret.id)?.lastUsedAt);
    return lastUsedAt === undefined ? secret : { ...secret, lastUsedAt };
  }),
});

/** The clients in memory. @internal */
export const memoryClients = (clock: Clock): ClientStore => {
  const clients = createTable<Client>();
  const revoked = new Map<string, number>();
  return {
    insertClient: async (client) => clients.insert(client.id, client),
    findClient: async (clientId) => clients.get(clientId),
    listClients: async (accountId, page) => clients.page((client) => client.accountId === accountId, page),
    replaceClient: async (client) => {
      const held = clients.get(client.id);
      if (held?.version !== client.version) return false;
      clients.replace(client.id, keepTouches({ ...client, version: client.version + 1 }, held));
      return true;
    },
    deleteClient: async (client) => {
      if (clients.get(client.id)?.version !== client.version) return false;
      clients.delete(client.id);
      return true;
    },
    touchSecret: async (clientId, secretId, at) => {
      const held = clients.get(clientId);
      if (!held) return;
      const secrets = held.secrets.map((secret) =>
        secret.id === secretId ? { ...secret, lastUsedAt: latest(secret.lastUsedAt, at) ?? at } : secret,
      );
      clients.replace(clientId, { ...held, secrets });
    },
    noteRefusal: async (clientId, refusal, every) => {
      const held = clients.get(clientId);
      if (!held || (held.lastRefusal?.at ?? Number.NEGATIVE_INFINITY) + every > refusal.at) return;
      clients.replace(clientId, { ...held, lastRefusal: refusal });
    },
    revokeToken: async (jti, until) => {
      // The host's clock, which decides when the token expires, may be behind this one.
      const past = toSeconds(clock.now() - day);
      for (const [known, end] of revoked) if (end < past) revoked.delete(known);
      revoked.set(jti, until);
    },
    isTokenRevoked: async (jti) => revoked.has(jti),
  };
};
