import { day, type EpochMs, hour, type Pruned, type PruneLimits, second } from '@partnerkit/core';
import type { StorageFixture } from '../../src/index.ts';
import { breakPort, type Double, sharing } from './doubles.ts';

const broken = breakPort('queue');

type Breaks = Double<StorageFixture>['breaks'];

const limiting = (
  how: string,
  breaks: Breaks,
  change: (limits: PruneLimits) => Partial<PruneLimits>,
): Double<StorageFixture> =>
  broken(how, breaks, ({ prune }) => ({ prune: (limits) => prune({ ...limits, ...change(limits) }) }));

const telling = (how: string, breaks: Breaks, change: (pruned: Pruned) => Pruned): Double<StorageFixture> =>
  broken(how, breaks, ({ prune }) => ({ prune: async (limits) => change(await prune(limits)) }));

export const brokenPrunings: readonly Double<StorageFixture>[] = [
  limiting(
    'what is held expires in half the time',
    [
      'what is held for too long expires, and is told by endpoint',
      "what is held for too long expires: a store's clock 3 hours ahead",
      "what is held for too long expires: a store's clock 3 hours behind",
      'what was held is counted from when it was held, whoever disabled the endpoint',
    ],
    ({ held }) => ({ held: held / 2 }),
  ),
  limiting(
    'what is held never expires',
    [
      'what expired is not sent when its endpoint is enabled',
      'an endpoint is told with its account',
      'of many that prune at once each delivery that expires is told by one',
    ],
    ({ held }) => ({ held: 100 * held }),
  ),
  limiting('much more is pruned at once', ['a call prunes no more than it may, and says that there is more'], () => ({
    most: 10_000,
  })),
  limiting(
    'events stay twice as long',
    [
      'events go when they are too old, by when they were dispatched',
      "events go when they are too old: a store's clock 3 hours ahead",
      "events go when they are too old: a store's clock 3 hours behind",
      'an event that may not go keeps none that is younger',
    ],
    ({ events }) => ({ events: 2 * events }),
  ),
  limiting(
    'no event is too young',
    ['an event that was not dispatched stays, and is young when it is', 'what is young stays, of any kind'],
    () => ({ events: 0 }),
  ),
  limiting('no time is longer than a year', ['nothing is too old where the time has no end'], ({ events }) => ({
    events: Math.min(events, 365 * day),
  })),
  limiting(
    'attempts stay twice as long',
    [
      'attempts go when they are too old, and deliveries that ended with their last',
      'deliveries that expired go as those that ended otherwise',
    ],
    ({ attempts }) => ({ attempts: 2 * attempts }),
  ),
  telling(
    'one more is told than expired',
    [
      'of enabling and pruning at once a delivery that is told to have expired is not sent',
      'a call prunes no more than it may, and says that there is more',
    ],
    (pruned) => ({ ...pruned, expired: pruned.expired.map((each) => ({ ...each, deliveries: each.deliveries + 1 })) }),
  ),
  telling('all that expired is of one account', ['an endpoint is told with its account'], (pruned) => ({
    ...pruned,
    expired: pruned.expired.map((each) => ({ ...each, accountId: 'acc_ours' })),
  })),
  broken(
    'who prunes at one time is told the same',
    ['of many that prune at once each delivery that expires is told by one'],
    ({ prune }) => {
      const shared = sharing((_any: string, limits: PruneLimits) => prune(limits));
      return { prune: (limits) => shared('all', limits) };
    },
  ),
  {
    how: 'an event goes by its age alone',
    breaks: ['no event goes while a delivery of it waits, is attempted, or is held'],
    make: (fixture) => {
      const { queue, events } = fixture.storage;
      let gone: EpochMs = 0;
      return {
        ...fixture,
        storage: {
          ...fixture.storage,
          queue: {
            ...queue,
            prune: async (limits) => {
              gone = (await fixture.storeNow()) - limits.events;
              return queue.prune(limits);
            },
          },
          events: {
            ...events,
            listEvents: async (accountId, page) => {
              const { items, ...rest } = await events.listEvents(accountId, page);
              const young = items.filter((each) => !('timestamp' in each) || each.timestamp * second > gone);
              return { ...rest, items: young };
            },
          },
        },
      };
    },
  },
  broken(
    'an event is stamped as if its object had no other',
    [
      'a second is not used again, though its event is gone',
      'a second is not used again, though an older event of its object is still there',
    ],
    ({ dispatch }) => ({
      dispatch: async (want) => {
        const dispatched = await dispatch(want);
        return {
          ...dispatched,
          claimed: dispatched.claimed.map((each) => {
            const { occurredAt = hour } = each.event;
            return { ...each, event: { ...each.event, timestamp: Math.floor(occurredAt / second) } };
          }),
        };
      },
    }),
  ),
];
