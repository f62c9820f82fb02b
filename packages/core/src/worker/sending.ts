import { deliveryIdOf } from '../delivery-ports/delivery-id.ts';
import type { SendOutcome } from '../delivery-ports/sender.ts';
import { isHalfOpen, pausedUntil, updateHealth } from '../delivery-rules/breaker.ts';
import { type NextStep, nextStep } from '../delivery-rules/next-step.ts';
import type { Clock } from '../runtime/clock.ts';
import { fraction, type Random } from '../runtime/random.ts';
import { type DurationMs, type EpochMs, second } from '../runtime/time.ts';
import type { Observer } from '../signals/signal.ts';
import type { Attempts } from './attempt.ts';
import type { EndpointLane, LoadedDelivery } from './memory/in-hand.ts';
import type { Schedule } from './memory/schedule.ts';
import type { Settler } from './settler.ts';

/** After the deadline, the response body may be read for two more seconds; then the attempt is settled. */
const overdueGrace: DurationMs = 4 * second;

/** What {@link createSending} calls. @internal */
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
  readonly pauses: readonly DurationMs[];
  /** The rest of the lease: an attempt that could outlive it is not started. */
  readonly leaseLeft: () => DurationMs;
  /** Whether attempts may start. */
  readonly isOpen: () => boolean;
  /** Maximum number of outcomes that are not stored. */
  readonly maxUnsettled: number;
  /** An attempt started. */
  readonly onBegun: (delivery: LoadedDelivery) => void;
  /** The endpoint may not receive for now. */
  readonly onClosed: (lane: EndpointLane) => void;
  /** An attempt ended. */
  readonly onEnded: () => void;
}

/** Makes attempts. @internal */
export interface Sending {
  /** Starts attempts up to the limits. */
  fill(): void;
  /** The number of attempts started. */
  begun(): number;
  /** Maximum duration of an attempt; `giveUpOverdue` ends longer ones. */
  readonly longest: DurationMs;
  /** Ends attempts whose sender did not settle in time. */
  giveUpOverdue(): void;
}

interface InFlight {
  readonly delivery: LoadedDelivery;
  /** By the wall clock, for signals. */
  readonly startedAt: EpochMs;
  /** By the monotonic clock. */
  readonly since: number;
  /** When it was found overdue. */
  overdueAt: number | undefined;
}

/** Creates the sending of a session. @internal */
export const createSending = (deps: SendingDeps): Sending => {
  const { attempt, schedule, settler, clock, now, random, observe, deadline, retries, pauses } = deps;
  const { leaseLeft, isOpen, maxUnsettled, onBegun, onClosed, onEnded } = deps;
  const longest = deadline + overdueGrace;
  /** Oldest first. */
  const inFlight = new Set<InFlight>();
  const jitter = (): number => fraction(random);
  let begun = 0;

  const signal = (flight: InFlight, number: number, outcome: SendOutcome, next: NextStep): void => {
    const { delivery, startedAt } = flight;
    const { accountId, eventId, endpointId } = delivery;
    if (next.kind === 'out_of_reach') {
      observe?.({ kind: 'delivery_expired', accountId, endpointId, deliveries: 1, reason: 'out_of_reach' });
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
      durationMs: outcome.durationMs,
      outcome: outcome.kind === 'answered' ? outcome.status : outcome.reason,
      next: next.kind,
      ...(traceContext === undefined ? {} : { traceContext }),
    });
  };

  const updateLane = (lane: EndpointLane, outcome: SendOutcome, next: NextStep): void => {
    // Also while its shard is being left: the next owner reads the stored health.
    if (lane.endpoint.state !== 'enabled') return;
    const before = lane.health;
    if (before === undefined && next.kind === 'delivered') return;
    const { health, change } = updateHealth(before, outcome, next, now(), pauses);
    lane.health = health;
    if (health !== before || change) settler.noteHealth(lane, change);
    const isDisabled = change?.kind === 'endpoint_disabled';
    if (isDisabled) lane.endpoint = { ...lane.endpoint, state: 'disabled_by_breaker' };
    if (isDisabled || isHalfOpen(health) || (health && pausedUntil(health) > now())) onClosed(lane);
  };

  /** An attempt that is given up has taken as long. */
  const hasTimedOut = (outcome: SendOutcome): boolean =>
    outcome.kind === 'failed' && (outcome.reason === 'timeout' || outcome.durationMs >= deadline);

  const finish = (flight: InFlight, outcome: SendOutcome): void => {
    // Ignore the outcome of an attempt that was given up.
    if (!inFlight.delete(flight)) return;
    const { delivery } = flight;
    const { lane } = delivery;
    const number = delivery.attempts + 1;
    const next = nextStep(number, outcome, { jitter, now: clock.now(), schedule: retries });
    updateLane(lane, outcome, next);
    schedule.complete(lane, hasTimedOut(outcome));
    if (observe) signal(flight, number, outcome, next);
    fill();
    settler.add(delivery, outcome, next);
    onEnded();
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

  const signalAbandoned = (delivery: LoadedDelivery): void => {
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
      durationMs: 0,
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
        // After the process was suspended, responses that arrived meanwhile get one second to be read.
        flight.overdueAt ??= now();
        if (now() - flight.overdueAt >= second) finish(flight, attempt.giveUp());
      }
    },
  };
};
