import type { Clock } from '../runtime/clock.ts';
import { fraction, type Random } from '../runtime/random.ts';
import { type DurationMs, type EpochMs, second } from '../runtime/time.ts';
import type { Observer } from '../signals/signal.ts';
import type { Attempts } from './attempt.ts';
import { deliveryIdOf } from './delivery-id.ts';
import { isHalfOpen, pausedUntil, updateHealth } from './health.ts';
import type { DeliveryInHand, EndpointLane } from './in-hand.ts';
import { type NextStep, nextStep } from './next-step.ts';
import type { Schedule } from './schedule.ts';
import type { SendOutcome } from './sender.ts';
import type { Settler } from './settler.ts';

/** After the deadline an answer's body may still be read for two seconds; then the attempt is settled. */
const grace: DurationMs = 4 * second;

/** @internal */
export interface SendingDeps {
  readonly attempt: Attempts;
  readonly schedule: Schedule;
  readonly settler: Settler;
  readonly clock: Clock;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  readonly random: Random;
  readonly observe: Observer | undefined;
  readonly deadline: DurationMs;
  readonly retries: readonly DurationMs[];
  /** No attempt may begin that could outlive the lease. */
  readonly leaseLeft: () => DurationMs;
  /** Attempts may begin. */
  readonly isOpen: () => boolean;
  readonly maxUnsettled: number;
  readonly onBegun: (delivery: DeliveryInHand) => void;
  /** The endpoint may not be sent to for now. */
  readonly onClosed: (lane: EndpointLane) => void;
  /** An attempt ended. */
  readonly onLanded: () => void;
}

/** @internal */
export interface Sending {
  /** Begins as many attempts as may be in flight. */
  fill(): void;
  /** How many attempts have begun. */
  begun(): number;
  /** No attempt takes longer than this: one that does is given up by `giveUpOverdue`. */
  readonly longest: DurationMs;
  giveUpOverdue(): void;
}

interface InFlight {
  readonly delivery: DeliveryInHand;
  /** By the wall clock, for signals. */
  readonly startedAt: EpochMs;
  /** By the monotonic clock. */
  readonly since: number;
  /** When it was found that it takes too long. */
  overdueAt: number | undefined;
}

/** @internal */
export const createSending = (deps: SendingDeps): Sending => {
  const { attempt, schedule, settler, clock, now, random, observe, deadline, retries } = deps;
  const { leaseLeft, isOpen, maxUnsettled, onBegun, onClosed, onLanded } = deps;
  const longest = deadline + grace;
  /** The oldest first. */
  const inFlight = new Set<InFlight>();
  const jitter = (): number => fraction(random);
  let begun = 0;

  const signal = (flight: InFlight, number: number, outcome: SendOutcome, next: NextStep): void => {
    const { delivery, startedAt } = flight;
    const { accountId, eventId, endpointId } = delivery;
    if (next.kind === 'out_of_reach') {
      observe?.({ kind: 'delivery_expired', accountId, endpointId, deliveries: 1, why: 'out_of_reach' });
      return;
    }
    const { traceContext } = delivery.event.event;
    observe?.({
      kind: 'attempt',
      accountId,
      eventId,
      deliveryId: deliveryIdOf(delivery),
      endpointId,
      attempt: number,
      startedAt,
      took: outcome.took,
      outcome: outcome.kind === 'answered' ? outcome.status : outcome.reason,
      next: next.kind,
      ...(traceContext === undefined ? {} : { traceContext }),
    });
  };

  const updateLane = (lane: EndpointLane, outcome: SendOutcome, next: NextStep): void => {
    // Also while its shard is handed over: the next owner reads what is stored.
    if (lane.endpoint.state !== 'enabled') return;
    const before = lane.health;
    if (before === undefined && next.kind === 'delivered') return;
    const { health, change } = updateHealth(before, outcome, next, now());
    lane.health = health;
    if (health !== before || change) settler.noteHealth(lane, change);
    const isDisabled = change?.kind === 'endpoint_disabled';
    if (isDisabled) lane.endpoint = { ...lane.endpoint, state: 'disabled_by_breaker' };
    if (isDisabled || isHalfOpen(health) || (health && pausedUntil(health) > now())) onClosed(lane);
  };

  const finish = (flight: InFlight, outcome: SendOutcome): void => {
    // Once for each attempt: what comes after it was given up comes too late.
    if (!inFlight.delete(flight)) return;
    const { delivery } = flight;
    const { lane } = delivery;
    const number = delivery.attempts + 1;
    const next = nextStep(number, outcome, jitter, clock.now(), retries);
    updateLane(lane, outcome, next);
    schedule.land(lane);
    if (observe) signal(flight, number, outcome, next);
    fill();
    settler.add(delivery, outcome, next);
    onLanded();
  };

  const send = async (flight: InFlight): Promise<void> => finish(flight, await attempt.make(flight.delivery));

  const fill = (): void => {
    while (isOpen() && settler.unsettled() < maxUnsettled && leaseLeft() >= deadline) {
      const delivery = schedule.next();
      if (!delivery) return;
      begun++;
      onBegun(delivery);
      if (delivery.wasAbandoned) signalAbandoned(delivery);
      const flight: InFlight = { delivery, startedAt: clock.now(), since: now(), overdueAt: undefined };
      inFlight.add(flight);
      void send(flight);
    }
  };

  const signalAbandoned = (delivery: DeliveryInHand): void => {
    if (!observe) return;
    const { accountId, eventId, endpointId, attempts } = delivery;
    const { traceContext } = delivery.event.event;
    observe({
      kind: 'attempt',
      accountId,
      eventId,
      deliveryId: deliveryIdOf(delivery),
      endpointId,
      attempt: attempts + 1,
      startedAt: clock.now(),
      took: 0,
      outcome: 'abandoned',
      next: 'retry',
      ...(traceContext === undefined ? {} : { traceContext }),
    });
  };

  return {
    fill,
    begun: () => begun,
    longest,
    giveUpOverdue: () => {
      const before = now() - longest;
      for (const flight of inFlight) {
        if (flight.since > before) return;
        // After a suspension this runs before the answers that arrived meanwhile are read: they have a second.
        flight.overdueAt ??= now();
        if (now() - flight.overdueAt >= second) finish(flight, attempt.giveUp());
      }
    },
  };
};
