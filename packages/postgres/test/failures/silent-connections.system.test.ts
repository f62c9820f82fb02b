import type { Signal } from '@partnerkit/core';
import { systemClock } from '@partnerkit/core/adapter';
import { startTcpProxy } from '@partnerkit/workshop/services';
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { arrivals, names } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { openPool } from '../support/host-transactions.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));
const minute = 60_000;

beforeEach(() => database.reset({ storeAhead: 0 }));

/** Its time passes ten times as fast, so that a call is given up soon. */
const fast = {
  now: systemClock.now,
  monotonic: () => 10 * performance.now(),
  sleep: (time: number, signal: AbortSignal) => systemClock.sleep(time / 10, signal),
};

/** A worker behind a network that freezes: its sockets stay open and silent. */
const openFrozen = async () => {
  const address = new URL(database.url());
  const network = await startTcpProxy({ to: { port: Number(address.port) } });
  onTestFinished(network.stop);
  address.port = String(network.port);
  const received = arrivals();
  const near = openKit(postgresStorage(database.pool()), { sender: received });
  const silent = Promise.withResolvers<Signal>();
  const far = openKit(postgresStorage(openPool({ connectionString: address.href })), {
    sender: received,
    clock: fast,
    observe: (signal) => {
      if (signal.kind === 'worker_error' && signal.error.code === 'no_answer') silent.resolve(signal);
    },
  });
  await addEndpoint(near, 'ours', 'ours');
  const worker = far.worker();
  worker.start();
  const publish = (ids: readonly string[]) =>
    near.events.publishMany(
      ids.map((id) => payed('ours', id)),
      { tx: 'new' },
    );
  await publish(['before']);
  await received.all(['before']);
  return { network, received, near, worker, publish, silent: silent.promise };
};

test('a worker whose sockets stay open and silent says so, and sends everything once they are not', async () => {
  const { network, received, worker, publish, silent } = await openFrozen();
  network.pause();
  const committed = names(50);
  await publish(committed);
  expect(await silent).toMatchObject({ kind: 'worker_error', error: { name: 'PortTimeout', code: 'no_answer' } });
  expect([...received.objects]).toEqual(['before']);
  network.resume();
  await received.all(committed);
  await worker.stop();
});

test('its stop() resolves meanwhile, and another worker sends everything', async () => {
  const { network, received, near, worker, publish, silent } = await openFrozen();
  network.pause();
  const committed = names(50);
  await publish(committed);
  await silent;
  await worker.stop();
  await database.elapse(minute);
  const other = near.worker();
  other.start();
  onTestFinished(other.stop);
  await received.all(committed);
  network.cut();
});
