import { createPartnerkit, type PartnerkitOptions } from '@partnerkit/core';
import {
  type MemoryTransaction,
  memoryAccessTokens,
  memoryAccounts,
  memorySender,
  memoryStorage,
} from '@partnerkit/core/memory';
import { inProcess, manualClock } from '@partnerkit/testing';

type Options = Partial<PartnerkitOptions<MemoryTransaction, []>>;

const login = '/api/v1/partner/login';
const me = '/api/v1/partner/organisations/acc/me';

/** What the processes of one platform share. */
export const sharedState = () => {
  const clock = manualClock();
  return { clock, storage: memoryStorage({ clock }), tokens: memoryAccessTokens() };
};

/** One process of a platform, that counts what it reads of clients. */
export const platform = ({ storage = memoryStorage(), ...options }: Options = {}) => {
  const counts = { reads: 0 };
  const clients: typeof storage.clients = {
    ...storage.clients,
    findClient: (id) => {
      counts.reads++;
      return storage.clients.findClient(id);
    },
    isTokenRevoked: (jti) => {
      counts.reads++;
      return storage.clients.isTokenRevoked(jti);
    },
  };
  const kit = createPartnerkit({
    accounts: memoryAccounts([{ id: 'acc', name: 'Own', status: 'active', environment: 'prod' }]),
    tokens: memoryAccessTokens(),
    sender: memorySender(),
    sealingKeys: [{ id: 'k1', key: new Uint8Array(32) }],
    objects: [],
    ...options,
    storage: { ...storage, clients },
  });
  const request = inProcess(kit.routes);
  return {
    kit,
    counts,
    addClient: async () => (await kit.clients.create('acc', { name: 'key' }))._unsafeUnwrap(),
    login: (clientId: string, secret: string) =>
      request('POST', login, {
        json: { grant_type: 'client_credentials', scope: 'USER', client_id: clientId, client_secret: secret },
      }),
    /** The status that a caller with this token gets. */
    call: async (token: string): Promise<number> => (await request('GET', me, { token })).status,
  };
};
