import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Storage } from '@partnerkit/core/adapter';
import { memoryStorage } from '@partnerkit/core/memory';
import { createCertificateAuthority } from '@partnerkit/testing';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { undiciSender } from '../../../node/src/undici/index.ts';
import { postgresStorage } from '../../src/index.ts';
import { useDatabase } from '../support/fixtures.ts';
import { openKit, payed } from '../support/kit.ts';

const database = useDatabase(inject('postgres'));
const hanging = Array.from({ length: 20 }, (_, index) => `acc_hanging_${index}`);
const endpointsEach = 20;

/** A receiver that answers `/healthy` at once and nothing else ever. */
const startReceiver = async () => {
  const authority = await createCertificateAuthority();
  const received: string[] = [];
  const open = new Set<object>();
  /** The paths whose attempts ended, in order. */
  const ended: string[] = [];
  const server = createServer(await authority.issue({ addresses: ['127.0.0.1'] }), (request, response) => {
    received.push(request.url ?? '');
    if (request.url === '/healthy') return void request.resume().on('end', () => response.writeHead(204).end());
    open.add(response);
    response.on('close', () => {
      open.delete(response);
      ended.push(request.url ?? '');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `https://127.0.0.1:${port}`, ca: authority.certificate, received, open, ended };
};

/** Once each of 400 hanging endpoints has timed out, a healthy account waits for none of them. */
const proveHealthy = async <Tx extends object>(storage: Storage<Tx>): Promise<void> => {
  const receiver = await startReceiver();
  const sender = undiciSender({ allow: ['127.0.0.0/8'], ca: receiver.ca });
  const kit = openKit(storage, { sender });
  const subscribe = async (accountId: string, path: string): Promise<void> => {
    const created = await kit.endpoints.create(accountId, { url: `${receiver.origin}/${path}`, events: ['payed'] });
    expect(created.isOk()).toBe(true);
  };
  const publish = (accountId: string, id: string) => kit.events.publish(payed(accountId, id), { tx: 'new' });
  await subscribe('acc_healthy', 'healthy');
  for (const accountId of hanging)
    for (let index = 0; index < endpointsEach; index++) await subscribe(accountId, `${accountId}/${index}`);
  const worker = kit.worker();
  onTestFinished(async () => {
    await worker.stop();
    await sender.close();
  });
  worker.start();
  const arrivals = () => receiver.received.filter((path) => path === '/healthy').length;
  const latency = async (id: string): Promise<number> => {
    const [before, at] = [arrivals(), performance.now()];
    await publish('acc_healthy', id);
    await vi.waitUntil(() => arrivals() > before, { timeout: 60_000, interval: 1 });
    return performance.now() - at;
  };
  const quiet = await latency('quiet');
  for (const accountId of hanging) for (let index = 0; index < 5; index++) await publish(accountId, `${index}`);
  const haveTimedOut = () => new Set(receiver.ended).size === hanging.length * endpointsEach;
  await vi.waitUntil(haveTimedOut, { timeout: 600_000 });
  // The attempts that were in flight then end; those after them have just begun.
  const before = [...receiver.open];
  const areNew = () => receiver.open.size > 0 && before.every((attempt) => !receiver.open.has(attempt));
  await vi.waitUntil(areNew, { timeout: 60_000 });
  const open = [...receiver.open];
  const beside = await latency('beside');
  console.log(`quiet ${quiet.toFixed(1)} ms, beside ${open.length} hanging attempts ${beside.toFixed(1)} ms`);
  // At most half of the slots hang, and none of them had to end.
  expect(open.length).toBeLessThanOrEqual(32);
  expect(open.filter((attempt) => receiver.open.has(attempt))).toHaveLength(open.length);
};

test('a healthy account beside 400 hanging endpoints, in memory', () => proveHealthy(memoryStorage()));

test('a healthy account beside 400 hanging endpoints, on PostgreSQL', async () => {
  await database.reset({ storeAhead: 0 });
  await proveHealthy(postgresStorage(database.pool()));
});
