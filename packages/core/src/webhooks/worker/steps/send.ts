import { fraction } from '../../../base/runtime/random.ts';
import type { Signal } from '../../../base/signals/signal.ts';
import { deliveryIdOf } from '../../deliveries/delivery-id.ts';
import type { SendOutcome } from '../../deliveries/sender.ts';
import type { NextStep } from '../../delivery-rules/next-step.ts';
import type { Flight } from '../memory/flights.ts';
import type { LoadedDelivery } from '../memory/lane.ts';
import type { StepContext } from './step.ts';

type AttemptSignal = Extract<Signal, { readonly kind: 'attempt' }>;

const attemptSignal = (
  delivery: LoadedDelivery,
  details: Pick<AttemptSignal, 'startedAt' | 'durationMs' | 'outcome' | 'next'>,
): Signal => {
  const { accountId, eventId, endpointId, attempts } = delivery;
  const { traceContext } = delivery.event.event;
  return {
    ...{ kind: 'attempt', accountId, eventId, deliveryId: deliveryIdOf(delivery), endpointId, attempt: attempts + 1 },
    ...details,
    ...(traceContext === undefined ? {} : { traceContext }),
  };
};

const signalOf = ({ delivery, startedAt }: Flight, outcome: SendOutcome, { kind }: NextStep): Signal => {
  const { accountId, endpointId } = delivery;
  if (kind === 'out_of_reach')
    return { kind: 'delivery_expired', accountId, endpointId, deliveries: 1, reason: 'out_of_reach' };
  const answer = outcome.kind === 'answered' ? outcome.status : outcome.reason;
  return attemptSignal(delivery, { startedAt, durationMs: outcome.durationMs, outcome: answer, next: kind });
};

/** Starts the next attempt, if limits and lease allow one. */
export const startAttempt = ({ memory, rules, clock, deadline, observe }: StepContext): Flight | undefined => {
  if (!memory.hasRoomForOutcomes() || !rules.mayStart(memory.shards.leaseLeft(), deadline)) return undefined;
  const flight = memory.take(clock.now);
  if (flight?.delivery.wasAbandoned)
    observe?.(
      attemptSignal(flight.delivery, {
        startedAt: flight.startedAt,
        durationMs: 0,
        outcome: 'abandoned',
        next: 'retry',
      }),
    );
  return flight;
};

/** Decides what follows an attempt. Ignores an attempt that was given up before. */
export const endAttempt = (context: StepContext, flight: Flight, outcome: SendOutcome): void => {
  const { memory, rules, clock, random, retries, observe } = context;
  if (!memory.flights.end(flight)) return;
  const next = rules.nextStep(flight.delivery.attempts + 1, outcome, {
    jitter: () => fraction(random),
    now: clock.now(),
    schedule: retries,
  });
  memory.complete(flight, outcome, next);
  if (observe) observe(signalOf(flight, outcome, next));
};

/** Makes an attempt. Never rejects. */
export const send = ({ attempts }: StepContext, { delivery }: Flight): Promise<SendOutcome> => attempts.make(delivery);

/** Ends attempts whose sender did not settle in time. */
export const giveUpOverdue = (context: StepContext): void => {
  for (const flight of context.memory.flights.overdue())
    endAttempt(context, flight, context.attempts.giveUp(flight.delivery));
};
