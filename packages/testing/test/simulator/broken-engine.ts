import type { EventType } from '@partnerkit/core';
import { type availableCapacity, readHealth } from '../../../core/src/delivery-rules/breaker.ts';
import type { nextStep } from '../../../core/src/delivery-rules/next-step.ts';
import type { aheadByMs } from '../../../core/src/delivery-rules/timestamp.ts';
import type { envelopeText } from '../../../core/src/events/envelope.ts';
import type { createAttempt } from '../../../core/src/worker/attempt.ts';
import type { createHeartbeat } from '../../../core/src/worker/membership.ts';
import type { createLanes, matchingLanes } from '../../../core/src/worker/memory/lanes.ts';
import type { createSchedule } from '../../../core/src/worker/memory/schedule.ts';
import type { createWatermark } from '../../../core/src/worker/memory/watermark.ts';
import type { createOutbox } from '../../../core/src/worker/outbox.ts';
import type { createOwnership } from '../../../core/src/worker/ownership.ts';
import type { planDispatch } from '../../../core/src/worker/plan-dispatch.ts';
import type { createReading } from '../../../core/src/worker/reading.ts';
import type { createSending } from '../../../core/src/worker/sending.ts';
import type { createSettler } from '../../../core/src/worker/settler.ts';
import * as attempts from '../../src/simulator/laws/attempts.ts';
import * as breaker from '../../src/simulator/laws/breaker.ts';
import * as capacity from '../../src/simulator/laws/capacity.ts';
import * as copies from '../../src/simulator/laws/copies.ts';
import type { Law } from '../../src/simulator/laws/facts.ts';
import * as fairness from '../../src/simulator/laws/fairness.ts';
import * as ownership from '../../src/simulator/laws/ownership.ts';
import * as publishing from '../../src/simulator/laws/publishing.ts';
import * as seconds from '../../src/simulator/laws/seconds.ts';
import * as secrets from '../../src/simulator/laws/secrets.ts';
import * as takeover from '../../src/simulator/laws/takeover.ts';
import type { Kind } from './expect-to-be-found.ts';
import { serveOneFirst } from './serve-one-first.ts';

/** The parts of the engine that are broken, by their names. */
interface Engine {
  readonly createAttempt: typeof createAttempt;
  readonly createHeartbeat: typeof createHeartbeat;
  readonly createLanes: typeof createLanes;
  readonly createWatermark: typeof createWatermark;
  readonly createOutbox: typeof createOutbox;
  readonly createOwnership: typeof createOwnership;
  readonly createReading: typeof createReading;
  readonly createSchedule: typeof createSchedule;
  readonly createSending: typeof createSending;
  readonly createSettler: typeof createSettler;
  readonly planDispatch: typeof planDispatch;
  readonly availableCapacity: typeof availableCapacity;
  readonly aheadByMs: typeof aheadByMs;
  readonly envelopeText: typeof envelopeText;
  readonly matchingLanes: typeof matchingLanes;
  readonly nextStep: typeof nextStep;
}

/** An engine with one thing wrong, and a law that it breaks. */
export interface BrokenEngine {
  readonly how: string;
  readonly law: Law;
  readonly kind?: Kind;
  readonly break: (engine: Engine) => Partial<Engine>;
}

export const brokenEngines: readonly BrokenEngine[] = [
  {
    how: 'attempts begin though the lease does not outlive them (rule 1)',
    law: ownership.leaseOutlivesAttempts,
    kind: 'stalls',
    break: ({ createSending }) => ({
      createSending: (deps) => createSending({ ...deps, leaseLeft: () => Number.POSITIVE_INFINITY }),
    }),
  },
  {
    how: 'attempts of a worker that lost its lease go on while its successor sends (rule 1)',
    law: ownership.attemptsEndBeforeHandover,
    kind: 'stalls',
    break: ({ createSending }) => ({
      createSending: (deps) => createSending({ ...deps, leaseLeft: () => Number.POSITIVE_INFINITY }),
    }),
  },
  {
    how: 'shards are released while their attempts are in flight (rule 2)',
    law: ownership.attemptsEndBeforeHandover,
    kind: 'moves',
    break: ({ createOwnership }) => ({ createOwnership: (deps) => createOwnership({ ...deps, isInUse: () => false }) }),
  },
  {
    how: 'shards join and leave while rows of a read are processed (rule 2)',
    law: ownership.writesToOwnShards,
    kind: 'moves',
    break: ({ createOwnership, createOutbox }) => {
      const balances = new Map<string, () => Promise<void>>();
      return {
        createOwnership: (deps) => {
          const owned = createOwnership(deps);
          balances.set(deps.workerId, owned.balance);
          return { ...owned, balance: async () => (owned.served().length > 0 ? undefined : owned.balance()) };
        },
        createOutbox: (deps) =>
          createOutbox({
            ...deps,
            load: async (accountIds) => {
              await balances.get(deps.workerId)?.();
              return deps.load(accountIds);
            },
          }),
      };
    },
  },
  {
    how: 'a heartbeat settles shards that are not served yet (rule 3)',
    law: ownership.watermarksAreTrue,
    kind: 'moves',
    break: ({ createHeartbeat }) => ({
      createHeartbeat: (deps) =>
        createHeartbeat({
          ...deps,
          watermark: () => ({ ...deps.watermark(), shards: Array.from({ length: 128 }, (_, shard) => shard) }),
        }),
    }),
  },
  {
    how: 'a watermark is raised while a delivery is open (rule 4)',
    law: ownership.watermarksAreTrue,
    kind: 'floods',
    break: ({ createWatermark }) => ({
      createWatermark: () => {
        const watermark = createWatermark();
        let seen = 0;
        return {
          ...watermark,
          observe: (now) => {
            seen = Math.max(seen, now);
            watermark.observe(now);
          },
          settledTo: () => seen,
        };
      },
    }),
  },
  {
    how: 'events are dispatched before the watermark, by a clock that was set back (rule 4)',
    law: ownership.watermarksAreTrue,
    kind: 'moves',
    break: ({ createOutbox }) => ({
      createOutbox: (deps) =>
        createOutbox({
          ...deps,
          store: {
            ...deps.store,
            stamp: (workerId, events, pending) => deps.store.stamp(workerId, events, pending, 0),
          },
        }),
    }),
  },
  {
    how: 'a successor does not find what its predecessor logged (rule 5)',
    law: attempts.logTellsAttempts,
    break: ({ createReading }) => ({
      createReading: (deps) =>
        createReading({
          ...deps,
          store: {
            ...deps.store,
            readDue: async (...args) => {
              const read = await deps.store.readDue(...args);
              return { ...read, deliveries: read.deliveries.map((each) => ({ ...each, logged: 0 })) };
            },
          },
        }),
    }),
  },
  {
    how: 'an attempt is settled before it was sent',
    law: attempts.logTellsAttempts,
    break: ({ createAttempt }) => ({
      createAttempt: (deps) => {
        const attempt = createAttempt(deps);
        return {
          ...attempt,
          make: async (delivery) => {
            void attempt.make(delivery);
            return { kind: 'answered', status: 200, body: '', durationMs: 0 };
          },
        };
      },
    }),
  },
  {
    how: 'a worker that was fenced goes on',
    law: attempts.attemptsNeverOverlap,
    break: ({ createHeartbeat, createOutbox, createSending }) => ({
      createHeartbeat: (deps) => createHeartbeat({ ...deps, onFenced: () => undefined }),
      createOutbox: (deps) => createOutbox({ ...deps, onFenced: () => undefined }),
      createSending: (deps) => createSending({ ...deps, leaseLeft: () => Number.POSITIVE_INFINITY }),
    }),
  },
  {
    how: 'an endpoint gets twice its share',
    law: capacity.endpointCap,
    kind: 'floods',
    break: ({ createSchedule }) => ({
      createSchedule: (deps) => createSchedule({ ...deps, perEndpoint: 2 * deps.perEndpoint }),
    }),
  },
  {
    how: 'an account gets the share of all',
    law: capacity.workerCap,
    kind: 'floods',
    break: ({ createSchedule }) => ({
      createSchedule: (deps) => createSchedule({ ...deps, perAccount: deps.concurrency }),
    }),
  },
  {
    how: 'an account waits until the backlog of another is sent',
    law: fairness.accountsTakeTurns,
    kind: 'crowds',
    break: ({ createSchedule }) => ({ createSchedule: serveOneFirst(createSchedule, 'accountId') }),
  },
  {
    how: 'an endpoint waits until the backlog of another one of its account is sent',
    law: fairness.endpointsTakeTurns,
    kind: 'crowds',
    break: ({ createSchedule }) => ({ createSchedule: serveOneFirst(createSchedule, 'endpointId') }),
  },
  {
    how: 'outcomes that were given up count as stored',
    law: ownership.watermarksAreTrue,
    kind: 'outages',
    break: ({ createSettler }) => ({
      createSettler: (deps) => createSettler({ ...deps, onDone: (delivery) => deps.onDone(delivery, true) }),
    }),
  },
  {
    how: 'test events of a child are copied to its parent',
    law: copies.parentsGetCopies,
    kind: 'families',
    break: ({ planDispatch }) => ({
      planDispatch: (input) => {
        const plan = planDispatch(input);
        const events = plan.events.map((each) => ({ ...each, propagates: each.event.origin === undefined }));
        return { ...plan, events };
      },
    }),
  },
  {
    how: 'a read of endpoints overwrites newer health',
    law: breaker.openBreakerSendsNothing,
    kind: 'changes',
    break: ({ createLanes }) => ({
      createLanes: (deps) => {
        const lanes = createLanes(deps);
        return {
          ...lanes,
          learn: (accountIds, state, endpoints, isExact) => {
            lanes.learn(accountIds, state, endpoints, isExact);
            for (const { endpoint, health } of endpoints)
              for (const lane of lanes.get(endpoint.accountId)?.lanes ?? [])
                if (lane.endpoint.id === endpoint.id) lane.health = readHealth(health, deps.now());
          },
        };
      },
    }),
  },
  {
    how: 'a retry is attempted early',
    law: attempts.neverEarly,
    break: ({ nextStep }) => ({
      nextStep: (...args) => {
        const next = nextStep(...args);
        return { ...next, retryIn: next.retryIn * 0.9 };
      },
    }),
  },
  {
    how: 'a delivery is exhausted one attempt early',
    law: attempts.tenAttempts,
    kind: 'retries',
    break: ({ nextStep }) => ({ nextStep: (attempt, ...rest) => nextStep(attempt + 1, ...rest) }),
  },
  {
    how: 'the body is encoded anew for a retry',
    law: publishing.sameBytes,
    break: ({ envelopeText }) => {
      const sent = new Set<string>();
      return {
        envelopeText: (...args) => {
          const text = envelopeText(...args);
          if (!sent.has(text)) {
            sent.add(text);
            return text;
          }
          return JSON.stringify(JSON.parse(text), undefined, 1);
        },
      };
    },
  },
  {
    how: 'a half-open breaker lets all attempts through',
    law: breaker.probesGoAlone,
    kind: 'retries',
    break: ({ availableCapacity }) => ({
      availableCapacity: (health, ...rest) => availableCapacity(health && { ...health, openCount: 0 }, ...rest),
    }),
  },
  {
    how: 'with an urgent delivery, the others are sent while the breaker is open',
    law: breaker.openBreakerSendsNothing,
    kind: 'pauses',
    break: ({ createReading }) => ({
      createReading: (deps) =>
        createReading({
          ...deps,
          accepts: deps.acceptsUrgent,
          schedule: { ...deps.schedule, add: (delivery) => deps.schedule.add({ ...delivery, isUrgent: true }) },
        }),
    }),
  },
  {
    how: 'a receiver that asks to be left alone is sent to',
    law: breaker.retryAfterIsHeard,
    break: ({ nextStep }) => ({
      nextStep: (...args) => {
        const { pauseFor: _forgotten, ...next } = nextStep(...args);
        return next;
      },
    }),
  },
  {
    how: 'an endpoint is sent what it did not select',
    law: publishing.eventsReachTheirEndpoints,
    break: () => ({
      matchingLanes: ({ lanes }) => lanes.filter(({ endpoint }) => endpoint.state !== 'disabled'),
    }),
  },
  {
    how: 'deliveries do not wait for their second',
    law: seconds.neverAheadOfTheClock,
    kind: 'bursts',
    break: () => ({ aheadByMs: () => 0 }),
  },
  {
    how: 'a pair selects events of that type of every object',
    law: publishing.eventsReachTheirEndpoints,
    break: ({ matchingLanes }) => ({
      matchingLanes: (account, event) => {
        const blurred = account.lanes.map((lane) => {
          const events = lane.endpoint.events.map((each) => each.split('.').at(-1) as EventType);
          return { ...lane, endpoint: { ...lane.endpoint, events } };
        });
        const ids = matchingLanes({ ...account, lanes: blurred }, event).map(({ endpoint }) => endpoint.id);
        return account.lanes.filter(({ endpoint }) => ids.includes(endpoint.id));
      },
    }),
  },
  {
    how: 'changes of endpoints are not looked at',
    law: secrets.onlyEnabledAreSent,
    break: ({ createLanes }) => ({
      createLanes: (deps) => ({ ...createLanes(deps), observe: () => false }),
    }),
  },
  {
    how: 'stop() does not wait for what is in flight',
    law: takeover.stopLosesNothing,
    break: ({ createSchedule }) => ({ createSchedule: (deps) => ({ ...createSchedule(deps), inFlight: () => 0 }) }),
  },
];
