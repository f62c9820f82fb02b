import type { HrTime } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, type Sampler, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

/** The telemetry of one process, kept in memory. */
export const telemetry = (options: { readonly sampler?: Sampler } = {}) => {
  const spans = new InMemorySpanExporter();
  const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  return {
    tracerProvider: new TracerProvider({ ...options, spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] }),
    meterProvider,
    spans: () => spans.getFinishedSpans(),
    /** What was measured until now, by name. */
    measured: async () => {
      measured.reset();
      await meterProvider.forceFlush();
      const metrics = measured.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((each) => each.metrics));
      return new Map(
        metrics.map(({ descriptor, dataPoints }) => [
          descriptor.name,
          dataPoints.map(({ attributes, value }) => ({ attributes, value })),
        ]),
      );
    },
  };
};

export type Telemetry = ReturnType<typeof telemetry>;

/** The same, in milliseconds. */
export const msOf = ([seconds, nanoseconds]: HrTime): number => seconds * 1_000 + nanoseconds / 1_000_000;
