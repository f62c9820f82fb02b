import {
  type ClaimedDelivery,
  type ClaimRequest,
  type Delivery,
  day,
  hour,
  isDelivered,
  minute,
  mostAttempts,
  retrySchedule,
  type SendOutcome,
  type Settlement,
  second,
} from '@partnerkit/core';
import fc from 'fast-check';
import { endpointArbitrary } from './endpoints.ts';
import { stampedEventArbitrary } from './events.ts';
import { idArbitrary, identifierArbitrary } from './identifiers.ts';
import { sendOutcomeArbitrary } from './outcomes.ts';
import { recordOf } from './record-of.ts';

/** 24 hours, and a tenth of jitter. */
const longestWait = 26 * hour + 24 * minute;
/** How many attempts a delivery in each state has behind it. */
const attemptsIn: Readonly<Record<Delivery['state'], readonly [least: number, most: number]>> = {
  waiting: [0, mostAttempts - 1],
  held: [0, mostAttempts - 1],
  delivered: [1, mostAttempts],
  exhausted: [mostAttempts, mostAttempts],
  expired: [0, mostAttempts - 1],
};

/**
 * Deliveries as operators see them, with as many attempts as their state allows.
 * @example
 * fc.assert(fc.property(deliveryArbitrary({ state: 'exhausted' }), ({ attempts }) => attempts === mostAttempts));
 * @public
 */
export const deliveryArbitrary = (change: Partial<Delivery> = {}): fc.Arbitrary<Delivery> => {
  const states = Object.keys(attemptsIn) as Delivery['state'][];
  const standing = fc.constantFrom(...(change.state === undefined ? states : [change.state])).chain((state) => {
    const [min, max] = attemptsIn[state];
    return fc.integer({ min, max }).map((attempts) => ({ state, attempts }));
  });
  return fc
    .tuple(idArbitrary(), idArbitrary(), idArbitrary(), standing)
    .map(([id, eventId, endpointId, { state, attempts }]) => ({
      id,
      eventId,
      endpointId,
      state,
      attempts,
      ...change,
    }));
};

/**
 * What workers ask of a queue; the schedule is core's.
 * @example
 * fc.assert(fc.property(claimRequestArbitrary(), ({ lease }) => lease >= minute));
 * @public
 */
export const claimRequestArbitrary = (change: Partial<ClaimRequest> = {}): fc.Arbitrary<ClaimRequest> =>
  recordOf<ClaimRequest>(
    {
      worker: idArbitrary(),
      limit: fc.nat(100),
      perEndpoint: fc.integer({ min: 1, max: 16 }),
      perAccount: fc.integer({ min: 1, max: 64 }),
      lease: fc.integer({ min: minute, max: hour }),
      schedule: fc.constant(retrySchedule),
    },
    change,
  );

/**
 * Deliveries that a worker holds: event and endpoint are of one account, and the endpoint takes the event.
 * @example
 * fc.assert(fc.property(claimedDeliveryArbitrary(), ({ event, endpoint }) => endpoint.events.includes(event.type)));
 * @public
 */
export const claimedDeliveryArbitrary = (
  change: Partial<Omit<ClaimedDelivery, 'event' | 'endpoint'>> = {},
): fc.Arbitrary<ClaimedDelivery> =>
  recordOf<ClaimedDelivery>(
    {
      deliveryId: idArbitrary(),
      lease: identifierArbitrary(),
      attempt: fc.integer({ min: 1, max: mostAttempts }),
      event: stampedEventArbitrary(),
      endpoint: endpointArbitrary({ state: 'enabled' }),
    },
    change,
  ).map(({ endpoint, event, ...claim }) => {
    const events = endpoint.events.includes(event.type) ? endpoint.events : [...endpoint.events, event.type];
    return { ...claim, event, endpoint: { ...endpoint, accountId: event.accountId, events } };
  });

/** 429 and 503 may ask that the whole endpoint be left alone. */
const mayAsk = (outcome: SendOutcome): boolean =>
  outcome.kind === 'answered' && (outcome.status === 429 || outcome.status === 503) && outcome.retryAfter !== undefined;

/**
 * What workers report: `delivered` for a 2xx, and only then; `gone` for 410; else the next attempt in 5 seconds to 26.4 hours, or none.
 * @example
 * fc.assert(fc.property(settlementArbitrary(), ({ outcome, next }) => isDelivered(outcome) === (next === 'delivered')));
 * @public
 */
export const settlementArbitrary = (
  change: Partial<Omit<Settlement, 'outcome' | 'next'>> = {},
): fc.Arbitrary<Settlement> =>
  fc
    .tuple(
      idArbitrary(),
      identifierArbitrary(),
      sendOutcomeArbitrary(),
      fc.option(fc.integer({ min: 5 * second, max: longestWait }), { freq: 4 }),
      fc.integer({ min: second, max: day }),
    )
    .map(([deliveryId, lease, outcome, retryIn, pauseFor]) => {
      const failed = retryIn === null ? 'exhausted' : { retryIn };
      const gone = outcome.kind === 'answered' && outcome.status === 410;
      return {
        deliveryId,
        lease,
        outcome,
        next: isDelivered(outcome) ? 'delivered' : gone ? 'gone' : failed,
        ...(mayAsk(outcome) ? { pauseFor } : {}),
        ...change,
      };
    });
