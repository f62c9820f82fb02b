import { inspect } from 'node:util';
import { type Clock, type Storage, systemClock } from '@partnerkit/core/adapter';
import {
  type MemoryTransaction,
  memoryAccessTokens,
  memoryInbox,
  memoryRateLimiter,
  memorySeenKeys,
  memoryStorage,
} from '@partnerkit/core/memory';
import type {
  AccessTokensFixture,
  FixtureSettings,
  InboxFixture,
  RateLimiterFixture,
  SeenKeysFixture,
  StorageFixture,
} from '../../../src/contracts/index.ts';
import { createPrng } from '../../../src/simulator/prng.ts';
import { meanwhile } from './doubles.ts';

/** Where the host's clock stands, in all of these tests. */
const hostNow = Date.UTC(2025, 6, 1, 12);

/** A store's clock that stands still until time elapses, or runs on by so much between two looks at it. */
const storeClock = ({ storeAhead }: FixtureSettings, runsOn = 0) => {
  let now = hostNow + storeAhead;
  const clock: Clock = {
    now: () => {
      now += runsOn;
      return now;
    },
    sleep: async () => {},
  };
  return {
    clock,
    elapse: async (time: number) => {
      now += time;
    },
  };
};

type MemoryStorage = Storage<MemoryTransaction>;

/** All of it. Core hands over objects that name each other. */
const textOf = (values: readonly unknown[]): string => {
  try {
    return JSON.stringify(values);
  } catch {
    return inspect(values, { depth: null, maxArrayLength: null, maxStringLength: null });
  }
};

/** Each port of a storage, wrapped. */
const wrapped = <P extends object>(ports: P, wrap: <T extends object>(port: T) => T): P =>
  Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, wrap(port)])) as P;

/** All that was ever handed over to the storage: more than what it keeps. */
const recording = (storage: MemoryStorage) => {
  const handedOver: string[] = [];
  const record = <P extends object>(port: P): P =>
    Object.fromEntries(
      Object.entries(port).map(([name, method]) => [
        name,
        (...values: readonly unknown[]) => {
          handedOver.push(textOf([name, ...values]));
          return method(...values);
        },
      ]),
    ) as P;
  const { transaction, check: _check, requests, ...ports } = storage;
  return {
    storage: { ...wrapped(ports, record), requests: wrapped(requests, record), transaction },
    probe: async () => handedOver.join('\n'),
  };
};

export const memoryStorageFixture = async (
  settings: FixtureSettings,
  runsOn?: number,
): Promise<StorageFixture<MemoryTransaction>> => {
  const { clock, elapse } = storeClock(settings, runsOn);
  const { storage, probe } = recording(memoryStorage({ clock }));
  return { storage, probe, elapse, storeNow: async () => clock.now() };
};

/** A port whose calls take a turn before they have their effect, and another one before they are answered. */
const slow = <P extends object>(port: P): P =>
  Object.fromEntries(
    Object.entries(port).map(([name, method]) => [
      name,
      async (...values: readonly unknown[]) => {
        await meanwhile();
        const answer: unknown = await method(...values);
        await meanwhile();
        return answer;
      },
    ]),
  ) as P;

/** Memory as slow as a database: what happens at once is mixed, and time passes meanwhile, as it does there. */
export const slowStorageFixture = async (settings: FixtureSettings): Promise<StorageFixture<MemoryTransaction>> => {
  const { storage, ...fixture } = await memoryStorageFixture(settings, 1);
  const { transaction: open, check: _check, requests, ...ports } = storage;
  const transaction: MemoryStorage['transaction'] = async (work, options) => {
    await meanwhile();
    return open(work, options);
  };
  return { ...fixture, storage: { ...wrapped(ports, slow), requests: wrapped(requests, slow), transaction } };
};

export const slowSeenKeysFixture = async (settings: FixtureSettings): Promise<SeenKeysFixture> => {
  const { seen, ...fixture } = await memorySeenKeysFixture(settings, 1);
  return { ...fixture, seen: slow(seen) };
};

export const slowInboxFixture = async (settings: FixtureSettings): Promise<InboxFixture> => {
  const { inbox, ...fixture } = await memoryInboxFixture(settings, 1);
  return { ...fixture, inbox: slow(inbox) };
};

export const slowRateLimiterFixture = async (settings: FixtureSettings): Promise<RateLimiterFixture> => {
  const { limiter, ...fixture } = await memoryRateLimiterFixture(settings, 1);
  return { ...fixture, limiter: slow(limiter) };
};

export const memorySeenKeysFixture = async (settings: FixtureSettings, runsOn?: number): Promise<SeenKeysFixture> => {
  const { clock, elapse } = storeClock(settings, runsOn);
  return { seen: memorySeenKeys({ clock }), elapse };
};

export const memoryInboxFixture = async (settings: FixtureSettings, runsOn?: number): Promise<InboxFixture> => {
  const { clock, elapse } = storeClock(settings, runsOn);
  return { inbox: memoryInbox({ clock }), elapse };
};

export const memoryRateLimiterFixture = async (
  settings: FixtureSettings,
  runsOn?: number,
): Promise<RateLimiterFixture> => {
  const { clock, elapse } = storeClock(settings, runsOn);
  return { limiter: memoryRateLimiter({ clock }), elapse };
};

export const memoryAccessTokensFixture = async (): Promise<AccessTokensFixture> => ({
  tokens: memoryAccessTokens({ clock: systemClock, random: createPrng(1) }),
  foreign: memoryAccessTokens({ clock: systemClock, random: createPrng(2) }),
});
