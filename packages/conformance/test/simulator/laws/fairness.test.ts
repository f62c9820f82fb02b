import { expect, test } from 'vitest';
import type { Facts } from '../../../src/simulator/laws/facts.ts';
import { endpointsTakeTurns } from '../../../src/simulator/laws/fairness.ts';
import { shardOfAccount } from '../../../src/simulator/laws/numbers.ts';
import { storeClock } from '../../../src/simulator/laws/store-clock.ts';

const second = 1_000;
const shard = shardOfAccount('fjord');

const deliveryTo = (endpointId: string, eventId: string, times: readonly number[]) => ({
  ...{ id: `${endpointId} ${eventId}`, accountId: 'fjord', endpointId, eventId, replay: 0, rows: [] },
  createdAt: 100 * second,
  posts: times.map((at) => ({
    process: 'w',
    url: 'https://receiver-0.example/',
    at,
    until: at + 1,
    learnedAt: at + 1,
    outcome: { kind: 'answered', status: 200 },
  })),
});

/**
 * A worker with one attempt in flight for each account, and so at most six attempts of another endpoint first, polls
 * every 15 s. The event `late` has a timestamp that is this far ahead when it is dispatched at 100 s. Seven attempts of
 * another endpoint follow at 111 to 117 s, and its own at 120 s.
 */
const factsOf = (ahead: number, readAt: number): Facts => {
  const late = deliveryTo('a', 'late', [120 * second]);
  const others = [1, 2, 3, 4, 5, 6, 7].map((each) => deliveryTo('b', `${each}`, [(110 + each) * second]));
  const deliveries = [late, ...others];
  const posts = deliveries.flatMap((delivery) => delivery.posts);
  const read = { name: 'deliveries.readDue', process: 'w', args: [[shard], 256, []] };
  const reads = [105 * second, readAt].map((at) => ({
    ...read,
    sentAt: at,
    effectAt: at,
    learnedAt: at,
    learned: 'answer',
  }));
  return {
    trace: {
      ...{ startedAt: 0, endedAt: 200 * second, calls: reads, posts, accountIds: ['fjord'] },
      lives: [{ process: 'w', machine: 1, startedAt: 0, pauses: [] }],
      history: { concurrency: 4, perEndpoint: 8, pollEvery: 15 * second, endpoints: [{ account: 0 }] },
    },
    effects: [],
    callsOf: () => reads,
    membership: { members: new Map(), tenures: [{ member: { process: 'w' }, shard, from: { at: 0 } }] },
    endpoints: new Map(),
    ledger: {
      deliveries: new Map(deliveries.map((delivery) => [delivery.id, delivery])),
      dispatches: new Map([['fjord late', { at: 100 * second, timestamp: 100 + ahead }]]),
      deliveryOf: (post: unknown) => deliveries.find((delivery) => delivery.posts.some((each) => each === post)),
    },
    store: storeClock({ storeClock: [{ at: 0, ahead: 0 }] }),
  } as unknown as Facts;
};

test.each([
  ['is dispatched', true, 0, 120],
  ['may be sent at once, 60 s ahead', true, 60, 120],
  ['is due at 110 s, and is read then', true, 70, 110],
  ['is due at 110 s, and is read at 112 s', false, 70, 112],
  ['is due at 110 s, and is read at the next poll', false, 70, 120],
])(
  'an endpoint that lets seven attempts of another go first after its delivery %s breaks the law: %s',
  (_when, isBroken, ahead, readAt) => {
    expect(endpointsTakeTurns.check(factsOf(ahead, readAt * second)) !== undefined).toBe(isBroken);
  },
);
