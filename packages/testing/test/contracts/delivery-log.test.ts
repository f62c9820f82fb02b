import type { Attempt, DeliveryLog } from '@partnerkit/core';
import { describe, test } from 'vitest';
import { deliveryLogContract, type StorageFixture } from '../../src/index.ts';
import { brokenMending } from './broken-mending.ts';
import { brokenPages, type List } from './broken-pages.ts';
import { breakPort, type Double, findsEveryFault } from './doubles.ts';
import { memoryStorageFixture, slowStorageFixture } from './memory.ts';

describe('memory', () => {
  deliveryLogContract({ test, create: memoryStorageFixture });
});

describe('memory as slow as a database', () => {
  deliveryLogContract({ test, create: slowStorageFixture });
});

const broken = breakPort('log');
const retold =
  (tell: (attempts: readonly Attempt[]) => readonly Attempt[]) =>
  ({ listAttempts }: DeliveryLog): Partial<DeliveryLog> => ({
    listAttempts: async (accountId, deliveryId) => tell(await listAttempts(accountId, deliveryId)),
  });

const doubles: readonly Double<StorageFixture>[] = [
  ...brokenMending,
  broken(
    'a delivery is listed under the id of its event',
    ['a delivery is listed as it stands, one that is leased as waiting'],
    ({ listDeliveries }) => ({
      listDeliveries: async (accountId, filter, request) => {
        const { items, ...rest } = await listDeliveries(accountId, filter, request);
        return { ...rest, items: items.map((each) => ({ ...each, id: each.eventId })) };
      },
    }),
  ),
  broken('the filter knows no states', ['a filter names an endpoint, a state, or both'], ({ listDeliveries }) => ({
    listDeliveries: (accountId, { state: _state, ...filter }, request) => listDeliveries(accountId, filter, request),
  })),
  broken('the filter knows no endpoints', ['a filter names an endpoint, a state, or both'], ({ listDeliveries }) => ({
    listDeliveries: (accountId, { endpointId: _id, ...filter }, request) => listDeliveries(accountId, filter, request),
  })),
  broken(
    'who names an endpoint need not name its account',
    ['a filter that names an endpoint of another account finds nothing'],
    ({ listDeliveries }) => ({
      listDeliveries: (accountId, filter, request) =>
        listDeliveries(filter.endpointId === undefined ? accountId : 'acc_ours', filter, request),
    }),
  ),
  broken(
    'whoever knows an id reads the attempts',
    ['the attempts of a delivery are for its own account alone'],
    ({ listAttempts }) => ({ listAttempts: (_accountId, deliveryId) => listAttempts('acc_ours', deliveryId) }),
  ),
  broken(
    'attempts are listed newest first',
    ['each attempt is logged as it ended, in order'],
    retold((attempts) => attempts.toReversed()),
  ),
  broken(
    'Retry-After is not kept',
    ['each attempt is logged as it ended, in order'],
    retold((attempts) =>
      attempts.map((attempt) => {
        if (attempt.kind !== 'answered') return attempt;
        const { retryAfter: _retryAfter, ...rest } = attempt;
        return rest;
      }),
    ),
  ),
  broken(
    'an answer is cut to what a short column takes',
    ['each attempt is logged as it ended, in order'],
    retold((attempts) =>
      attempts.map((attempt) =>
        attempt.kind === 'answered' ? { ...attempt, body: attempt.body.slice(0, 255) } : attempt,
      ),
    ),
  ),
  broken(
    'attempts are logged by the clock of the host',
    [
      "each attempt is logged by the clock of the store: a store's clock 3 hours ahead",
      "each attempt is logged by the clock of the store: a store's clock 3 hours behind",
    ],
    ({ listAttempts }, _fixture, { storeAhead }) => ({
      listAttempts: async (accountId, deliveryId) =>
        (await listAttempts(accountId, deliveryId)).map((attempt) => ({ ...attempt, at: attempt.at - storeAhead })),
    }),
  ),
  broken('the log goes with its endpoint', ['the log outlives its endpoint'], (log, { storage }) => ({
    listDeliveries: async (accountId, filter, request) => {
      const { items, ...rest } = await log.listDeliveries(accountId, filter, request);
      const found = await Promise.all(
        items.map(({ endpointId }) => storage.endpoints.findEndpoint(accountId, endpointId)),
      );
      return { ...rest, items: items.filter((_, index) => found[index] !== undefined) };
    },
  })),
  ...brokenPages('deliveries').map(({ how, breaks, of }) =>
    broken(how, breaks, ({ listDeliveries }) => ({
      listDeliveries: (accountId, filter, request) =>
        of((account, page) => listDeliveries(account, filter, page) as ReturnType<List>)(
          accountId,
          request,
        ) as ReturnType<DeliveryLog['listDeliveries']>,
    })),
  ),
];

findsEveryFault(deliveryLogContract, memoryStorageFixture, doubles);
