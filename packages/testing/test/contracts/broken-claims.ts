import type { ClaimedDelivery, ClaimRequest, DeliveryQueue, Taken } from '@partnerkit/core';
import type { StorageFixture } from '../../src/index.ts';
import { breakPort, type Double, sharing } from './doubles.ts';

const broken = breakPort('queue');

type Breaks = Double<StorageFixture>['breaks'];

/** Claims, of a dispatch too, asked for otherwise. */
const wanting = (
  how: string,
  breaks: Breaks,
  change: (want: ClaimRequest, storeAhead: number) => Partial<ClaimRequest>,
): Double<StorageFixture> =>
  broken(how, breaks, ({ dispatch, claim }, _fixture, { storeAhead }) => ({
    dispatch: (want) => dispatch({ ...want, ...change(want, storeAhead) }),
    claim: (want) => claim({ ...want, ...change(want, storeAhead) }),
  }));

/** What was taken, told otherwise. */
const retold = (
  how: string,
  breaks: Breaks,
  teller: (queue: DeliveryQueue) => (taken: Taken, want: ClaimRequest) => Taken | Promise<Taken>,
): Double<StorageFixture> =>
  broken(how, breaks, (queue) => {
    const tell = teller(queue);
    return {
      dispatch: async (want) => {
        const dispatched = await queue.dispatch(want);
        return { ...dispatched, ...(await tell(dispatched, want)) };
      },
      claim: async (want) => tell(await queue.claim(want), want),
    };
  });

/** Refuses a claim altogether when one that was claimed before is at its cap. */
const blocked = (
  how: string,
  breaks: Breaks,
  cap: 'perEndpoint' | 'perAccount',
  keyOf: (claim: ClaimedDelivery) => string,
) =>
  broken(how, breaks, ({ claim }) => {
    const counts = new Map<string, number>();
    return {
      claim: async (want) => {
        if ([...counts.values()].some((count) => count >= want[cap])) return { claimed: [], abandoned: [] };
        const taken = await claim(want);
        for (const each of taken.claimed) counts.set(keyOf(each), (counts.get(keyOf(each)) ?? 0) + 1);
        return taken;
      },
    };
  });

let claims = 0;

export const brokenClaims: readonly Double<StorageFixture>[] = [
  wanting('one more is claimed than was asked for', ['at most so many are claimed as were asked for'], ({ limit }) => ({
    limit: limit + 1,
  })),
  broken(
    'what fell due first is claimed first, whose it is',
    ['a crowded endpoint delays no other', 'an account with many crowded endpoints delays no other'],
    ({ claim }) => {
      let line: readonly ClaimedDelivery[] = [];
      return {
        claim: async (want) => {
          const { claimed, abandoned } = await claim({
            ...want,
            limit: 10_000,
            perEndpoint: 10_000,
            perAccount: 10_000,
          });
          line = [...line, ...claimed].sort((a, b) => (a.event.id < b.event.id ? -1 : 1));
          const first = line.slice(0, want.limit);
          line = line.slice(want.limit);
          return { claimed: first, abandoned };
        },
      };
    },
  ),
  blocked(
    'an endpoint at its cap is in the way',
    ['an endpoint at its cap delays no other'],
    'perEndpoint',
    ({ endpoint }) => endpoint.id,
  ),
  blocked(
    'an account at its cap is in the way',
    ['an account at its cap delays no other'],
    'perAccount',
    ({ event }) => event.accountId,
  ),
  wanting(
    'each worker has its own caps of endpoints',
    ['the cap of an endpoint counts over all workers, at once or one after another'],
    () => ({ perEndpoint: 10_000 }),
  ),
  wanting('all workers are one', ['the cap of an account counts for each worker'], () => ({ worker: 'all' })),
  wanting('each claim is a worker’s first', ['the cap of an account counts for each worker'], ({ worker }) => ({
    worker: `${worker} ${claims++}`,
  })),
  blocked(
    'a cap counts what was ever claimed',
    ['a lease that was settled, given back, or has lapsed leaves room under the caps'],
    'perEndpoint',
    ({ endpoint }) => endpoint.id,
  ),
  broken(
    'who asks at one time is given the same',
    [
      'of many that claim at once each delivery goes to one',
      'of many that dispatch and claim at once each delivery goes to one',
    ],
    ({ claim }) => {
      const shared = sharing((_any: string, want: ClaimRequest) => claim(want));
      return { claim: (want) => shared('all', want) };
    },
  ),

  wanting('a lease lasts half as long', ['a lease lasts as long as was asked for, and no longer'], ({ lease }) => ({
    lease: lease / 2,
  })),
  wanting('a lease lasts twice as long', ['a lease lasts as long as was asked for, and no longer'], ({ lease }) => ({
    lease: lease * 2,
  })),
  wanting(
    'a lease ends by the clock of the host',
    [
      "a lease lasts as long as was asked for: a store's clock 3 hours ahead",
      "a lease lasts as long as was asked for: a store's clock 3 hours behind",
    ],
    ({ lease }, storeAhead) => ({ lease: lease - storeAhead }),
  ),
  retold(
    'nobody is told of an abandoned attempt',
    ['who finds a lapsed lease logs the attempt as abandoned, and tells of it'],
    () => (taken) => ({
      claimed: taken.claimed,
      abandoned: [],
    }),
  ),
  retold(
    'everybody is told of an abandoned attempt',
    ['of many that find one lapsed lease exactly one takes it over, and one attempt is logged'],
    () => {
      let last: Taken['abandoned'] = [];
      return ({ claimed, abandoned }) => {
        if (abandoned.length > 0) last = abandoned;
        return { claimed, abandoned: last };
      };
    },
  ),
  breakPort('log')(
    'an abandoned attempt is not logged',
    ['who finds a lapsed lease logs the attempt as abandoned, and tells of it'],
    ({ listAttempts }) => ({
      listAttempts: async (accountId, deliveryId) =>
        (await listAttempts(accountId, deliveryId)).filter(
          (each) => each.kind === 'answered' || each.reason !== 'abandoned',
        ),
    }),
  ),
  wanting(
    'an abandoned attempt is repeated at once',
    ['after an abandoned attempt the next one is due by the schedule, as after any failure'],
    ({ schedule }) => ({ schedule: schedule.map(() => 0) }),
  ),
  wanting(
    'every abandoned attempt is the first one of the schedule',
    ['after an abandoned attempt the next one is due by the schedule, as after any failure'],
    ({ schedule }) => ({ schedule: schedule.map(() => schedule[0] ?? 0) }),
  ),
  wanting(
    'workers that die exhaust nothing',
    ['a delivery that nobody ever settles is exhausted by one attempt more than the schedule has'],
    ({ schedule }) => ({ schedule: [...schedule, 60_000, 60_000] }),
  ),
  retold(
    'who finds a lapsed lease claims nothing beside',
    ['a lapsed lease that is found hinders no claim behind it'],
    (queue) => async (taken) => {
      if (taken.abandoned.length === 0) return taken;
      await queue.release(taken.claimed);
      return { ...taken, claimed: [] };
    },
  ),
  retold('every attempt is the first', ['every attempt sends the same bytes, and is counted'], () => (taken) => ({
    ...taken,
    claimed: taken.claimed.map((each) => ({ ...each, attempt: 1 })),
  })),
  retold('each attempt is stamped anew', ['every attempt sends the same bytes, and is counted'], () => (taken) => ({
    ...taken,
    claimed: taken.claimed.map((each) => ({
      ...each,
      event: { ...each.event, body: `${each.event.body} ${each.attempt}` },
    })),
  })),
];
