import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { AlwaysOffSampler, type ReadableSpan } from '@opentelemetry/sdk-trace';
import { type Signal, second } from '@partnerkit/core';
import { memoryStorage } from '@partnerkit/core/memory';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTelemetry } from '../src/index.ts';
import { answering, openKit, payed } from './support/kit.ts';
import { useStorages } from './support/storages.ts';
import { msOf, type Telemetry, telemetry } from './support/telemetry.ts';

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});
afterAll(() => context.disable());

const traced = ({ tracerProvider, meterProvider }: Telemetry, signals: Signal[] = []) => {
  const given = openTelemetry({ tracerProvider, meterProvider });
  return {
    ...given,
    observe: (signal: Signal) => {
      signals.push(signal);
      given.observe?.(signal);
    },
  };
};

/** A request to the host, in which it does its work. */
const request = async (host: Telemetry, work: () => Promise<unknown>): Promise<void> => {
  await host.tracerProvider.getTracer('host').startActiveSpan('POST /payments', async (span) => {
    await work();
    span.end();
  });
};

const idsOf = (span: ReadableSpan | undefined) => span?.spanContext();
const named = (spans: readonly ReadableSpan[], name: string): readonly ReadableSpan[] =>
  spans.filter((span) => span.name === name);

describe.each(useStorages())('one trace, %s', (_name, open) => {
  test('spans the host’s request, publish, dispatch and each attempt, in another process too', async () => {
    const { storage, elapse } = open();
    const [host, worker] = [telemetry(), telemetry()];
    const signals: Signal[] = [];
    const sender = answering(40, 503, 200);
    const kit = openKit(storage, sender, traced(host, signals));
    const created = await kit.endpoints.create('acc_a', { url: 'https://partner.example/hook', events: ['payed'] });
    const { endpoint } = created._unsafeUnwrap();
    const from = Date.now();
    let eventId = '';
    await request(host, () =>
      storage.transaction(async (tx) => {
        eventId = (await kit.events.publish(payed('p1'), { tx })).eventId;
      }),
    );
    await kit.worker().drain();
    await elapse(6 * second);
    await openKit(storage, sender, traced(worker, signals)).worker().drain();
    const to = Date.now();

    const asked = named(host.spans(), 'POST /payments')[0];
    const published = named(host.spans(), 'publish RequestPayment')[0];
    const dispatched = named(host.spans(), 'dispatch')[0];
    const attempts = [...named(host.spans(), 'deliver'), ...named(worker.spans(), 'deliver')];
    expect([host.spans().length, worker.spans().length]).toEqual([4, 1]);
    const all = [asked, published, dispatched, ...attempts];
    expect(new Set(all.map((span) => idsOf(span)?.traceId))).toEqual(new Set([idsOf(asked)?.traceId]));
    expect(all.map((span) => span?.parentSpanContext?.spanId)).toEqual([
      undefined,
      idsOf(asked)?.spanId,
      ...[dispatched, ...attempts].map(() => idsOf(published)?.spanId),
    ]);
    expect(all.map((span) => span?.kind)).toEqual([
      SpanKind.INTERNAL,
      SpanKind.PRODUCER,
      SpanKind.CONSUMER,
      SpanKind.CLIENT,
      SpanKind.CLIENT,
    ]);
    expect(all.map((span) => span?.status.code)).toEqual([
      SpanStatusCode.UNSET,
      SpanStatusCode.UNSET,
      SpanStatusCode.UNSET,
      SpanStatusCode.ERROR,
      SpanStatusCode.UNSET,
    ]);

    const of = { 'messaging.system': 'partnerkit', 'messaging.message.id': eventId, 'partnerkit.account.id': 'acc_a' };
    expect(published?.attributes).toEqual({
      ...of,
      'messaging.operation.name': 'publish',
      'messaging.operation.type': 'send',
      'messaging.destination.name': 'RequestPayment',
      'partnerkit.event.type': 'payed',
      'partnerkit.outcome': 'stored',
    });
    expect(dispatched?.attributes).toEqual({
      ...of,
      'messaging.operation.name': 'dispatch',
      'messaging.operation.type': 'process',
      'messaging.batch.message_count': 1,
    });
    const attempt = {
      ...of,
      'messaging.operation.name': 'deliver',
      'messaging.operation.type': 'send',
      'http.request.method': 'POST',
      'partnerkit.endpoint.id': endpoint.id,
      'partnerkit.delivery.id': expect.any(String),
    };
    expect(attempts.map(({ attributes }) => attributes)).toEqual([
      { ...attempt, 'http.response.status_code': 503, 'error.type': '503', 'partnerkit.outcome': 'retry' },
      {
        ...attempt,
        'http.response.status_code': 200,
        'http.request.resend_count': 1,
        'partnerkit.outcome': 'delivered',
      },
    ]);

    const told = signals.filter((signal) => signal.kind === 'dispatched' || signal.kind === 'attempt');
    expect(
      [dispatched, ...attempts].map((span) => [msOf(span?.startTime ?? [0, 0]), msOf(span?.endTime ?? [0, 0])]),
    ).toEqual(told.map(({ startedAt, durationMs }) => [startedAt, startedAt + durationMs]));
    expect(told.map(({ kind, durationMs }) => (kind === 'attempt' ? durationMs : 40))).toEqual([40, 40, 40]);
    // The store's clock was turned, and in memory nothing else is.
    for (const { startedAt } of told) expect(startedAt >= from && startedAt <= to).toBe(true);
  });

  test('is started by publish where the host has none, one for each event', async () => {
    const { storage } = open();
    const host = telemetry();
    const kit = openKit(storage, answering(1, 200), traced(host));
    (await kit.endpoints.create('acc_a', { url: 'https://partner.example/hook', events: ['payed'] }))._unsafeUnwrap();
    await kit.events.publishMany([payed('a'), payed('b')], { tx: 'new' });
    await kit.worker().drain();
    const traces = host.spans().map((span) => `${span.name} ${idsOf(span)?.traceId}`);
    const [a, b] = named(host.spans(), 'publish RequestPayment').map((span) => idsOf(span)?.traceId);
    expect(a).not.toBe(b);
    expect(traces.toSorted()).toEqual(
      [a, b].flatMap((id) => [`publish RequestPayment ${id}`, `dispatch ${id}`, `deliver ${id}`]).toSorted(),
    );
  });
});

describe('what is not traced', () => {
  const deliver = async (publisher: Telemetry, worker: Telemetry): Promise<void> => {
    const storage = memoryStorage();
    const kit = openKit(storage, answering(1, 200), traced(publisher));
    (await kit.endpoints.create('acc_a', { url: 'https://partner.example/hook', events: ['payed'] }))._unsafeUnwrap();
    await kit.events.publish(payed('p1'), { tx: 'new' });
    expect(await openKit(storage, answering(1, 200), traced(worker)).worker().drain()).toBe(1);
  };

  test('a trace that is not sampled at its start is not recorded later either', async () => {
    const [publisher, worker] = [telemetry({ sampler: new AlwaysOffSampler() }), telemetry()];
    await deliver(publisher, worker);
    expect([publisher.spans(), worker.spans()]).toEqual([[], []]);
  });

  test('an event that was published without a trace is delivered without one', async () => {
    const storage = memoryStorage();
    const worker = telemetry();
    const kit = openKit(storage, answering(1, 200));
    (await kit.endpoints.create('acc_a', { url: 'https://partner.example/hook', events: ['payed'] }))._unsafeUnwrap();
    await kit.events.publish(payed('p1'), { tx: 'new' });
    expect(await openKit(storage, answering(1, 200), traced(worker)).worker().drain()).toBe(1);
    expect(worker.spans()).toEqual([]);
  });

  test.each(['nothing of ours', '00-0-0-01', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`])(
    'a trace context that is not one of ours is no parent: %s',
    async (text) => {
      const storage = memoryStorage();
      const worker = telemetry();
      const { observe } = traced(worker);
      const kit = openKit(storage, answering(1, 200), { traceContext: () => text, observe });
      (await kit.endpoints.create('acc_a', { url: 'https://partner.example/hook', events: ['payed'] }))._unsafeUnwrap();
      await kit.events.publish(payed('p1'), { tx: 'new' });
      expect(await kit.worker().drain()).toBe(1);
      expect(worker.spans()).toEqual([]);
    },
  );

  test('a publish that fails ends its span as failed', async () => {
    const storage = memoryStorage();
    const host = telemetry();
    const kit = openKit(storage, answering(1, 200), traced(host));
    const keyed = { tx: 'new', idempotencyKey: 'key' } as const;
    await kit.events.publish(payed('p1'), keyed);
    await expect(kit.events.publish(payed('p1', 'other'), keyed)).rejects.toThrow();
    const [, failed] = host.spans();
    expect(failed?.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(failed?.attributes['error.type']).toBe('idempotency_conflict');
  });

  test('without an SDK no member is returned', () => {
    expect(trace.getActiveSpan()).toBeUndefined();
    expect(openTelemetry()).toEqual({});
  });

  test('members are returned for each registered SDK', () => {
    const { tracerProvider, meterProvider } = telemetry();
    expect(Object.keys(openTelemetry({ tracerProvider })).sort()).toEqual(['observe', 'traceContext']);
    expect(Object.keys(openTelemetry({ meterProvider }))).toEqual(['observe']);
  });

  test('an SDK that is registered as the global one is found', () => {
    expect(trace.setGlobalTracerProvider(telemetry().tracerProvider)).toBe(true);
    try {
      expect(openTelemetry().traceContext?.()).toMatch(/^00-/);
    } finally {
      trace.disable();
    }
    expect(openTelemetry()).toEqual({});
  });
});
