import { expect, test } from 'vitest';
import type { PropagatedEvent } from '../../../../src/webhooks/deliveries/parent-propagation.ts';
import { createWorkerErrors } from '../../../../src/webhooks/worker/context/worker-errors.ts';
import { createAccountCursor } from '../../../../src/webhooks/worker/memory/account-cursor.ts';
import { propagate } from '../../../../src/webhooks/worker/steps/propagate.ts';
import { testClock } from '../../../support/clock.ts';
import { ownedEndpoint } from '../../../support/lanes.ts';

/** Propagates a page of `count` events of a child. The parent takes the type of every second one. */
const propagatePage = async (count: number, served: readonly number[] = [3]) => {
  const waiting = Array.from(
    { length: count },
    (_, nth): PropagatedEvent => ({
      ...{ eventId: String(nth), position: String(nth), accountId: 'child', shard: 3, objectName: 'RequestPayment' },
      type: nth % 2 === 0 ? 'payed' : 'creation',
    }),
  );
  const reads: number[] = [];
  const stored: string[] = [];
  const page = await propagate(
    {
      workerId: 'worker',
      served,
      parents: {
        readPropagated: async (ranges) => {
          reads.push(ranges.length);
          return waiting;
        },
        propagate: async (_workerId, events) => {
          stored.push(...events.map(({ eventId, parentId = 'none' }) => `${eventId} ${parentId}`));
          return 'stored';
        },
      },
      deliveries: {
        readEndpoints: async () => ({
          ...{ now: 0, endpointVersion: 0, changedShards: [], hasIncludeChildren: true },
          endpoints: [ownedEndpoint({ accountId: 'parent', includeChildren: true })],
        }),
      },
      lookups: {
        parentsOf: async (accountIds) => new Map([...accountIds].map((accountId) => [accountId, 'parent'])),
        late: { wake: () => {}, wait: async () => {} },
      },
      errors: createWorkerErrors(testClock(), (during) => expect.unreachable(during)),
    },
    createAccountCursor(),
    undefined,
  );
  return { page, reads, stored };
};

test('events of a type that no endpoint of the parent takes are removed without a copy', async () => {
  const { page, stored } = await propagatePage(3);
  expect(stored).toEqual(['0 parent', '1 none', '2 parent']);
  expect(page).toEqual({ found: 3, propagated: 3, copies: 2, hasMore: false });
});

test('a page of 500 events may have a successor, a shorter one has none', async () => {
  expect((await propagatePage(499)).page).toEqual({ found: 499, propagated: 499, copies: 250, hasMore: false });
  expect((await propagatePage(500)).page).toEqual({ found: 500, propagated: 500, copies: 250, hasMore: true });
});

test('without shards nothing is read', async () => {
  const { page, reads } = await propagatePage(3, []);
  expect([reads, page.found]).toEqual([[], 0]);
});
