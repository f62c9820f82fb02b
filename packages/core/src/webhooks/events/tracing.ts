import type { Clock } from '../../base/runtime/clock.ts';
import type { Observer } from '../../base/signals/listener.ts';
import type { Signal } from '../../base/signals/signal.ts';
import type { NewEvent } from './event.ts';
import type { Published, PublishFailure } from './published.ts';

/** Bounded, because a trace context is stored with its event. A `traceparent` has 55 characters. */
const usable = /^[\x20-\x7e]{1,512}$/;

/** A wrong or failing trace context must not stop an event from being published. */
const contextOf = (traceContext: () => unknown): string | undefined => {
  try {
    const context = traceContext();
    return typeof context === 'string' && usable.test(context) ? context : undefined;
  } catch {
    return undefined;
  }
};

/** The events, each with its trace context. */
export const inTraces = (
  events: readonly NewEvent[],
  traceContext: (() => string | undefined) | undefined,
): readonly NewEvent[] =>
  traceContext === undefined
    ? events
    : events.map((event) => {
        const context = contextOf(traceContext);
        return context === undefined ? event : { ...event, traceContext: context };
      });

type Outcome = Extract<Signal, { readonly kind: 'published' }>['outcome'];

export interface PublishSignals {
  published(published: readonly Published[]): void;
  failed(failure: PublishFailure): void;
}

/** Signals the outcome of events that are given to the storage now. */
export const createPublishSignals = (events: readonly NewEvent[], clock: Clock, observe: Observer): PublishSignals => {
  const startedAt = clock.now();
  const signal = (outcomeOf: (index: number) => Outcome, idOf: (index: number) => string | undefined): void => {
    const durationMs = Math.max(clock.now() - startedAt, 0);
    for (const [index, { id, accountId, objectName, type, traceContext }] of events.entries()) {
      const traced = traceContext === undefined ? {} : { traceContext };
      const eventId = idOf(index) ?? id;
      const outcome = outcomeOf(index);
      observe({ kind: 'published', accountId, eventId, objectName, type, outcome, startedAt, durationMs, ...traced });
    }
  };
  return {
    published: (published) =>
      signal(
        (index) => (published[index]?.replayed ? 'replayed' : 'stored'),
        (index) => published[index]?.eventId,
      ),
    failed: ({ code }) =>
      signal(
        () => (code === 'idempotency_conflict' || code === 'no_transaction' ? code : 'unavailable'),
        () => undefined,
      ),
  };
};
