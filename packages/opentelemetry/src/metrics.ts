import type { Meter } from '@opentelemetry/api';
import type { Backlog, DurationMs, Observer, Signal } from '@partnerkit/core';
import { errorType, messaging } from './attributes.ts';

/** Seconds, as the semantic conventions advise for what a request waits for. */
const short = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 15];
/** Seconds to some days: with its retries a delivery takes about three. */
const long = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 43_200, 86_400, 172_800, 345_600];

const seconds = (time: DurationMs): number => time / 1_000;

/** The time that an id begins with (RFC 9562, version 7): when its event was handed to publish. */
const timeOf = (id: string): number => Number.parseInt(id.slice(0, 13).replace('-', ''), 16);

const histogram = (meter: Meter, name: string, description: string, explicitBucketBoundaries: number[]) =>
  meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries } });

const observeBacklog = (meter: Meter, ask: () => Promise<Backlog>): void => {
  const gauge = (name: string, unit: string, description: string) =>
    meter.createObservableGauge(name, { description, unit });
  const deliveries = gauge('partnerkit.backlog', '{delivery}', 'Deliveries that are not finished, by state.');
  const events = gauge('partnerkit.backlog.events', '{event}', 'Events that were not dispatched yet.');
  const age = gauge('partnerkit.backlog.oldest_due_age', 's', 'How long the oldest due delivery has been due.');
  meter.addBatchObservableCallback(
    async (result) => {
      const known = await Promise.resolve()
        .then(ask)
        .catch(() => undefined);
      if (!known) return;
      const { waiting, held, undispatched, oldestDue = 0 } = known;
      for (const [state, number] of Object.entries({ waiting, held }))
        result.observe(deliveries, number, { 'partnerkit.delivery.state': state });
      result.observe(events, undispatched);
      result.observe(age, seconds(oldestDue));
    },
    [deliveries, events, age],
  );
};

/** Counts signals. No attribute has an id: there are as many series as kinds of outcomes. @internal */
export const createMetrics = (meter: Meter, backlog: (() => Promise<Backlog>) | undefined): Observer => {
  const count = (name: string, unit: string, description: string) => meter.createCounter(name, { description, unit });

  const publishes = histogram(meter, 'messaging.client.operation.duration', 'How long publishing took.', short);
  const dispatches = histogram(meter, 'messaging.process.duration', 'How long a dispatch took.', short);
  const events = count('partnerkit.events.dispatched', '{event}', 'Events that were dispatched.');
  const attempts = histogram(meter, 'partnerkit.attempt.duration', 'How long an attempt took, by its outcome.', short);
  const deliveries = count('partnerkit.deliveries', '{delivery}', 'Deliveries that are finished, by outcome.');
  const latency = histogram(meter, 'partnerkit.delivery.latency', 'From publish to the answer that confirmed.', long);
  const logins = count('partnerkit.logins', '{login}', 'Logins, by outcome.');
  const requests = count('partnerkit.requests.failed', '{request}', 'Requests that were answered 500 or 503.');
  const turns = count('partnerkit.endpoint.turns', '{turn}', 'Endpoints that began to fail, recovered, were disabled.');
  const errors = count('partnerkit.worker.errors', '{error}', 'Errors of workers, by what they were doing.');
  if (backlog) observeBacklog(meter, backlog);

  const attempted = (signal: Extract<Signal, { readonly kind: 'attempt' }>): void => {
    const { eventId, startedAt, took, outcome, next } = signal;
    const status = typeof outcome === 'number' ? { 'http.response.status_code': outcome } : {};
    // What an abandoned attempt took is not known.
    if (outcome !== 'abandoned')
      attempts.record(seconds(took), { 'partnerkit.outcome': next, ...status, ...errorType(signal) });
    if (next === 'delivered') latency.record(Math.max(seconds(startedAt + took - timeOf(eventId)), 0));
    if (next === 'delivered' || next === 'exhausted') deliveries.add(1, { 'partnerkit.outcome': next });
  };

  return (signal) => {
    switch (signal.kind) {
      case 'published': {
        const { objectName, outcome, took } = signal;
        const error = outcome === 'stored' || outcome === 'replayed' ? {} : { 'error.type': outcome };
        const about = { ...messaging('publish', 'send'), 'messaging.destination.name': objectName, ...error };
        return publishes.record(seconds(took), about);
      }
      case 'dispatched':
        events.add(signal.events);
        return dispatches.record(seconds(signal.took), messaging('dispatch', 'process'));
      case 'attempt':
        return attempted(signal);
      case 'delivery_expired':
        return deliveries.add(signal.deliveries, { 'partnerkit.outcome': 'expired' });
      case 'login':
        return logins.add(1, { 'partnerkit.outcome': signal.outcome });
      case 'request_failed':
        return requests.add(1, { 'http.response.status_code': signal.status });
      case 'endpoint_failing':
      case 'endpoint_recovered':
      case 'endpoint_disabled':
        return turns.add(1, { 'partnerkit.turn': signal.kind });
      case 'worker_error':
        return errors.add(1, { 'partnerkit.during': signal.during });
      default:
        return undefined;
    }
  };
};
