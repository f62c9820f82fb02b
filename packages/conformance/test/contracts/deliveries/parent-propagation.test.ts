import type { OutboxEvent } from '@partnerkit/core/adapter';
import { describe, test } from 'vitest';
import { parentPropagationContract } from '../../../src/contracts/deliveries/parent-propagation.ts';
import type { StorageFixture } from '../../../src/contracts/index.ts';
import { findEvent } from '../../../src/contracts/support/stored.ts';
import { breakPort, type Double, findsEveryFault } from '../support/doubles.ts';
import { memoryStorageFixture, slowStorageFixture } from '../support/memory.ts';

describe('memory', () => {
  parentPropagationContract({ test, create: memoryStorageFixture });
});

describe('memory as slow as a database', () => {
  parentPropagationContract({ test, create: slowStorageFixture });
});

const broken = breakPort('parents');
const inOrder = 'events that propagate are read in the order of the ranges, of accounts, and of dispatch';
const given = 'copies are added in the given order; events without a parent get none';

/** Copies that are read otherwise than they are. */
const copiedAs = (how: string, change: (copy: OutboxEvent) => Partial<OutboxEvent>) =>
  breakPort('deliveries')(how, ['a copy is its event in the outbox of the parent'], ({ readOutbox }) => ({
    readOutbox: async (...args) => {
      const { events, ...state } = await readOutbox(...args);
      return { ...state, events: events.map((each) => (each.origin ? { ...each, ...change(each) } : each)) };
    },
  }));

/** Storages that copy events to the wrong parents, or lose, change and misplace copies. */
const doubles: readonly Double<StorageFixture>[] = [
  broken('events are read as they come', [inOrder], ({ readPropagated }) => ({
    readPropagated: async (...args) =>
      (await readPropagated(...args)).toSorted((a, b) => Number(a.eventId > b.eventId) - 0.5),
  })),
  broken('the limit is one of each range', [inOrder], ({ readPropagated }) => ({
    readPropagated: async (ranges, limit) =>
      (await Promise.all(ranges.map((range) => readPropagated([range], limit)))).flat(),
  })),
  copiedAs('a copy looks as if it had happened to the parent', ({ accountId }) => ({ origin: accountId })),
  copiedAs('a copy happened when it was made', ({ storedAt }) => ({ occurredAt: storedAt })),
  copiedAs('a copy has the idempotency key of its event', () => ({ idempotencyKey: 'key' })),
  broken('copies are added as they come', [given], ({ propagate }) => ({
    propagate: (workerId, events) => propagate(workerId, events.toReversed()),
  })),
  broken('an event without a parent waits for one', [given], ({ propagate }) => ({
    propagate: (workerId, events) =>
      propagate(
        workerId,
        events.filter(({ parentId }) => parentId !== undefined),
      ),
  })),
  broken(
    'each time that an event is propagated it is copied',
    ['an event that is propagated repeatedly, or by many at once, has one copy'],
    ({ propagate }, { storage }) => ({
      propagate: async (workerId, events) => {
        const propagated = await propagate(workerId, events);
        for (const { accountId, eventId, parentId = 'acc_nobody' } of events) {
          const found = await findEvent(storage, accountId, eventId);
          const copy = found && { ...found, accountId: parentId, id: eventId.replace('0', String(copies++ % 10)) };
          if (copy && !(await findEvent(storage, parentId, copy.id)))
            await storage.transaction((tx) => storage.events.append(tx, [copy]));
        }
        return propagated;
      },
    }),
  ),
  breakPort('log')(
    'what waits for a parent is pruned',
    ['an event with a pending propagation is not pruned'],
    ({ prune }, { storage: { parents, shards } }) => ({
      prune: async (pruned, limits) => {
        await shards.join('prunes', 1_000);
        await parents.propagate(
          'prunes',
          await parents.readPropagated(
            pruned.map((shard) => ({ shard })),
            100,
          ),
        );
        return prune(pruned, limits);
      },
    }),
  ),
  breakPort('shards')('nobody is woken', ['copies wake watchers'], () => ({ watch: async () => () => {} })),
];
let copies = 1;

findsEveryFault(parentPropagationContract, memoryStorageFixture, doubles);
