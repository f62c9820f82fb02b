import { expect, test } from 'vitest';
import type { Facts } from '../../../src/simulator/laws/facts.ts';
import { eventsReachTheirEndpoints } from '../../../src/simulator/laws/publishing.ts';

/** An endpoint stops taking the event at 50; a dispatch at 100 is made from a read at 10, and still goes to it. */
const factsOf = (reads: readonly { readonly at: number; readonly order: number }[], sentAt: number): Facts => {
  const event = { id: 'event', type: 'payed' };
  const dispatch = { accountId: 'a', event, endpointIds: ['e'], process: 'w', sentAt, at: 100, order: 5 };
  const endpoint = { id: 'e', accountId: 'a', state: 'enabled', events: ['payed'] };
  const versions = [
    { from: 0, order: 0, endpoint, isBreaker: false },
    { from: 50, order: 3, endpoint: { ...endpoint, events: [] }, isBreaker: false },
  ];
  return {
    ledger: { dispatches: new Map([['a event', dispatch]]) },
    endpoints: new Map([['e', versions]]),
    callsOf: () =>
      reads.map(({ at, order }) => ({ process: 'w', learned: 'answer', learnedAt: at, effectAt: at, order })),
  } as unknown as Facts;
};

test.each([
  ['before the endpoint changed', [{ at: 10, order: 1 }], 100, false],
  ['after it, in the millisecond of the dispatch', [{ at: 100, order: 4 }], 100, true],
  [
    'before, and another one after a dispatch was sent that takes effect late',
    [
      { at: 10, order: 1 },
      { at: 60, order: 4 },
    ],
    20,
    false,
  ],
  [
    'before, and the next read takes effect in the millisecond of the dispatch',
    [
      { at: 10, order: 1 },
      { at: 100, order: 6 },
    ],
    100,
    false,
  ],
])('an event goes to the endpoints of the last read that was made %s', (_when, reads, sentAt, isBroken) => {
  expect(eventsReachTheirEndpoints.check(factsOf(reads, sentAt)) !== undefined).toBe(isBroken);
});
