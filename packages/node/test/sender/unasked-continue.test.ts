import { httpsSender } from '@partnerkit/node';
import { undiciSender } from '@partnerkit/node/undici';
import { expect, onTestFinished, test } from 'vitest';
import { authority, post, startReceiver, startTls, startTlsAnswer } from './loopback.ts';

const failed = { kind: 'failed', reason: 'http_continue', durationMs: expect.any(Number) };
const answered = { kind: 'answered', status: 204, body: '', durationMs: expect.any(Number) };

test.each([
  // undici refuses it, so the sender continues with node:https.
  ['undiciSender', undiciSender, [failed, answered, answered]],
  ['httpsSender', httpsSender, [answered, answered, answered]],
] as const)('%s: a receiver that answers an unasked 100 (RFC 9110 §15.2.1)', async (_, create, outcomes) => {
  const { url } = await startTls((socket) =>
    socket.on('data', () => socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n')),
  );
  const other = await startReceiver({ answer: (_request, response) => response.writeHead(204).end() });
  const sender = create({
    allow: ['127.0.0.0/8'],
    ca: authority.certificate,
    lookup: async () => ['127.0.0.1'],
  });
  onTestFinished(() => sender.close());
  for (const outcome of outcomes) {
    expect(await sender.send(post(url))).toEqual(outcome);
    expect(await sender.send(post(other.url))).toEqual(answered);
  }
  expect(other.requests).toHaveLength(3);
});

test('httpsSender: thousands of them end the attempt', async () => {
  const { url } = await startTlsAnswer('HTTP/1.1 100 Continue\r\n\r\n'.repeat(2_000));
  const sender = httpsSender({ allow: ['127.0.0.0/8'], ca: authority.certificate, lookup: async () => ['127.0.0.1'] });
  onTestFinished(() => sender.close());
  expect(await sender.send(post(url))).toMatchObject({ kind: 'failed', reason: 'http_headers_too_large' });
});

test('httpsSender: six hundred of them, which fit into 16 KiB, are skipped', async () => {
  const { url } = await startTlsAnswer(`${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(600)}HTTP/1.1 204 No Content\r\n\r\n`);
  const sender = httpsSender({ allow: ['127.0.0.0/8'], ca: authority.certificate, lookup: async () => ['127.0.0.1'] });
  onTestFinished(() => sender.close());
  expect(await sender.send(post(url))).toEqual(answered);
});

test('closing the sender ends a request that node:https carries', async () => {
  let requests = 0;
  const arrived = Promise.withResolvers<void>();
  const { url } = await startTls((socket) =>
    socket.on('data', () => {
      requests += 1;
      if (requests === 1) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      else arrived.resolve();
    }),
  );
  const sender = undiciSender({ allow: ['127.0.0.0/8'], ca: authority.certificate, lookup: async () => ['127.0.0.1'] });
  expect(await sender.send(post(url))).toEqual(failed);
  const outcome = sender.send(post(url, { deadline: 60_000 }));
  await arrived.promise;
  await sender.close();
  expect(await outcome).toMatchObject({ kind: 'failed', reason: 'reset' });
});
