import type { Meter, MeterProvider, Tracer, TracerProvider } from '@opentelemetry/api';
import { TracerProvider as SdkTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import { memoryStorage } from '@partnerkit/core/memory';
import { expect, test } from 'vitest';
import { openTelemetry } from '../src/index.ts';
import { answering, openKit, payed } from './support/kit.ts';
import { telemetry } from './support/telemetry.ts';

const fail = (): never => {
  throw new Error('telemetry is out of order');
};
const throwingTracer = { startSpan: fail, startActiveSpan: fail } as unknown as Tracer;
const throwing: TracerProvider = { getTracer: () => throwingTracer };
const exporting = () =>
  new SdkTracerProvider({
    spanProcessors: [
      new SimpleSpanProcessor({
        exporter: { export: fail, shutdown: async () => {}, forceFlush: async () => {} },
      }),
    ],
  });
/** Its instruments can be made, and throw when they are used. */
const instrument = { add: fail, record: fail };
const meters: MeterProvider = {
  getMeter: () => ({ createCounter: () => instrument, createHistogram: () => instrument }) as unknown as Meter,
};

test.each([
  ['a tracer', () => ({ tracerProvider: throwing })],
  ['an exporter', () => ({ tracerProvider: exporting() })],
  ['a meter', () => ({ tracerProvider: telemetry().tracerProvider, meterProvider: meters })],
])('%s that throws changes nothing: the event is published and delivered', async (_name, options) => {
  const storage = memoryStorage();
  const kit = openKit(storage, answering(1, 200), openTelemetry(options()));
  (await kit.endpoints.create('acc_a', { url: 'https://partner.example/hook', events: ['payed'] }))._unsafeUnwrap();
  await kit.events.publish(payed('p1'), { tx: 'new' });
  expect(await kit.worker().drain()).toBe(1);
  const { items } = await storage.log.listDeliveries('acc_a', {}, {});
  expect(items.map(({ state }) => state)).toEqual(['delivered']);
});

test('metrics are counted when the tracer throws', async () => {
  const { meterProvider, measured } = telemetry();
  const { observe } = openTelemetry({ tracerProvider: throwing, meterProvider });
  const attempt = {
    kind: 'attempt',
    accountId: 'acc_a',
    eventId: '01934c04-c000-7d17-87f5-ced235ac9967',
    deliveryId: 'd',
    endpointId: 'e',
    attempt: 1,
    startedAt: 1_732_147_200_000,
    durationMs: 1,
    outcome: 200,
    next: 'delivered',
    traceContext: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  } as const;
  expect(() => observe?.(attempt)).toThrow('out of order');
  expect((await measured()).get('partnerkit.deliveries')).toEqual([
    { attributes: { 'partnerkit.outcome': 'delivered' }, value: 1 },
  ]);
});

test('a wrong option is named, with its remedy', () => {
  const made = (options: object) => () => openTelemetry(options);
  expect(made({ backlogs: fail })).toThrow("openTelemetry: there is no option 'backlogs'; did you mean 'backlog'?");
  expect(made({ worker: {} })).toThrow('openTelemetry: the option worker must be a function.');
  expect(made({ tracerProvider: {} })).toThrow('the option tracerProvider has no method getTracer. Hand over');
});
