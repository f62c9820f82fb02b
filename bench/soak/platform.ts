import { createPartnerkit, day, defineObject, type Signal } from '@partnerkit/core';
import { type Sender, type Storage, systemClock } from '@partnerkit/core/adapter';
import { memoryAccounts } from '@partnerkit/core/memory';
import { joseAccessTokens, type RingKey } from '@partnerkit/node/jose';
import { redisClientChangeFeed, redisRateLimiter } from '@partnerkit/redis';
import { createClient } from 'redis';
import { z } from 'zod';
import { type HostStore, type StorageKind, storageKinds } from './stores.ts';

/** Where the servers of a platform are. */
export interface Place {
  readonly storage: StorageKind;
  readonly database: string;
  readonly redis: string;
  readonly certificate: string;
  readonly signingKey: RingKey;
  /** Hex of 32 bytes. */
  readonly sealingKey: string;
}

export const parentOf = (storage: StorageKind): string => `${storage}-parent`;
export const accountsOf = (storage: StorageKind): readonly string[] =>
  Array.from({ length: 8 }, (_, index) => `${storage}-${index}`);
/** The parent receives their events, too. */
export const childrenOf = (storage: StorageKind): readonly string[] => accountsOf(storage).slice(-2);

const directory = memoryAccounts(
  storageKinds.flatMap((storage) => {
    const children = childrenOf(storage);
    return [...accountsOf(storage), parentOf(storage)].map((id) => ({
      ...{ id, name: id, status: 'active', environment: 'prod' },
      ...(children.includes(id) ? { parentId: parentOf(storage) } : {}),
    }));
  }),
);

/** A field that no group names: it is stored and sent nowhere. */
export const unnamedField = 'FR76-a-field-that-no-group-names';

const payment = defineObject('RequestPayment', {
  schema: z.object({ id: z.string(), nth: z.number(), iban: z.string() }),
  groups: { all: ['nth'] },
  events: { default: ['all'] },
});

/** An event of a payment. The number is unique for its object. */
export const payed = (accountId: string, objectId: string, nth: number) =>
  ({
    accountId,
    objectName: 'RequestPayment',
    type: 'payed',
    data: { id: objectId, nth, iban: unnamedField },
  }) as const;

/** What a process has of its own. */
export interface KitOptions {
  readonly place: Place;
  readonly store: HostStore;
  readonly sender: Sender;
  /** How far its clock is ahead, in milliseconds. */
  readonly ahead: () => number;
  readonly observe: (signal: Signal) => void;
  readonly onError: (cause: unknown) => void;
}

/** The kit of every process of a platform. */
export const openKit = async ({ place, store, sender, ahead, observe, onError }: KitOptions) => {
  const redis = createClient({ url: place.redis, disableOfflineQueue: true });
  // The server restarts.
  redis.on('error', () => undefined);
  await redis.connect();
  const kit = createPartnerkit({
    accounts: directory,
    storage: store.storage as Storage<object>,
    tokens: await joseAccessTokens({ keys: [place.signingKey], issuer: 'https://soak.example', audience: 'soak' }),
    ...{ sender, observe, onError },
    objects: [payment],
    shared: { changeFeed: redisClientChangeFeed(redis), limiter: redisRateLimiter(redis) },
    // The clock of the store passes weeks at the end, and everything is counted then.
    webhooks: { retention: { events: 365 * day } },
    advanced: {
      sealingKeys: [{ id: 'k1', key: Buffer.from(place.sealingKey, 'hex') }],
      clock: { ...systemClock, now: () => Date.now() + ahead() },
    },
  });
  return { kit, redis };
};
export type Kit = Awaited<ReturnType<typeof openKit>>['kit'];
