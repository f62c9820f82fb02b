import type { Clock } from '../runtime/clock.ts';
import type { Observer, Signal } from '../signals/signal.ts';
import type { NewEvent } from './event.ts';
import type { Published, PublishFailure } from './publish.ts';

/** A trace context is kept with its event for weeks. A `traceparent` has 55 characters. */
const usable = /^[\x20-\x7e]{1,512}$/;

/** What the host gives is its own affair: nothing of it may keep an event from being published. */
const contextOf = (traceContext: () => unknown): string | undefined => {
  try {
    const context = traceContext();
    return typeof context === 'string' && usable.test(context) ? context : undefined;
  } catch {
    return undefined;
  }
};

/** The events, each with the trace that it is published in. @internal */
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

/** @internal */
export interface PublishNews {
  published(published: readonly Published[]): void;
  failed(failure: PublishFailure): void;
}

/** Tells what becomes of events that are handed to the storage now. @internal */
export const publishNews = (events: readonly NewEvent[], clock: Clock, observe: Observer): PublishNews => {
  const startedAt = clock.now();
  const tell = (outcomeOf: (index: number) => Outcome, idOf: (index: number) => string | undefined): void => {
    const took = Math.max(clock.now() - startedAt, 0);
    for (const [index, { id, accountId, objectName, type, traceContext }] of events.entries()) {
      const traced = traceContext === undefined ? {} : { traceContext };
      const eventId = idOf(index) ?? id;
      const outcome = outcomeOf(index);
      observe({ kind: 'published', accountId, eventId, objectName, type, outcome, startedAt, took, ...traced });
    }
  };
  return {
    published: (published) =>
      tell(
        (index) => (published[index]?.replayed ? 'replayed' : 'stored'),
        (index) => published[index]?.eventId,
      ),
    failed: ({ code }) =>
      tell(
        () => (code === 'idempotency_conflict' || code === 'no_transaction' ? code : 'unavailable'),
        () => undefined,
      ),
  };
};
