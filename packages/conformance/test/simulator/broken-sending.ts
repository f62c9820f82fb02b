import { type Clock, type SendingScope, shardOf } from '@partnerkit/core/adapter';
import { changesAreInTheTrail } from '../../src/simulator/laws/audit.ts';
import { feedsHaveEveryEvent } from '../../src/simulator/laws/feeds.ts';
import { attemptedInTime } from '../../src/simulator/laws/in-time.ts';
import { accounts } from '../../src/simulator/laws/numbers.ts';
import { pausedAreNotSent, pausesKeepWhatWaits } from '../../src/simulator/laws/sending.ts';
import { breakMemory, breakSteps, replace } from './break-engine.ts';
import type { BrokenEngine } from './broken-engine.ts';
import { type BrokenStore, deliveries, type Memory } from './broken-store.ts';

const allAccountIds = accounts.map(({ id }) => id);

/** For changes that need no clock. */
const noClock: Clock = { now: () => 0, sleep: async () => {} };

type Endpoints = Awaited<ReturnType<Memory['deliveries']['readEndpoints']>>['endpoints'];
type OwnedEndpoint = Endpoints[number];

/** A storage that reads endpoints as paused where `isPaused` says so. */
const reading = (
  storage: Memory,
  isPaused: (owned: OwnedEndpoint, pauses: readonly SendingScope[]) => boolean,
): Memory =>
  deliveries(({ readEndpoints }) => ({
    readEndpoints: async (...args) => {
      const [read, pauses] = [await readEndpoints(...args), await storage.sending.listPauses()];
      const endpoints = read.endpoints.map((owned) => ({ ...owned, isSendingPaused: isPaused(owned, pauses) }));
      return { ...read, endpoints };
    },
  }))(storage, noClock);

const sending = (storage: Memory, change: (sending: Memory['sending']) => Partial<Memory['sending']>): Memory => ({
  ...storage,
  sending: { ...storage.sending, ...change(storage.sending) },
});

/** Workers that heed pauses of sending wrongly. */
export const brokenPausing: readonly BrokenEngine[] = [
  {
    how: 'the end of a pause wakes nobody',
    law: attemptedInTime,
    kind: 'incidents',
    break: breakMemory((memory) => {
      replace(memory, ({ accounts, learn }) => ({
        learn: (accountIds, read, isExact) =>
          learn(
            accountIds,
            {
              ...read,
              endpoints: read.endpoints.map((owned) => ({
                ...owned,
                isSendingPaused:
                  owned.isSendingPaused ||
                  accounts.laneOf(owned.endpoint.accountId, owned.endpoint.id)?.isSendingPaused === true,
              })),
            },
            isExact,
          ),
      }));
    }),
  },
  {
    how: 'what is in memory when a pause begins is sent',
    law: pausedAreNotSent,
    kind: 'incidents',
    break: breakMemory((memory) => {
      replace(memory, ({ accounts, schedule, learn }) => ({
        learn: (accountIds, read, isExact) =>
          learn(
            accountIds,
            {
              ...read,
              endpoints: read.endpoints.map((owned) => {
                const lane = accounts.laneOf(owned.endpoint.accountId, owned.endpoint.id);
                const isBusy = lane !== undefined && !lane.isSendingPaused && schedule.inFlight() > 0;
                return { ...owned, isSendingPaused: owned.isSendingPaused && !isBusy };
              }),
            },
            isExact,
          ),
      }));
    }),
  },
  {
    how: 'attempts of what is paused fail',
    law: pausesKeepWhatWaits,
    kind: 'incidents',
    break: (engine) => {
      const paused = new Set<string>();
      return {
        ...breakMemory((memory) => {
          replace(memory, ({ learn }) => ({
            learn: (accountIds, read, isExact) => {
              for (const { endpoint, isSendingPaused } of read.endpoints)
                if (isSendingPaused) paused.add(endpoint.id);
                else paused.delete(endpoint.id);
              const endpoints = read.endpoints.map((owned) => ({ ...owned, isSendingPaused: false }));
              learn(accountIds, { ...read, endpoints }, isExact);
            },
          }));
        })(engine),
        ...breakSteps(({ send }) => ({
          send: async (context, flight) =>
            paused.has(flight.delivery.endpointId)
              ? { kind: 'failed', reason: 'connect', durationMs: 0 }
              : send(context, flight),
        }))(engine),
      };
    },
  },
];

/** Storages that keep pauses of sending wrongly. */
export const brokenSending: readonly BrokenStore[] = [
  {
    how: 'the pause of an account is not read',
    law: pausedAreNotSent,
    kind: 'incidents',
    break: (storage) =>
      reading(storage, ({ endpoint }, pauses) =>
        pauses.some(({ accountId, endpointId }) => accountId === undefined || endpointId === endpoint.id),
      ),
  },
  {
    how: 'the pause of everything is not read',
    law: pausedAreNotSent,
    kind: 'incidents',
    break: (storage) =>
      reading(storage, ({ endpoint: { id, accountId } }, pauses) =>
        pauses.some((pause) => pause.accountId === accountId && (pause.endpointId ?? id) === id),
      ),
  },
  {
    how: 'a pause is forgotten when its shard is taken over',
    law: pausedAreNotSent,
    kind: 'incidents',
    break: (storage) => {
      const seen = new Set<number>();
      const forgotten = new Set<number>();
      const { acquire } = storage.shards;
      const broken = sending(storage, ({ pause }) => ({
        pause: (...args) => {
          forgotten.clear();
          return pause(...args);
        },
      }));
      return {
        ...reading(
          broken,
          ({ endpoint, isSendingPaused }) => isSendingPaused && !forgotten.has(shardOf(endpoint.accountId)),
        ),
        shards: {
          ...storage.shards,
          acquire: async (...args) => {
            const acquired = await acquire(...args);
            if (acquired !== 'fenced')
              for (const { shard } of acquired) {
                if (seen.has(shard)) forgotten.add(shard);
                seen.add(shard);
              }
            return acquired;
          },
        },
      };
    },
  },
  {
    how: 'the end of a pause ends those of the account as well',
    law: pausedAreNotSent,
    kind: 'incidents',
    break: (storage) => {
      let resumed: readonly SendingScope[] = [];
      const broken = sending(storage, ({ pause, resume }) => ({
        pause: (...args) => {
          resumed = [];
          return pause(...args);
        },
        resume: (scope, entry) => {
          resumed = [...resumed, scope];
          return resume(scope, entry);
        },
      }));
      return reading(
        broken,
        ({ endpoint, isSendingPaused }) =>
          isSendingPaused &&
          !resumed.some(({ accountId }) => accountId === undefined || accountId === endpoint.accountId),
      );
    },
  },
  {
    how: 'a pause holds what waits, so that it expires',
    law: pausesKeepWhatWaits,
    kind: 'longIncidents',
    break: (storage) =>
      sending(storage, ({ pause }) => ({
        pause: async (scope, entry) => {
          await pause(scope, entry);
          const accountIds = scope.accountId === undefined ? allAccountIds : [scope.accountId];
          const { endpoints } = await storage.deliveries.readEndpoints(accountIds, 0);
          for (const { endpoint } of endpoints)
            if (endpoint.state === 'enabled')
              await storage.endpoints.replaceEndpoint({ ...endpoint, state: 'disabled_by_breaker' });
        },
      })),
  },
  {
    how: 'what is dispatched while sending is paused joins no feed',
    law: feedsHaveEveryEvent,
    kind: 'read',
    break: (storage) =>
      deliveries(({ dispatch }) => ({
        dispatch: async (id, events, ...rest) => {
          const isPaused = (await storage.sending.listPauses()).length > 0;
          return dispatch(id, isPaused ? events.map((event) => ({ ...event, pullEndpointIds: [] })) : events, ...rest);
        },
      }))(storage, noClock),
  },
  {
    how: 'a pause that is there has an entry again',
    law: changesAreInTheTrail,
    kind: 'incidents',
    break: (storage) =>
      sending(storage, ({ pause, listPauses }) => ({
        pause: async (scope, entry) => {
          const before = await listPauses();
          await pause(scope, entry);
          if ((await listPauses()).length === before.length) await storage.audit.tell([entry]);
        },
      })),
  },
  {
    how: 'the end of a pause has no entry',
    law: changesAreInTheTrail,
    kind: 'incidents',
    break: (storage) =>
      sending(storage, ({ resume }) => ({
        resume: (scope, entry) => resume(scope, { ...entry, id: entry.id.replace(/^./, 'f') }),
      })),
  },
];
