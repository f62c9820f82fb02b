import type { Clients, NewClientSecret } from '@partnerkit/core';
import { addKey, type Key, must, nobody } from '../support/keys.ts';

type Spoil = (clients: Clients, good: Key) => Promise<Key>;

const added =
  (
    accountId: string,
    spoil: (clients: Clients, key: NewClientSecret) => Promise<void> = async () => undefined,
  ): Spoil =>
  async (clients) => {
    const key = await addKey(clients, accountId);
    await spoil(clients, key);
    return { id: key.client.id, secret: key.secret };
  };

/** Well-formed keys that do not log in, and two malformed ones, by their fault. */
export const deadKeys: Readonly<Record<string, Spoil>> = {
  'an unknown client': async (_clients, good) => ({ ...good, id: nobody }),
  'a client_id of another form': async (_clients, good) => ({ ...good, id: 'admin' }),
  'the secret of another client': async (clients, { id }) => ({
    id,
    secret: (await addKey(clients, 'org_main')).secret,
  }),
  'a typing error in the secret': async (_clients, { id, secret }) => ({
    id,
    secret: secret.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  }),
  'a secret of another form': async (_clients, { id }) => ({ id, secret: 'password' }),
  'a disabled client': added('org_main', (clients, { client }) => must(clients.disable('org_main', client.id))),
  'a deleted client': added('org_main', (clients, { client }) => must(clients.delete('org_main', client.id))),
  'a revoked secret': added('org_main', (clients, { client, secretId }) =>
    must(clients.revokeSecret('org_main', client.id, secretId)),
  ),
  'an expired secret': added('org_main', (clients, { client, secretId }) =>
    must(clients.expireSecret('org_main', client.id, secretId, { at: 0 })),
  ),
  'a client of a suspended account': added('org_suspended'),
  'a client of an account that was deleted': added('org_gone'),
};
