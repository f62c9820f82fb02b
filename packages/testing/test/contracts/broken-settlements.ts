import type { Claim, ClaimRequest, DeliveryQueue, Settlement } from '@partnerkit/core';
import type { StorageFixture } from '../../src/index.ts';
import { breakPort, type Double } from './doubles.ts';

const broken = breakPort('queue');
const onLog = breakPort('log');

type Breaks = Double<StorageFixture>['breaks'];

const settling = (
  how: string,
  breaks: Breaks,
  change: (settlement: Settlement, storeAhead: number) => Settlement,
): Double<StorageFixture> =>
  broken(how, breaks, ({ settle }, _fixture, { storeAhead }) => ({
    settle: (settlements) => settle(settlements.map((each) => change(each, storeAhead))),
  }));
const retryIn =
  (change: (time: number, storeAhead: number) => number) => (settlement: Settlement, storeAhead: number) =>
    typeof settlement.next === 'object'
      ? { ...settlement, next: { retryIn: change(settlement.next.retryIn, storeAhead) } }
      : settlement;

/** Whoever gives a delivery back has attempted it. */
export const attemptedAtRelease = ({ settle }: DeliveryQueue): Pick<DeliveryQueue, 'release'> => ({
  release: async (claims) => {
    await settle(
      claims.map(({ deliveryId, lease }) => ({
        deliveryId,
        lease,
        outcome: { kind: 'failed', reason: 'internal', took: 0 },
        next: { retryIn: 0 },
      })),
    );
  },
});

/** Takes any lease for the one that a delivery has now. */
const unfenced = (queue: DeliveryQueue) => {
  const current = new Map<string, string>();
  const holder = <C extends Claim>(claim: C): C => ({ ...claim, lease: current.get(claim.deliveryId) ?? claim.lease });
  return {
    holder,
    claim: async (want: ClaimRequest) => {
      const taken = await queue.claim(want);
      for (const { deliveryId, lease } of taken.claimed) current.set(deliveryId, lease);
      return taken;
    },
  };
};

/** Storage whose log tells another state than the true one. */
const retold = (
  how: string,
  breaks: Breaks,
  from: string,
  to: 'waiting' | 'exhausted' | 'expired',
): Double<StorageFixture> =>
  onLog(how, breaks, ({ listDeliveries }) => ({
    listDeliveries: async (accountId, filter, request) => {
      const { items, ...rest } = await listDeliveries(accountId, filter, request);
      return { ...rest, items: items.map((each) => (each.state === from ? { ...each, state: to } : each)) };
    },
  }));

export const brokenSettlements: readonly Double<StorageFixture>[] = [
  broken(
    'any lease settles',
    ['once a lease was taken over, settling with it changes nothing but the log'],
    (queue) => {
      const { holder, claim } = unfenced(queue);
      return { claim, settle: (settlements) => queue.settle(settlements.map(holder)) };
    },
  ),
  broken('any lease is given back', ['once a lease was taken over, giving it back changes nothing'], (queue) => {
    const { holder, claim } = unfenced(queue);
    return { claim, release: (claims) => queue.release(claims.map(holder)) };
  }),
  broken(
    'a lapsed lease settles nothing',
    ['a lapsed lease that nobody took over still settles'],
    ({ claim, settle }, { storeNow }) => {
      const ends = new Map<string, number>();
      return {
        claim: async (want) => {
          const taken = await claim(want);
          for (const { lease } of taken.claimed) ends.set(lease, (await storeNow()) + want.lease);
          return taken;
        },
        settle: async (settlements) => {
          const now = await storeNow();
          return settle(settlements.filter(({ lease }) => (ends.get(lease) ?? 0) > now));
        },
      };
    },
  ),
  onLog(
    'who settles late is not logged',
    ['of settling and taking over a lapsed lease at once one counts'],
    ({ listAttempts }) => ({
      listAttempts: async (accountId, deliveryId) => (await listAttempts(accountId, deliveryId)).slice(1),
    }),
  ),
  broken(
    'what is given back was an attempt',
    [
      'what is given back is there at once, for anybody, and was no attempt',
      'what is given back stands in line where it stood',
    ],
    attemptedAtRelease,
  ),
  broken(
    'what is given back waits for its lease to lapse',
    [
      'what is given back is there at once, for anybody, and was no attempt',
      'a lease that was settled, given back, or has lapsed leaves room under the caps',
    ],
    () => ({ release: async () => {} }),
  ),

  settling(
    'a retry comes in half the time',
    ['a retry waits as long as was asked for, and no longer'],
    retryIn((time) => time / 2),
  ),
  settling(
    'a retry comes in twice the time',
    ['a retry waits as long as was asked for, and no longer'],
    retryIn((time) => time * 2),
  ),
  settling(
    'a retry comes by the clock of the host',
    [
      "a retry waits as long as was asked for: a store's clock 3 hours ahead",
      "a retry waits as long as was asked for: a store's clock 3 hours behind",
    ],
    retryIn((time, storeAhead) => time - storeAhead),
  ),
  settling(
    'what was delivered is put back in line',
    ['what is delivered or exhausted is never claimed again'],
    (settlement) => (settlement.next === 'delivered' ? { ...settlement, next: { retryIn: 1_000 } } : settlement),
  ),
  settling(
    'what was exhausted is put back in line',
    ['what is delivered or exhausted is never claimed again'],
    (settlement) => (settlement.next === 'exhausted' ? { ...settlement, next: { retryIn: 1_000 } } : settlement),
  ),
  {
    how: 'what is settled again is logged again',
    breaks: [
      'a settlement that comes again changes nothing at all',
      'of many that settle one lease at once exactly one counts',
    ],
    make: (fixture) => {
      const { queue, log } = fixture.storage;
      const settled: Settlement[] = [];
      return {
        ...fixture,
        storage: {
          ...fixture.storage,
          queue: {
            ...queue,
            settle: async (settlements) => {
              settled.push(...settlements);
              return queue.settle(settlements);
            },
          },
          log: {
            ...log,
            listAttempts: async (accountId, deliveryId) => {
              const attempts = await log.listAttempts(accountId, deliveryId);
              const again = settled.filter((each) => each.deliveryId === deliveryId).slice(1);
              return [...attempts, ...again.map(({ outcome }) => ({ ...outcome, at: 0 }))];
            },
          },
        },
      };
    },
  },
  broken(
    'a settlement of nobody fails its batch',
    ['settlements of one batch stand each for itself'],
    (queue, { storage }) => {
      const known = new Set<string>();
      return {
        claim: async (want) => {
          const taken = await storage.queue.claim(want);
          for (const { deliveryId } of taken.claimed) known.add(deliveryId);
          return taken;
        },
        settle: async (settlements) => {
          if (settlements.length > 1 && !settlements.every(({ deliveryId }) => known.has(deliveryId)))
            throw new Error('violates foreign key constraint');
          return queue.settle(settlements);
        },
      };
    },
  ),
  retold(
    'a retry waits though its endpoint is disabled',
    [
      'a retry is held where the endpoint was disabled meanwhile, and released when it is enabled',
      'what is given back, or taken over, is held where the endpoint was disabled meanwhile',
    ],
    'held',
    'waiting',
  ),
  retold(
    'a retry is exhausted when its endpoint is deleted',
    ['a retry expires where the endpoint was deleted meanwhile'],
    'expired',
    'exhausted',
  ),
  retold(
    'what was confirmed expires with its endpoint',
    ['what was confirmed is delivered, whatever became of the endpoint meanwhile'],
    'delivered',
    'expired',
  ),

  broken('nobody is ever called', ['who watches is called after a commit of events, of any account'], () => ({
    watch: async () => () => {},
  })),
  {
    how: 'who watches is called before the commit',
    breaks: ['who watches is called after a commit of events, of any account'],
    make: (fixture) => {
      const { events, queue } = fixture.storage;
      const watchers = new Set<() => void>();
      return {
        ...fixture,
        storage: {
          ...fixture.storage,
          events: {
            ...events,
            append: async (tx, appended) => {
              const outcomes = await events.append(tx, appended);
              for (const call of watchers) call();
              return outcomes;
            },
          },
          queue: {
            ...queue,
            watch: async (onDue) => {
              watchers.add(onDue);
              return () => watchers.delete(onDue);
            },
          },
        },
      };
    },
  },
  broken(
    'who stopped is still called',
    ['many watch at once, and who stopped is not called any more'],
    ({ watch }) => ({
      watch: async (onDue) => {
        await watch(onDue);
        return () => {};
      },
    }),
  ),
];
