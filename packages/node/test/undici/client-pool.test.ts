import { undiciSender } from '@partnerkit/node/undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createClientPool } from '../../src/undici/client-pool.ts';
import { authority, post, startReceiver } from '../sender/loopback.ts';

test('a socket is given to one request at a time, and the last one that was released to the next request', () => {
  const pool = createClientPool('https://partner.test', { connect: () => {} });
  const [a, b, c] = [pool.take(), pool.take(), pool.take()];
  expect(new Set([a.client, b.client, c.client]).size).toBe(3);
  b.release();
  a.release();
  expect([pool.take(), pool.take()]).toEqual([a, b]);
  expect([a, b, c]).not.toContain(pool.take());
});

test('close and destroy reach every socket, in use or not', async () => {
  for (const end of ['close', 'destroy'] as const) {
    const pool = createClientPool('https://partner.test', { connect: () => {} });
    const [used, free] = [pool.take(), pool.take()];
    free.release();
    await pool[end]();
    expect([used.client.destroyed, free.client.destroyed]).toEqual([true, true]);
  }
});

test('a POST on an open socket sets no timer', async () => {
  const { url, requests } = await startReceiver();
  const sender = undiciSender({ allow: ['127.0.0.0/8'], ca: authority.certificate, lookup: async () => ['127.0.0.1'] });
  onTestFinished(() => sender.close());
  await sender.send(post(url));
  const timers = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => timers.mockRestore());
  for (let count = 0; count < 20; count += 1) await sender.send(post(url));
  expect(requests).toHaveLength(21);
  expect(timers).not.toHaveBeenCalled();
});
