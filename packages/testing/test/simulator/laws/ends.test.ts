import { expect, test } from 'vitest';
import { endsAreStored } from '../../../src/simulator/laws/ends.ts';
import type { Facts } from '../../../src/simulator/laws/facts.ts';

const day = 86_400_000;

/** A replay of an old event, which is not listed at the end. */
const factsOf = ({
  isEventStored,
  expiredAt,
}: {
  readonly isEventStored: boolean;
  readonly expiredAt?: number;
}): Facts => {
  const replay = {
    accountId: 'a',
    eventId: 'event',
    endpointId: 'e',
    replay: 1,
    id: 'd',
    rows: [],
    createdAt: 9.9 * day,
    createdOrder: 5,
  };
  const prune = { order: expiredAt, result: { expired: [{ endpointId: 'e' }] } };
  return {
    ledger: { deliveries: new Map([['d', replay]]) },
    trace: {
      endedAt: 10 * day,
      history: { retention: { events: 3 * day, attempts: 3 * day } },
      deliveries: [],
      events: isEventStored ? [{ id: 'event', accountId: 'a' }] : [],
    },
    endpoints: new Map([['e', [{ endpoint: {} }]]]),
    callsOf: () => (expiredAt === undefined ? [] : [prune]),
  } as unknown as Facts;
};

test.each([
  ['was neither finished nor expired', true, { isEventStored: false }],
  ['was made after others of its endpoint expired', true, { isEventStored: false, expiredAt: 4 }],
  ['expired, and its event is stored still', true, { isEventStored: true, expiredAt: 6 }],
  ['expired, and then its event went', false, { isEventStored: false, expiredAt: 6 }],
])('a young replay that is not stored and %s breaks the law: %s', (_what, isBroken, seen) => {
  expect(endsAreStored.check(factsOf(seen)) !== undefined).toBe(isBroken);
});
