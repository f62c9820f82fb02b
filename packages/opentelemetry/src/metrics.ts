import type { Meter } from '@opentelemetry/api';
import type { Backlog, DurationMs, HealthSnapshot, Observer, Signal, WorkerState } from '@partnerkit/core';
import { errorType, messaging } from './attributes.ts';

/** Buckets in seconds, as the semantic conventions advise for request durations. */
const short = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 15];
/** Buckets in seconds up to 4 days: a delivery with all its retries takes about 3. */
const long = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 43_200, 86_400, 172_800, 345_600];

const seconds = (time: DurationMs): number => time / 1_000;

/** The timestamp of a UUIDv7 (RFC 9562 §5.7): when the event was published. */
const timeOf = (id: string): number => Number.parseInt(id.slice(0, 13).replace('-', ''), 16);

const histogram = (meter: Meter, name: string, description: string, explicitBucketBoundaries: number[]) =>
  meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries } });

/** What gauges read at each collection. */
export interface GaugeSources {
  readonly backlog: (() => Promise<Backlog>) | undefined;
  readonly worker: (() => WorkerState | undefined) | undefined;
  readonly health: (() => Promise<HealthSnapshot>) | undefined;
}

const observeBacklog = (meter: Meter, backlog: () => Promise<Backlog>): void => {
  const gauge = (name: string, unit: string, description: string) =>
    meter.createObservableGauge(name, { description, unit });
  const deliveries = gauge('partnerkit.backlog', '{delivery}', 'Deliveries that are not finished, by state.');
  const events = gauge('partnerkit.backlog.events', '{event}', 'Events that were not dispatched yet.');
  const age = gauge('partnerkit.backlog.oldest_due_age', 's', 'Age of the oldest due delivery.');
  meter.addBatchObservableCallback(
    async (result) => {
      const known = await Promise.resolve()
        .then(backlog)
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

const observeWorker = (meter: Meter, worker: () => WorkerState | undefined): void => {
  const gauge = (name: string, unit: string, description: string) =>
    meter.createObservableGauge(`partnerkit.worker.${name}`, { description, unit });
  const shards = gauge('shards', '{shard}', 'Shards that the worker serves, of 128.');
  const inFlight = gauge('in_flight', '{attempt}', 'Attempts in flight.');
  const ready = gauge('ready', '{delivery}', 'Deliveries in memory that wait for capacity.');
  const unsettled = gauge('unsettled', '{delivery}', 'Deliveries whose outcome is not stored.');
  const lease = gauge('lease_left', 's', 'The rest of the lease.');
  meter.addBatchObservableCallback(
    (result) => {
      const state = worker();
      if (!state) return;
      result.observe(shards, state.shards);
      result.observe(inFlight, state.inFlight);
      result.observe(ready, state.ready);
      result.observe(unsettled, state.unsettled);
      result.observe(lease, seconds(state.leaseLeftMs));
    },
    [shards, inFlight, ready, unsettled, lease],
  );
};

const observeHealth = (meter: Meter, health: () => Promise<HealthSnapshot>): void => {
  const gauge = (name: string, unit: string, description: string) =>
    meter.createObservableGauge(`partnerkit.${name}`, { description, unit });
  const workers = gauge('workers', '{worker}', 'Workers with a lease, of all processes.');
  const free = gauge('shards.free', '{shard}', 'Shards without a worker, of 128.');
  const failing = gauge('endpoints.failing', '{endpoint}', 'Endpoints that fail.');
  const age = gauge('backlog.oldest_event_age', 's', 'Age of the oldest event that was not dispatched yet.');
  meter.addBatchObservableCallback(
    async (result) => {
      const known = await Promise.resolve()
        .then(health)
        .catch(() => undefined);
      if (!known) return;
      result.observe(workers, known.workers.filter(({ leaseLeft }) => leaseLeft > 0).length);
      result.observe(free, known.freeShards);
      result.observe(failing, known.failingEndpoints);
      result.observe(age, seconds(known.oldestUndispatched ?? 0));
    },
    [workers, free, failing, age],
  );
};

/** Counts signals. No attribute is an id, so the number of series is bounded. */
export const createMetrics = (meter: Meter, { backlog, worker, health }: GaugeSources): Observer => {
  const count = (name: string, unit: string, description: string) => meter.createCounter(name, { description, unit });

  const publishes = histogram(meter, 'messaging.client.operation.duration', 'Duration of publishing.', short);
  const dispatches = histogram(meter, 'messaging.process.duration', 'Duration of a dispatch.', short);
  const events = count('partnerkit.events.dispatched', '{event}', 'Events that were dispatched.');
  const attempts = histogram(meter, 'partnerkit.attempt.duration', 'Duration of an attempt, by its outcome.', short);
  const deliveries = count('partnerkit.deliveries', '{delivery}', 'Deliveries that are finished, by outcome.');
  const latency = histogram(meter, 'partnerkit.delivery.latency', 'From publish to the answer that confirmed.', long);
  const handlers = histogram(
    meter,
    'partnerkit.handler.duration',
    'Duration of a call of a handler, by its outcome.',
    short,
  );
  const logins = count('partnerkit.logins', '{login}', 'Logins, by outcome.');
  const requests = count('partnerkit.requests.failed', '{request}', 'Requests that were answered 500 or 503.');
  const healthChanges = count(
    'partnerkit.endpoint.health_changes',
    '{change}',
    'Endpoints that began to fail, recovered, were disabled.',
  );
  const errors = count('partnerkit.worker.errors', '{error}', 'Errors of workers, by what they were doing.');
  const absences = count(
    'partnerkit.worker.absences',
    '{signal}',
    'Signals that no worker delivers what is published.',
  );
  if (backlog) observeBacklog(meter, backlog);
  if (worker) observeWorker(meter, worker);
  if (health) observeHealth(meter, health);

  const attempted = (signal: Extract<Signal, { readonly kind: 'attempt' }>): void => {
    const { eventId, startedAt, durationMs, outcome, next } = signal;
    const status = typeof outcome === 'number' ? { 'http.response.status_code': outcome } : {};
    // The duration of an abandoned attempt is unknown.
    if (outcome !== 'abandoned')
      attempts.record(seconds(durationMs), { 'partnerkit.outcome': next, ...status, ...errorType(signal) });
    if (next === 'delivered') latency.record(Math.max(seconds(startedAt + durationMs - timeOf(eventId)), 0));
    if (next === 'delivered' || next === 'exhausted') deliveries.add(1, { 'partnerkit.outcome': next });
  };

  return (signal) => {
    switch (signal.kind) {
      case 'published': {
        const { objectName, outcome, durationMs } = signal;
        const error = outcome === 'stored' || outcome === 'replayed' ? {} : { 'error.type': outcome };
        const about = { ...messaging('publish', 'send'), 'messaging.destination.name': objectName, ...error };
        return publishes.record(seconds(durationMs), about);
      }
      case 'dispatched':
        events.add(signal.events);
        return dispatches.record(seconds(signal.durationMs), messaging('dispatch', 'process'));
      case 'attempt':
        return attempted(signal);
      case 'handler_attempt':
        return handlers.record(seconds(signal.durationMs), {
          'partnerkit.handler': signal.handler,
          'partnerkit.outcome': signal.next,
          ...errorType(signal),
        });
      case 'delivery_expired':
        return deliveries.add(signal.deliveries, { 'partnerkit.outcome': 'expired' });
      case 'login':
        return logins.add(1, { 'partnerkit.outcome': signal.outcome });
      case 'request_failed':
        return requests.add(1, { 'http.response.status_code': signal.status });
      case 'endpoint_failing':
      case 'endpoint_recovered':
      case 'endpoint_disabled':
        return healthChanges.add(1, { 'partnerkit.health_change': signal.kind });
      case 'worker_error':
        return errors.add(signal.count, { 'partnerkit.during': signal.during });
      case 'worker_absent':
        return absences.add(1);
      default:
        return undefined;
    }
  };
};
