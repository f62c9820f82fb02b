import { setTimeout as after } from 'node:timers/promises';
import type { ResultAsync } from '@partnerkit/core';
import type { Sender } from '@partnerkit/core/adapter';
import type { Prng } from '../../packages/conformance/src/simulator/prng.ts';
import { deliveryHeader, type Manner, type Partners } from './partners.ts';
import { accountsOf, childrenOf, openKit, type Place, parentOf } from './platform.ts';
import { openStore } from './stores.ts';

/** The credentials of a partner. */
export interface Credentials {
  readonly accountId: string;
  readonly clientId: string;
  readonly secretId: string;
  readonly secret: string;
}

/** An endpoint of a partner. */
export interface OwnedEndpoint {
  readonly accountId: string;
  readonly id: string;
  readonly path: string;
  readonly manner: Manner;
}

/** Of each account, beside a steady endpoint that is always there. The last two accounts are children. */
const others: readonly Manner[] = ['flaky', 'slow', 'failing', 'silent', 'redirecting', 'gone', 'insecure', 'huge'];

/** Calls until it succeeds: a server may restart meanwhile. */
const certain = async <T>(
  call: () => ResultAsync<T, { readonly code: string; readonly message: string }>,
): Promise<T> => {
  for (;;) {
    const answered = await call();
    if (answered.isOk()) return answered.value;
    const { code, message } = answered.error;
    if (code !== 'unavailable' && code !== 'changed_meanwhile') throw new Error(`${code}: ${message}`);
    await after(500);
  }
};

const nobodySends: Sender = { send: () => Promise.reject(new Error('Only workers send.')) };

/** The web interface of a platform: it creates, changes, rotates and repairs what its partners own. */
export const openOffice = async (place: Place, partners: Partners, prng: Prng, log: (entry: unknown) => void) => {
  const store = openStore(place.storage, place.database);
  const { kit, redis } = await openKit({
    ...{ place, store, sender: nobodySends, ahead: () => 0, observe: log, onError: log },
  });
  const planted = new Set<string>([place.sealingKey]);
  const endpoints: OwnedEndpoint[] = [];
  const pick = <T>(from: readonly T[]): T => from[prng.below(from.length)] as T;

  const addEndpoint = async (accountId: string, name: string, manner: Manner): Promise<void> => {
    const path = `/${accountId}/${name}`;
    const header = { name: deliveryHeader, value: `key-of-${Buffer.from(prng.bytes(12)).toString('hex')}` };
    const { endpoint, secret } = await certain(() =>
      kit.endpoints.create(accountId, {
        ...{ url: partners.urlOf(path, manner), events: ['payed'], standardWebhooks: true },
        ...{ deliveryHeader: header, includeChildren: accountId === parentOf(place.storage) },
      }),
    );
    partners.known.set(path, { manner, secrets: [secret], header });
    for (const value of [secret, header.value]) planted.add(value);
    endpoints.push({ accountId, id: endpoint.id, path, manner });
  };
  const addClient = async (accountId: string): Promise<Credentials> => {
    const { client, secretId, secret } = await certain(() => kit.clients.create(accountId, { name: 'Soak' }));
    planted.add(secret);
    return { accountId, clientId: client.id, secretId, secret };
  };

  const credentials: Credentials[] = [];
  for (const [index, accountId] of accountsOf(place.storage).entries()) {
    credentials.push(await addClient(accountId));
    await addEndpoint(accountId, 'steady', 'steady');
    await addEndpoint(accountId, 'other', others[index] ?? 'flaky');
  }
  const [own = '', switching = ''] = childrenOf(place.storage);
  await addEndpoint(own, 'receiver', 'receiver');
  await addEndpoint(switching, 'switched', 'steady');
  await addEndpoint(parentOf(place.storage), 'steady', 'steady');
  const switched = endpoints.find(({ path }) => path.endsWith('/switched')) as OwnedEndpoint;

  /** Their calls may fail: then nothing changed, or the next turn changes it. */
  const acts = {
    rotateWebhookSecret: async () => {
      const { accountId, id, path } = pick(endpoints.filter(({ manner }) => manner === 'steady' || manner === 'flaky'));
      const prepared = await kit.endpoints.prepareSecret(accountId, id);
      if (prepared.isErr()) return;
      partners.known.get(path)?.secrets.push(prepared.value.secret);
      planted.add(prepared.value.secret);
      await kit.endpoints.activateSecret(accountId, id).unwrapOr(undefined);
    },
    /** Resolves to credentials that must not log in any more. */
    rotateClientSecret: async (): Promise<Credentials | undefined> => {
      const index = prng.below(credentials.length);
      const old = credentials[index] as Credentials;
      const { accountId, clientId } = old;
      const added = await kit.clients.addSecret(accountId, clientId);
      if (added.isErr()) return undefined;
      const { secretId, secret } = added.value;
      planted.add(secret);
      credentials[index] = { accountId, clientId, secretId, secret };
      await certain(() => kit.clients.revokeSecret(accountId, clientId, old.secretId));
      return old;
    },
    editEndpoint: async () => {
      const { accountId, id } = pick(endpoints);
      await kit.endpoints.update(accountId, id, { label: `edit ${prng.below(1_000)}` }).unwrapOr(undefined);
    },
    switchEndpoint: async () => {
      const { accountId, id } = switched;
      await kit.endpoints[prng.chance(0.5) ? 'enable' : 'disable'](accountId, id).unwrapOr(undefined);
    },
  };

  /** Partners move what can be moved, delete what is insecure, and enable what they disabled. */
  const repair = async (): Promise<void> => {
    for (const { accountId, id, path, manner } of endpoints) {
      if (manner === 'silent') {
        const header = partners.known.get(path)?.header;
        const url = partners.urlOf(path, 'steady');
        await certain(() =>
          kit.endpoints.update(accountId, id, { url, ...(header ? { deliveryHeader: header } : {}) }),
        );
      }
      if (manner === 'insecure') await certain(() => kit.endpoints.delete(accountId, id));
    }
    const { accountId, id } = switched;
    await certain(() => kit.endpoints.enable(accountId, id));
  };

  return {
    ...{ place, kit, store, endpoints, acts, repair, planted },
    credentialsOf: (accountId: string): Credentials =>
      credentials.find((each) => each.accountId === accountId) as Credentials,
    backlog: () => certain(() => kit.deliveries.backlogOfAll()),
    close: async () => {
      redis.destroy();
      await store.close();
    },
  };
};
export type Office = Awaited<ReturnType<typeof openOffice>>;
