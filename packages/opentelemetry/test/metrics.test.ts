import { second, type WorkerState } from '@partnerkit/core';
import { memoryStorage } from '@partnerkit/core/memory';
import { signalArbitrary } from '@partnerkit/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTelemetry } from '../src/index.ts';
import { answering, openKit, payed } from './support/kit.ts';
import { telemetry } from './support/telemetry.ts';

/** A histogram's points, without its buckets. */
const sums = (points: readonly { readonly attributes: object; readonly value: unknown }[] = []) =>
  points.map(({ attributes, value }) => {
    const { count, sum } = value as { readonly count: number; readonly sum: number };
    return { attributes, count, sum };
  });

test('a publish, a dispatch, and each attempt with its outcome are measured', async () => {
  let now = 1_732_147_200_000;
  // Nothing sleeps to the end.
  const sleep = (_time: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  const clock = { now: () => now, sleep };
  const storage = memoryStorage({ clock });
  const { meterProvider, tracerProvider, measured } = telemetry();
  const options = { ...openTelemetry({ meterProvider, tracerProvider }), clock };
  const kit = openKit(storage, answering(250, 503, 204), options);
  (await kit.endpoints.create('acc_a', { url: 'https://partner.example/hook', events: ['payed'] }))._unsafeUnwrap();
  await kit.events.publish(payed('p1'), { tx: 'new' });
  await kit.worker().drain();
  now += 6 * second;
  await kit.worker().drain();
  const metrics = await measured();
  const attempts = sums(metrics.get('partnerkit.attempt.duration'));
  expect(attempts).toEqual([
    {
      attributes: { 'partnerkit.outcome': 'retry', 'http.response.status_code': 503, 'error.type': '503' },
      count: 1,
      sum: 0.25,
    },
    { attributes: { 'partnerkit.outcome': 'delivered', 'http.response.status_code': 204 }, count: 1, sum: 0.25 },
  ]);
  expect(metrics.get('partnerkit.deliveries')).toEqual([
    { attributes: { 'partnerkit.outcome': 'delivered' }, value: 1 },
  ]);
  expect(sums(metrics.get('partnerkit.delivery.latency'))).toEqual([{ attributes: {}, count: 1, sum: 6.25 }]);
  expect(metrics.get('partnerkit.events.dispatched')).toEqual([{ attributes: {}, value: 1 }]);
  const of = { 'messaging.system': 'partnerkit' };
  expect(sums(metrics.get('messaging.client.operation.duration'))).toEqual([
    {
      attributes: {
        ...of,
        'messaging.operation.name': 'publish',
        'messaging.operation.type': 'send',
        'messaging.destination.name': 'RequestPayment',
      },
      count: 1,
      sum: 0,
    },
  ]);
  expect(sums(metrics.get('messaging.process.duration'))).toEqual([
    {
      attributes: { ...of, 'messaging.operation.name': 'dispatch', 'messaging.operation.type': 'process' },
      count: 1,
      sum: 0,
    },
  ]);
});

test('each call of a handler is measured, with its name and what follows', async () => {
  const { meterProvider, tracerProvider, measured } = telemetry();
  const kit = openKit(memoryStorage(), answering(1, 204), openTelemetry({ meterProvider, tracerProvider }));
  let calls = 0;
  const handle = async (): Promise<void> => {
    if (calls++ === 0) throw new Error('The ledger is away.');
  };
  const worker = kit.worker({ handlers: { ledger: { events: ['payed'], handle } } });
  await worker.drain();
  await kit.events.publish(payed('p1'), { tx: 'new' });
  await worker.drain();
  await kit.events.publish(payed('p2'), { tx: 'new' });
  await worker.drain();
  const points = (await measured()).get('partnerkit.handler.duration') ?? [];
  const of = { 'partnerkit.handler': 'ledger' };
  expect(points.map(({ attributes }) => attributes)).toEqual([
    { ...of, 'partnerkit.outcome': 'retry', 'error.type': 'failed' },
    { ...of, 'partnerkit.outcome': 'handled' },
  ]);
});

test('the backlog is read at each collection; when that fails, the rest is measured', async () => {
  const { meterProvider, tracerProvider, measured } = telemetry();
  let fails = false;
  const { observe } = openTelemetry({
    meterProvider,
    tracerProvider,
    backlog: () => {
      if (fails) throw new Error('the storage is gone');
      return Promise.resolve({ undispatched: 1, waiting: 2, held: 3, oldestDue: 1_500 });
    },
  });
  observe?.({ kind: 'login', outcome: 'refused' });
  const metrics = await measured();
  expect(metrics.get('partnerkit.backlog')).toEqual(
    Object.entries({ waiting: 2, held: 3 }).map(([state, value]) => ({
      attributes: { 'partnerkit.delivery.state': state },
      value,
    })),
  );
  expect(metrics.get('partnerkit.backlog.events')).toEqual([{ attributes: {}, value: 1 }]);
  expect(metrics.get('partnerkit.backlog.oldest_due_age')).toEqual([{ attributes: {}, value: 1.5 }]);
  fails = true;
  const then = await measured();
  expect(then.get('partnerkit.logins')).toEqual([{ attributes: { 'partnerkit.outcome': 'refused' }, value: 1 }]);
});

test('the state of a worker is read at each collection, once there is one', async () => {
  const { meterProvider, tracerProvider, measured } = telemetry();
  let state: WorkerState | undefined;
  openTelemetry({ meterProvider, tracerProvider, worker: () => state });
  expect((await measured()).get('partnerkit.worker.shards') ?? []).toEqual([]);
  state = { state: 'serving', shards: 64, inFlight: 5, ready: 70, unsettled: 9, leaseLeftMs: 18_500 };
  const metrics = await measured();
  const expected = { shards: 64, in_flight: 5, ready: 70, unsettled: 9, lease_left: 18.5 };
  for (const [name, value] of Object.entries(expected))
    expect(metrics.get(`partnerkit.worker.${name}`), name).toEqual([{ attributes: {}, value }]);
});

test('for any signals, no metric has an id, and there are few series', async () => {
  const { meterProvider, tracerProvider, measured } = telemetry();
  const { observe } = openTelemetry({ meterProvider, tracerProvider });
  const ids = new Set<string>();
  const signals = fc.sample(signalArbitrary(), { numRuns: 3_000, seed: 7 });
  for (const signal of signals) {
    // An id may be any text: three digits would be taken for the status of an answer.
    for (const [name, value] of Object.entries(signal))
      if (name.endsWith('Id') && !/^\d{3}$/.test(String(value))) ids.add(String(value));
    observe?.(signal);
  }
  const metrics = await measured();
  expect(ids.size).toBeGreaterThan(1_000);
  const values = [...metrics.values()].flatMap((points) =>
    points.flatMap(({ attributes }) => Object.values(attributes)),
  );
  expect(values.filter((value) => ids.has(String(value)))).toEqual([]);
  expect(
    new Set([...metrics.values()].flatMap((points) => points.flatMap((each) => Object.keys(each.attributes)))),
  ).toEqual(
    new Set([
      'error.type',
      'http.response.status_code',
      'messaging.destination.name',
      'messaging.operation.name',
      'messaging.operation.type',
      'messaging.system',
      'partnerkit.during',
      'partnerkit.handler',
      'partnerkit.outcome',
      'partnerkit.health_change',
    ]),
  );
});

test('the health of the storage is read at each collection; a lapsed worker does not count', async () => {
  const { meterProvider, tracerProvider, measured } = telemetry();
  const worker = { id: 'w', shards: 100, isStopping: false, leaseLeft: 9_000 };
  const health = async () => ({
    ...{ now: 0, oldestUndispatched: 2_500, freeShards: 28, failingEndpoints: 3, endpoints: [] },
    workers: [worker, { ...worker, shards: 0, leaseLeft: 0 }],
  });
  const { observe } = openTelemetry({ meterProvider, tracerProvider, health });
  observe?.({ kind: 'worker_absent', absentFor: 60_000 });
  const metrics = await measured();
  const expected = {
    'partnerkit.workers': 1,
    'partnerkit.shards.free': 28,
    'partnerkit.endpoints.failing': 3,
    'partnerkit.backlog.oldest_event_age': 2.5,
    'partnerkit.worker.absences': 1,
  };
  for (const [name, value] of Object.entries(expected)) expect(metrics.get(name)).toEqual([{ attributes: {}, value }]);
});
