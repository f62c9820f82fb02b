import type { Claim, ClaimedDelivery, DeliveryQueue, Settlement } from '@partnerkit/core';
import { minute } from '@partnerkit/core';
import type { StorageFixture } from '../../src/index.ts';
import { breakPort, type Double } from './doubles.ts';

const broken = breakPort('queue');

/** Gives back what may not be given, of what was claimed. */
const giving = (
  { claim, dispatch, release }: DeliveryQueue,
  may: (claimed: ClaimedDelivery) => boolean | Promise<boolean>,
): Pick<DeliveryQueue, 'claim' | 'dispatch'> => {
  const given = async (claimed: readonly ClaimedDelivery[]): Promise<readonly ClaimedDelivery[]> => {
    const kept: ClaimedDelivery[] = [];
    for (const each of claimed) if (await may(each)) kept.push(each);
    await release(claimed.filter((each) => !kept.includes(each)));
    return kept;
  };
  return {
    claim: async (want) => {
      const taken = await claim(want);
      return { ...taken, claimed: await given(taken.claimed) };
    },
    dispatch: async (want) => {
      const dispatched = await dispatch(want);
      return { ...dispatched, claimed: await given(dispatched.claimed) };
    },
  };
};

/** Knows which endpoint a lease is of. */
const leases = (queue: DeliveryQueue) => {
  const endpoints = new Map<string, string>();
  const kept = giving(queue, ({ lease, endpoint }) => {
    endpoints.set(lease, endpoint.id);
    return true;
  });
  return { ...kept, endpointOf: ({ lease }: Claim): string => endpoints.get(lease) ?? '' };
};

const isFailure = ({ next }: Settlement): boolean => next !== 'delivered' && next !== 'gone';

/** Storages that pause, probe and disable wrongly. */
export const brokenPauses: readonly Double<StorageFixture>[] = [
  broken(
    'the last of a batch is judged first',
    ['settlements of one batch are judged in their order'],
    ({ settle }) => ({ settle: (settlements) => settle(settlements.toReversed()) }),
  ),
  broken(
    'an account is paused with its endpoint',
    ['another endpoint of the account is not paused'],
    (queue, { storeNow }) => {
      const until = new Map<string, number>();
      return {
        ...giving(queue, async ({ event }) => (until.get(event.accountId) ?? 0) <= (await storeNow())),
        settle: async (settlements) => {
          const turns = await queue.settle(settlements);
          for (const { accountId } of turns) until.set(accountId, (await storeNow()) + minute);
          return turns;
        },
      };
    },
  ),
  broken(
    'what ends while its endpoint is paused is forgotten',
    ['what was in flight when an endpoint was paused settles as ever, and lengthens no pause'],
    (queue) => {
      const { endpointOf, ...kept } = leases(queue);
      const paused = new Set<string>();
      return {
        ...kept,
        settle: async (settlements) => {
          const turns = await queue.settle(settlements.filter((each) => !paused.has(endpointOf(each))));
          for (const { endpointId } of turns) paused.add(endpointId);
          return turns;
        },
      };
    },
  ),
  broken(
    'waiting for a paused endpoint is an attempt',
    ['what waits for a paused endpoint uses up no attempt, and goes on where it stood'],
    (queue) => {
      const failing = new Set<string>();
      return {
        claim: async (want) => {
          const taken = await queue.claim(want);
          const counted = (each: ClaimedDelivery): number => each.attempt + (failing.has(each.endpoint.id) ? 1 : 0);
          return { ...taken, claimed: taken.claimed.map((each) => ({ ...each, attempt: counted(each) })) };
        },
        settle: async (settlements) => {
          const turns = await queue.settle(settlements);
          for (const { endpointId } of turns) failing.add(endpointId);
          return turns;
        },
      };
    },
  ),
  broken(
    'a probe that nobody settles is the last',
    ['a probe whose worker died is followed by another', 'a probe that is given back is followed by another'],
    (queue) => {
      const failing = new Set<string>();
      const probed = new Set<string>();
      return {
        ...giving(queue, ({ endpoint: { id } }) => {
          if (!failing.has(id)) return true;
          if (probed.has(id)) return false;
          probed.add(id);
          return true;
        }),
        settle: async (settlements) => {
          const turns = await queue.settle(settlements);
          for (const { endpointId } of turns) failing.add(endpointId);
          return turns;
        },
      };
    },
  ),
  broken('what is settled again fails again', ['what comes too late, or again, is not judged'], (queue) => {
    const settled = new Set<string>();
    return {
      settle: async (settlements) => {
        const turns = [...(await queue.settle(settlements))];
        for (const settlement of settlements) {
          if (!settled.has(settlement.lease)) {
            settled.add(settlement.lease);
            continue;
          }
          const { claimed } = await queue.claim({
            worker: 'again',
            limit: 1,
            perEndpoint: 100,
            perAccount: 100,
            lease: minute,
            schedule: [],
          });
          turns.push(...(await queue.settle(claimed.map((claim) => ({ ...settlement, ...claim })))));
        }
        return turns;
      },
    };
  }),
  {
    how: 'time runs twice as fast',
    breaks: [
      'a pause lasts as long as it should, and no longer',
      "a pause lasts as long as it should: a store's clock 3 hours ahead",
      "a pause lasts as long as it should: a store's clock 3 hours behind",
      "a receiver that asks to be left alone is: a store's clock 3 hours ahead",
      "a receiver that asks to be left alone is: a store's clock 3 hours behind",
      "it is disabled as early as it should: a store's clock 3 hours ahead",
      "it is disabled as early as it should: a store's clock 3 hours behind",
    ],
    make: (fixture) => ({ ...fixture, elapse: (time) => fixture.elapse(2 * time) }),
  },
  broken(
    'an endpoint that failed is paused whenever it failed',
    ['what is settled while an endpoint is disabled is not judged'],
    (queue) => {
      const { endpointOf, ...kept } = leases(queue);
      const failures = new Map<string, number>();
      return {
        ...giving({ ...queue, ...kept }, ({ endpoint: { id } }) => (failures.get(id) ?? 0) < 5),
        settle: async (settlements) => {
          for (const each of settlements)
            if (isFailure(each)) failures.set(endpointOf(each), (failures.get(endpointOf(each)) ?? 0) + 1);
          return queue.settle(settlements);
        },
      };
    },
  ),
  broken(
    'two failures disable',
    ['a quiet endpoint that fails once is not disabled'],
    (queue, { storage: { endpoints } }) => {
      const { endpointOf, ...kept } = leases(queue);
      const failures = new Map<string, number>();
      return {
        ...kept,
        settle: async (settlements) => {
          const turns = await queue.settle(settlements);
          for (const id of settlements.filter(isFailure).map(endpointOf)) {
            failures.set(id, (failures.get(id) ?? 0) + 1);
            const stored = await endpoints.findEndpoint('acc_ours', id);
            if (stored && failures.get(id) === 2)
              await endpoints.replaceEndpoint({ ...stored, state: 'disabled_by_breaker' });
          }
          return turns;
        },
      };
    },
  ),
  broken(
    'who is gone is disabled by the breaker, whatever its partner did',
    ['an endpoint that is gone and was disabled or deleted meanwhile stays so'],
    (queue, { storage: { endpoints } }) => {
      const { endpointOf, ...kept } = leases(queue);
      return {
        ...kept,
        settle: async (settlements) => {
          const turns = await queue.settle(settlements);
          for (const id of settlements.filter(({ next }) => next === 'gone').map(endpointOf)) {
            const stored = await endpoints.findEndpoint('acc_ours', id);
            if (stored) await endpoints.replaceEndpoint({ ...stored, state: 'disabled_by_breaker' });
          }
          return turns;
        },
      };
    },
  ),
  breakPort('log')(
    'what is held looks as if it waited',
    ['of disabling, dispatching and claiming at once, what was not claimed is held'],
    ({ listDeliveries }) => ({
      listDeliveries: async (accountId, filter, request) => {
        const { items, ...rest } = await listDeliveries(accountId, filter, request);
        return { ...rest, items: items.map((each) => (each.state === 'held' ? { ...each, state: 'waiting' } : each)) };
      },
    }),
  ),
  breakPort('endpoints')(
    'who changes an endpoint wins over its breaker',
    ['a change that was begun before an endpoint was disabled comes too late'],
    ({ findEndpoint, replaceEndpoint }) => ({
      replaceEndpoint: async (endpoint) => {
        const stored = await findEndpoint(endpoint.accountId, endpoint.id);
        return replaceEndpoint({ ...endpoint, version: stored?.version ?? endpoint.version });
      },
    }),
  ),
  broken(
    'what is claimed comes youngest first',
    ['an endpoint that is enabled again goes on where its deliveries stood, oldest first, and has not failed'],
    ({ claim }) => ({
      claim: async (want) => {
        const taken = await claim(want);
        return { ...taken, claimed: taken.claimed.toReversed() };
      },
    }),
  ),
];
