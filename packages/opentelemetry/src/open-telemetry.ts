import { type MeterProvider, metrics, type TracerProvider, trace } from '@opentelemetry/api';
import type { Backlog, Observer } from '@partnerkit/core';
import { createMetrics } from './metrics.ts';
import { createSpans } from './spans.ts';

/**
 * Where traces and metrics go.
 * @public
 */
export interface OpenTelemetryOptions {
  /** @defaultValue the global one */
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
 * What {@link openTelemetry} gives to `createPartnerkit`.
 * @public
 */
export interface OpenTelemetry {
  /** Begins the span of a publish, under the active one, and names it. */
  readonly traceContext: () => string | undefined;
  /** Writes spans and metrics. Whoever observes signals too calls this one beside. */
  readonly observe: Observer;
}

const scope = '@partnerkit/opentelemetry';

/**
 * One trace for the host's request, publish, dispatch and each attempt, in whatever process and however late; and metrics. Without an
 * SDK it does nothing. No secret and no payload reaches a span or a metric, and no id a metric.
 * @example
 * const kit = createPartnerkit({ ...openTelemetry(), accounts, storage, tokens, sender, sealingKeys, objects });
 * @public
 */
export const openTelemetry = ({
  tracerProvider = trace.getTracerProvider(),
  meterProvider = metrics.getMeterProvider(),
  backlog,
}: OpenTelemetryOptions = {}): OpenTelemetry => {
  const spans = createSpans(tracerProvider.getTracer(scope));
  const count = createMetrics(meterProvider.getMeter(scope), backlog);
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
