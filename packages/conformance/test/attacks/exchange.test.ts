import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { attackOverSocket } from '../../src/attacks/exchange.ts';

const refused = 'HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\n{}';

/** A server that answers with these bytes, and closes; what it received is the second value. */
const answering = async (bytes: string) => {
  const received: string[] = [];
  const server = createServer((socket) => {
    socket.once('data', (data) => {
      received.push(data.toString());
      socket.end(bytes);
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api`), received };
};

const request = { method: 'GET', target: '/a b', headers: [['X-A', 'a\nb']], body: 'é' } as const;

test.each([
  ['one response', refused, 400, 1],
  ['two responses to one request', refused + refused, 400, 2],
  ['an informational response before it', `HTTP/1.1 100 Continue\r\n\r\n${refused}`, 400, 1],
  ['no response', '', 0, 0],
  ['no HTTP', 'hello', 0, 0],
])('%s', async (_what, bytes, status, responses) => {
  const { url } = await answering(bytes);
  expect(await attackOverSocket(url, request)).toMatchObject({ status, responses });
});

test('nothing of a request is encoded or corrected', async () => {
  const { url, received } = await answering(refused);
  await attackOverSocket(url, request);
  expect(received).toEqual([
    `GET /a b HTTP/1.1\r\nHost: ${url.host}\r\nX-A: a\nb\r\nContent-Length: 2\r\nConnection: close\r\n\r\né`,
  ]);
});
