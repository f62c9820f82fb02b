import { startTcpProxy, type TcpProxy } from '@partnerkit/workshop/services';
import { beforeEach, inject, onTestFinished, test } from 'vitest';
import { postgresStorage } from '../../src/index.ts';
import { arrivals, names } from '../support/arrivals.ts';
import { useDatabase } from '../support/fixtures.ts';
import { assertNothingLost, elapseHour, startProcess } from '../support/host-process.ts';
import { openPool } from '../support/host-transactions.ts';
import { untilIdle } from '../support/idle-workers.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';
import { addLoadEndpoints } from '../support/load.ts';

const database = useDatabase(inject('postgres'));
const hour = 3_600_000;

beforeEach(() => database.reset({ storeAhead: 0 }));

/** A network that fails as told, and the database behind it. */
const openNetwork = async () => {
  const address = new URL(database.url());
  const network = await startTcpProxy({ to: { port: Number(address.port) } });
  onTestFinished(network.stop);
  address.port = String(network.port);
  return { network, url: address.href };
};

interface Failure {
  readonly begin: (network: TcpProxy) => void;
  readonly end: (network: TcpProxy) => unknown;
}

const cut: Failure = { begin: (network) => network.cut(), end: () => {} };
const stalled: Failure = { begin: (network) => network.pause(), end: (network) => network.resume() };
const stalledAndCut: Failure = {
  begin: stalled.begin,
  end: (network) => {
    network.cut();
    network.resume();
  },
};
const refused: Failure = {
  begin: (network) => {
    network.refuse();
    network.cut();
  },
  end: (network) => network.accept(),
};

test('connections that fail under load lose nothing; other processes go on, and workers recover', async () => {
  const endpoints = names(5);
  await addLoadEndpoints(openKit(postgresStorage(database.pool()), { sender: arrivals() }), endpoints);
  const { network, url } = await openNetwork();
  const near = startProcess(database.url(), 'near');
  const far = startProcess(url, 'far');
  const farGoesOn = () => Promise.all([far.load.more(20), far.received.more(20)]);
  await farGoesOn();
  for (const { begin, end } of [cut, stalled, stalledAndCut, refused, cut, cut]) {
    begin(network);
    await near.received.more(50);
    await end(network);
    await elapseHour(near.pool);
    await farGoesOn();
  }
  await assertNothingLost([near, far], endpoints.length);
});

/** A process whose worker sleeps for an hour unless it is woken, and another one that publishes. */
const openSleeper = async () => {
  const { network, url } = await openNetwork();
  const received = arrivals();
  const near = openKit(postgresStorage(database.pool()), { sender: received });
  const far = openKit(postgresStorage(openPool({ connectionString: url })), { sender: received });
  await addEndpoint(near, 'ours', 'ours');
  const worker = far.worker({ pollEvery: hour });
  worker.start();
  onTestFinished(worker.stop);

  const publish = (name: string) => near.events.publish(payed('ours', name), { tx: 'new' });
  const { pid } = await untilIdle(database.pool());
  await publish('before');
  await received.all(['before']);
  return { network, received, publish, pid };
};

test.each([
  ['cut', cut],
  ['stalled and then cut', stalledAndCut],
  ['refused', refused],
])('a worker that sleeps is woken by what is published after its connections were %s', async (_, { begin, end }) => {
  const { network, received, publish, pid } = await openSleeper();
  begin(network);
  await end(network);
  await untilIdle(database.pool(), (now) => now.pid !== pid);
  await publish('after');
  await received.all(['after']);
});

test('an idle worker is woken by an event published while its connections stalled', async () => {
  const { network, received, publish } = await openSleeper();
  network.pause();
  await publish('meanwhile');
  network.resume();
  await received.all(['meanwhile']);
});
