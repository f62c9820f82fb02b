import {
  createNoopMeter,
  type MeterProvider,
  metrics,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import type { Backlog, Observer } from '@partnerkit/core';
import { createMetrics } from './metrics.ts';
import { createSpans } from './spans.ts';

/**
 * Where traces and metrics go.
 * @public
 */
export interface OpenTelemetryOptions {
  /** @defaultValue the global one, as it is when this is called: start the SDK before */
  readonly tracerProvider?: TracerProvider;
  /** @defaultValue the global one, as it is when this is called: start the SDK before */
  readonly meterProvider?: MeterProvider;
  /**
   * Asked at each collection, for the gauges `partnerkit.backlog…`: `() => storage.log.countBacklog()`. When it fails, they are left
   * out that time.
   * @defaultValue none: there are no such gauges
   */
  readonly backlog?: () => Promise<Backlog>;
}

/**
 * What {@link openTelemetry} gives to `createPartnerkit`: nothing that is called in vain.
 * @public
 */
export interface OpenTelemetry {
  /** Begins the span of a publish, under the active one, and names it. Absent without traces. */
  readonly traceContext?: () => string | undefined;
  /** Writes spans and metrics. Whoever observes signals too calls this one beside. Absent without traces and metrics. */
  readonly observe?: Observer;
}

const scope = '@partnerkit/opentelemetry';

/** The global provider stands in for an SDK's, and knows whether there is one. */
const tracerOf = (provider: TracerProvider & { getDelegateTracer?(name: string): Tracer | undefined }) =>
  provider.getDelegateTracer ? provider.getDelegateTracer(scope) : provider.getTracer(scope);

/**
 * One trace for the host's request, publish, dispatch and each attempt, in whatever process and however late; and metrics. Without an
 * SDK it gives nothing, and so costs nothing. No secret and no payload reaches a span or a metric, and no id a metric.
 * @example
 * const kit = createPartnerkit({ ...options, ...openTelemetry() });
 * @public
 */
export const openTelemetry = ({
  tracerProvider = trace.getTracerProvider(),
  meterProvider = metrics.getMeterProvider(),
  backlog,
}: OpenTelemetryOptions = {}): OpenTelemetry => {
  const tracer = tracerOf(tracerProvider);
  const meter = meterProvider.getMeter(scope);
  const spans = tracer && createSpans(tracer);
  const count = meter === createNoopMeter() ? undefined : createMetrics(meter, backlog);
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
