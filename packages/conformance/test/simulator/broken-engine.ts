import { readHealth } from '../../../core/src/webhooks/delivery-rules/breaker.ts';
import { envelopeText } from '../../../core/src/webhooks/envelope/envelope.ts';
import type { EndpointLane } from '../../../core/src/webhooks/worker/memory/lane.ts';
import * as attempts from '../../src/simulator/laws/attempts.ts';
import * as breaker from '../../src/simulator/laws/breaker.ts';
import * as capacity from '../../src/simulator/laws/capacity.ts';
import * as copies from '../../src/simulator/laws/copies.ts';
import type { Law } from '../../src/simulator/laws/facts.ts';
import * as fairness from '../../src/simulator/laws/fairness.ts';
import * as ownership from '../../src/simulator/laws/ownership.ts';
import * as publishing from '../../src/simulator/laws/publishing.ts';
import * as secrets from '../../src/simulator/laws/secrets.ts';
import * as takeover from '../../src/simulator/laws/takeover.ts';
import * as seconds from '../../src/simulator/laws/timestamps.ts';
import {
  type Break,
  breakMemory,
  breakOptions,
  breakPlan,
  breakRules,
  breakSteps,
  type PlanInput,
  replace,
  withDeliveries,
} from './break-engine.ts';
import type { Kind } from './expect-to-be-found.ts';
import { serveOneFirst } from './serve-one-first.ts';

/** An engine with one thing wrong, and a law that it breaks. */
export interface BrokenEngine {
  readonly how: string;
  readonly law: Law;
  readonly kind?: Kind;
  readonly break: Break;
}

const startsWithoutLease = breakRules(() => ({ mayStart: () => true }));

/** What an endpoint selects instead of `events`. */
type Select = (events: readonly string[], input: PlanInput) => readonly string[];

/** Plans with endpoints that select other events. */
const selecting = (select: Select, input: PlanInput): PlanInput => {
  const seen = new Map<EndpointLane, EndpointLane>();
  const other = (lane: EndpointLane): EndpointLane => {
    const { endpoint } = lane;
    const known =
      seen.get(lane) ??
      Object.create(lane, { endpoint: { value: { ...endpoint, events: select(endpoint.events, input) } } });
    seen.set(lane, known);
    return known;
  };
  return {
    ...input,
    lanesOf: (accountId) => input.lanesOf(accountId).map(other),
    accepts: (lane, planned) => input.accepts(Object.getPrototypeOf(lane), planned),
  };
};

/** An engine whose endpoints receive what these others would. */
const breakSelection = (select: Select): Break =>
  breakPlan((plan, input) => {
    const made = plan(selecting(select, input));
    return {
      ...made,
      queued: made.queued.map((lane) => Object.getPrototypeOf(lane)),
      ready: made.ready.map((each) => ({ ...each, lanes: each.lanes.map((lane) => Object.getPrototypeOf(lane)) })),
    };
  });

export const brokenEngines: readonly BrokenEngine[] = [
  {
    how: 'attempts begin though the lease does not outlive them (rule 1)',
    law: ownership.leaseOutlivesAttempts,
    kind: 'stalls',
    break: startsWithoutLease,
  },
  {
    how: 'attempts of a worker that lost its lease go on while its successor sends (rule 1)',
    law: ownership.attemptsEndBeforeHandover,
    kind: 'stalls',
    break: startsWithoutLease,
  },
  {
    how: 'shards are released while their attempts are in flight (rule 2)',
    law: ownership.attemptsEndBeforeHandover,
    kind: 'moves',
    break: breakMemory(({ shards }) => {
      replace(shards, () => ({ use: () => undefined, unuse: () => undefined }));
    }),
  },
  {
    how: 'shards join and leave while rows of a read are processed (rule 2)',
    law: ownership.writesToOwnShards,
    kind: 'moves',
    break: breakSteps(({ acquire, recover, release, storeDispatch }) => ({
      acquire: async (context) => (context.memory.shards.served().length > 0 ? { did: 0 } : acquire(context)),
      storeDispatch: async (context, page) => {
        for (const step of [acquire, recover, release]) await step(context);
        return storeDispatch(context, page);
      },
    })),
  },
  {
    how: 'a heartbeat settles shards that are not served yet (rule 3)',
    law: ownership.watermarksAreTrue,
    kind: 'moves',
    break: breakSteps(({ heartbeat }) => ({
      heartbeat: (context, beat) => {
        const { shards } = context.memory;
        const all = { ...shards, served: () => Array.from({ length: 128 }, (_, shard) => shard) };
        return heartbeat({ ...context, memory: { ...context.memory, shards: all } }, beat);
      },
    })),
  },
  {
    how: 'a watermark is raised while a delivery is open (rule 4)',
    law: ownership.watermarksAreTrue,
    kind: 'floods',
    break: breakMemory(({ watermark }) => {
      let seen = 0;
      replace(watermark, ({ observe }) => ({
        observe: (now) => {
          seen = Math.max(seen, now);
          observe(now);
        },
        value: () => seen,
      }));
    }),
  },
  {
    how: 'events are dispatched before the watermark, by a clock that was set back (rule 4)',
    law: ownership.watermarksAreTrue,
    kind: 'moves',
    break: breakSteps(({ storeDispatch }) => ({
      storeDispatch: (context, page) =>
        storeDispatch(
          withDeliveries(context, ({ dispatch }) => ({
            dispatch: (workerId, events, pending) => dispatch(workerId, events, pending, 0),
          })),
          page,
        ),
    })),
  },
  {
    how: 'a successor does not find what its predecessor logged (rule 5)',
    law: attempts.logTellsAttempts,
    break: breakSteps(({ keepDue }) => ({
      keepDue: (context, deliveries) =>
        keepDue(
          context,
          deliveries.map((each) => ({ ...each, logged: 0 })),
        ),
    })),
  },
  {
    how: 'an attempt is settled before it was sent',
    law: attempts.logTellsAttempts,
    break: breakSteps(({ send }) => ({
      send: async (context, flight) => {
        void send(context, flight);
        return { kind: 'answered', status: 200, body: '', durationMs: 0 };
      },
    })),
  },
  {
    how: 'a heartbeat compares shards that were released meanwhile',
    law: ownership.nothingIsMissed,
    kind: 'moves',
    break: breakMemory(({ shards }) => replace(shards, () => ({ change: () => undefined }))),
  },
  {
    how: 'a heartbeat compares settlements that were confirmed meanwhile',
    law: ownership.nothingIsMissed,
    break: breakMemory(({ unsettled }) =>
      replace(unsettled, ({ batch }) => ({ confirmed: () => (unsettled.isEmpty() ? 0 : batch().settlement.number) })),
    ),
  },
  {
    how: 'a worker that was fenced goes on',
    law: attempts.attemptsNeverOverlap,
    break: (engine) => ({
      ...startsWithoutLease(engine),
      ...breakSteps(({ heartbeat, storeDispatch }) => ({
        heartbeat: async (...args) => {
          const renewed = await heartbeat(...args);
          return renewed === 'fenced' ? 'unavailable' : renewed;
        },
        storeDispatch: async (...args) => {
          const stored = await storeDispatch(...args);
          return stored === 'fenced' ? 'unavailable' : stored;
        },
      }))(engine),
    }),
  },
  {
    how: 'an endpoint gets twice its share',
    law: capacity.endpointCap,
    kind: 'floods',
    break: breakOptions(({ perEndpoint }) => ({ perEndpoint: 2 * perEndpoint })),
  },
  {
    how: 'an account gets the share of all',
    law: capacity.workerCap,
    kind: 'floods',
    break: breakOptions(({ concurrency }) => ({ perAccount: concurrency })),
  },
  {
    how: 'an account waits until the backlog of another is sent',
    law: fairness.accountsTakeTurns,
    kind: 'crowds',
    break: breakMemory(({ schedule }) => replace(schedule, (before) => serveOneFirst(before, 'accountId'))),
  },
  {
    how: 'an endpoint waits until the backlog of another one of its account is sent',
    law: fairness.endpointsTakeTurns,
    kind: 'crowds',
    break: breakMemory(({ schedule }) => replace(schedule, (before) => serveOneFirst(before, 'endpointId'))),
  },
  {
    how: 'outcomes that were given up count as stored',
    law: ownership.watermarksAreTrue,
    kind: 'outages',
    break: breakMemory((memory) => replace(memory, ({ settled }) => ({ settled: () => settled(true) }))),
  },
  {
    how: 'test events of a child are copied to its parent',
    law: copies.parentsGetCopies,
    kind: 'families',
    break: breakPlan((plan, input) => {
      const made = plan(input);
      const events = made.events.map((each) => ({ ...each, propagates: each.event.origin === undefined }));
      return { ...made, events };
    }),
  },
  {
    how: 'a read of endpoints overwrites newer health',
    law: breaker.openBreakerSendsNothing,
    kind: 'changes',
    break: breakMemory((memory, { now }) => {
      replace(memory, ({ accounts, learn }) => ({
        learn: (accountIds, read, isExact) => {
          learn(accountIds, read, isExact);
          for (const { endpoint, health } of read.endpoints) {
            const lane = accounts.laneOf(endpoint.accountId, endpoint.id);
            if (lane) accounts.setHealth(lane, readHealth(health, now()), false);
          }
        },
      }));
    }),
  },
  {
    how: 'a retry is attempted early',
    law: attempts.neverEarly,
    break: breakRules(({ nextStep }) => ({
      nextStep: (...args) => {
        const next = nextStep(...args);
        return { ...next, retryIn: next.retryIn * 0.9 };
      },
    })),
  },
  {
    how: 'a delivery is exhausted one attempt early',
    law: attempts.tenAttempts,
    kind: 'retries',
    break: breakRules(({ nextStep }) => ({ nextStep: (attempt, ...rest) => nextStep(attempt + 1, ...rest) })),
  },
  {
    how: 'the body is encoded anew for a retry',
    law: publishing.sameBytes,
    break: breakSteps(({ send }) => ({
      send: (context, flight) => {
        const { attempts: made, event } = flight.delivery;
        const text = envelopeText(event.timestamp, event.event.bodyTail);
        event.body = made === 0 ? text : JSON.stringify(JSON.parse(text), undefined, 1);
        return send(context, flight);
      },
    })),
  },
  {
    how: 'a half-open breaker lets all attempts through',
    law: breaker.probesGoAlone,
    kind: 'retries',
    break: breakRules(({ availableCapacity }) => ({
      availableCapacity: (health, load) => availableCapacity(health && { ...health, openCount: 0 }, load),
    })),
  },
  {
    how: 'with an urgent delivery, the others are sent while the breaker is open',
    law: breaker.openBreakerSendsNothing,
    kind: 'pauses',
    break: breakRules(({ availableCapacity }) => ({
      availableCapacity: (health, load) => availableCapacity(health, { ...load, isUrgent: true }),
    })),
  },
  {
    how: 'a receiver that asks to be left alone is sent to',
    law: breaker.retryAfterIsHeard,
    break: breakRules(({ nextStep }) => ({
      nextStep: (...args) => {
        const { pauseFor: _forgotten, ...next } = nextStep(...args);
        return next;
      },
    })),
  },
  {
    how: 'an endpoint is sent what it did not select',
    law: publishing.eventsReachTheirEndpoints,
    break: breakSelection((_, { events }) => events.map(({ type }) => type)),
  },
  {
    how: 'deliveries do not wait for their timestamp',
    law: seconds.neverAheadOfTheClock,
    kind: 'bursts',
    break: breakPlan((plan, input) => {
      const made = plan(input);
      const ready = made.events
        .filter(({ event }) => made.ahead.some(({ eventId }) => eventId === event.id))
        .map(({ event, timestamp, endpointIds }) => ({
          ...{ event, timestamp },
          lanes: input.lanesOf(event.accountId).filter(({ endpoint }) => endpointIds.includes(endpoint.id)),
        }));
      const pending = made.pending.filter(({ eventId }) => !ready.some(({ event }) => event.id === eventId));
      return { ...made, pending, ready: [...made.ready, ...ready] };
    }),
  },
  {
    how: 'a pair selects events of that type of every object',
    law: publishing.eventsReachTheirEndpoints,
    break: breakSelection((events) => events.map((each) => each.split('.').at(-1) ?? '')),
  },
  {
    how: 'changes of endpoints are not looked at',
    law: secrets.onlyEnabledAreSent,
    break: breakMemory(({ accounts }) => replace(accounts, () => ({ observe: () => false }))),
  },
  {
    how: 'stop() does not wait for what is in flight',
    law: takeover.stopLosesNothing,
    break: breakMemory((memory) => {
      replace(memory, ({ schedule }) => ({ schedule: { ...schedule, inFlight: () => 0 } }));
    }),
  },
];
