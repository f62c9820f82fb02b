import {
  createNoopMeter,
  type MeterProvider,
  metrics,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import type { Backlog, HealthSnapshot, Observer, WorkerState } from '@partnerkit/core';
import { assertOptions, type OptionRule, optionRules } from '@partnerkit/core/adapter';
import { createMetrics } from './metrics.ts';
import { createSpans } from './spans.ts';

/**
 * Options of {@link openTelemetry}.
 * @public
 */
export interface OpenTelemetryOptions {
  /** Source of the tracer. @defaultValue the global provider at the time of the call: start the SDK first */
  readonly tracerProvider?: TracerProvider;
  /** Source of the meter. @defaultValue the global provider at the time of the call: start the SDK first */
  readonly meterProvider?: MeterProvider;
  /**
   * Called at each collection for the gauges `partnerkit.backlog…`: `() => storage.log.countBacklog()`. When it fails,
   * that collection has no such gauges.
   * @defaultValue none: no such gauges
   */
  readonly backlog?: () => Promise<Backlog>;
  /**
   * Called at each collection for the gauges `partnerkit.worker…`: `() => worker.state()`. May return `undefined` as
   * long as there is no worker.
   * @defaultValue none: no such gauges
   */
  readonly worker?: () => WorkerState | undefined;
  /**
   * Called at each collection for the gauges of workers, free shards, failing endpoints and the oldest event:
   * `() => storage.log.readHealthSnapshot()`. When it fails, that collection has no such gauges.
   * @defaultValue none: no such gauges
   */
  readonly health?: () => Promise<HealthSnapshot>;
}

/**
 * Options for `createPartnerkit`. Members without effect are absent.
 * @public
 */
export interface OpenTelemetry {
  /** Starts the span of a publish under the active span and returns its `traceparent`. Absent without traces. */
  readonly traceContext?: () => string | undefined;
  /** Writes spans and metrics. An observer of your own must call it too. Absent without traces and metrics. */
  readonly observe?: Observer;
}

const scope = '@partnerkit/opentelemetry';
const { exactly, function: functionRule, optional, port } = optionRules;
const rule = exactly({
  tracerProvider: optional(port<TracerProvider>({ getTracer: true }, 'Hand over a TracerProvider of an SDK.')),
  meterProvider: optional(port<MeterProvider>({ getMeter: true }, 'Hand over a MeterProvider of an SDK.')),
  backlog: optional(functionRule),
  worker: optional(functionRule),
  health: optional(functionRule),
} satisfies Record<keyof OpenTelemetryOptions, OptionRule>);

/** The global provider is a proxy; its `getDelegateTracer` returns `undefined` without an SDK. */
const tracerOf = (provider: TracerProvider & { getDelegateTracer?(name: string): Tracer | undefined }) =>
  provider.getDelegateTracer ? provider.getDelegateTracer(scope) : provider.getTracer(scope);

/**
 * Traces and metrics for a kit. One trace covers the host's request, publish, dispatch and each attempt, across
 * processes and time. Without an SDK it returns no members and costs nothing. Spans and metrics contain no secret and
 * no payload; metrics contain no id.
 * @example
 * const kit = createPartnerkit({ ...options, observe: openTelemetry() });
 * @public
 */
export const openTelemetry = (options: OpenTelemetryOptions = {}): OpenTelemetry => {
  assertOptions('openTelemetry', rule, options);
  const { tracerProvider = trace.getTracerProvider(), meterProvider = metrics.getMeterProvider() } = options;
  const { backlog, worker, health } = options;
  const tracer = tracerOf(tracerProvider);
  const meter = meterProvider.getMeter(scope);
  const spans = tracer && createSpans(tracer);
  const count = meter === createNoopMeter() ? undefined : createMetrics(meter, { backlog, worker, health });
  if (!spans) return count ? { observe: count } : {};
  if (!count) return spans;
  return {
    traceContext: spans.traceContext,
    observe: (signal) => {
      try {
        spans.observe(signal);
      } finally {
        count(signal);
      }
    },
  };
};
