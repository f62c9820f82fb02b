import { startPostgres } from '@partnerkit/workshop/services';
import { onTestFinished, test } from 'vitest';
import { migrate, postgresStorage } from '../../src/index.ts';
import { arrivals } from '../support/arrivals.ts';
import { assertNothingLost, elapseHour, startProcess } from '../support/host-process.ts';
import { openPool } from '../support/host-transactions.ts';
import { untilIdle } from '../support/idle-workers.ts';
import { addEndpoint, openKit, payed } from '../support/kit.ts';
import { addLoadEndpoints } from '../support/load.ts';

const hour = 3_600_000;

const open = async () => {
  const server = await startPostgres();
  onTestFinished(server.stop);
  const pool = openPool({ connectionString: server.url });
  await migrate(pool);
  const received = arrivals();
  const kit = openKit(postgresStorage(pool), { sender: received });
  await addEndpoint(kit, 'ours', 'ours');
  return { server, pool, received, kit };
};

test('a server that crashes under load loses no committed event, and workers recover', async () => {
  const { server, pool, kit } = await open();
  await addLoadEndpoints(kit, ['ours']);
  const first = startProcess(server.url, 'first');
  const second = startProcess(server.url, 'second');
  const bothGoOn = async (): Promise<void> => {
    await elapseHour(pool);
    await Promise.all([first, second].flatMap(({ load, received }) => [load.more(50), received.more(20)]));
  };
  await bothGoOn();
  await server.restart('immediate');
  await bothGoOn();
  await server.kill();
  await server.restart();
  await bothGoOn();
  await assertNothingLost([first, second], 1);
});

test('an idle worker is woken by an event published after a crash of the server', async () => {
  const { server, pool, received, kit } = await open();
  const worker = kit.worker({ pollEvery: hour });
  worker.start();
  onTestFinished(worker.stop);
  const { pid } = await untilIdle(pool);
  await server.restart('immediate');
  await untilIdle(pool, (now) => now.pid !== pid);
  await kit.events.publish(payed('ours', 'after'), { tx: 'new' });
  await received.all(['after']);
});
