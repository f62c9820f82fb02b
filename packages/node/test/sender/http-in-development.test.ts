import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { httpsSender } from '@partnerkit/node';
import { undiciSender } from '@partnerkit/node/undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loopbackConnector } from '../../src/sender/loopback-connector.ts';
import { post } from './loopback.ts';

/** A server of HTTP on this machine that counts connections; `host` is what it listens on. */
const startServer = async (host: string) => {
  const requests: string[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.headers.host} ${request.url}`);
    response.end('thanks');
  }).on('connection', () => connections++);
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  return { requests, connections: () => connections, port: (server.address() as AddressInfo).port };
};

const neverAsked = async () => {
  throw new Error('DNS was asked.');
};

/** What is no name and no address of this machine, written in the ways that a URL allows. */
const elsewhere = [
  'http://partner.example/',
  'http://8.8.8.8/',
  'http://[2606:4700:4700::1111]/',
  'http://10.0.0.1/',
  'http://169.254.169.254/',
  'http://0.0.0.0/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://127.0.0.1.partner.example/',
  'http://localhost.partner.example/',
  'http://app.localhost/',
  'http://localhost./',
  'http://127.partner.example/',
  'ws://localhost/',
  'ftp://127.0.0.1/',
];

describe.each([
  ['undiciSender', undiciSender],
  ['httpsSender', httpsSender],
] as const)('%s: HTTP', (_, createSender) => {
  const start = (options: Parameters<typeof createSender>[0]) => {
    const sender = createSender({ lookup: neverAsked, ...options });
    onTestFinished(() => sender.close());
    return sender;
  };
  const forbidden = { kind: 'failed', reason: 'forbidden_address', durationMs: 0 };

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['127.8.9.10', '0.0.0.0'],
    ['localhost', '127.0.0.1'],
    ['LOCALHOST', '127.0.0.1'],
    ['[::1]', '::1'],
    ['localhost', '::1'],
  ])(
    'to %s is sent in development, to a server on %s; the second POST reuses the connection',
    async (host, listens) => {
      const { port, requests, connections } = await startServer(listens);
      const sender = start({ development: true });
      const url = `http://${host}:${port}/hook?a=1`;
      expect(sender.canReach(url)).toBe(true);
      const answer = expect.objectContaining({ kind: 'answered', status: 200, body: 'thanks' });
      expect([await sender.send(post(url)), await sender.send(post(url))]).toEqual([answer, answer]);
      const { host: expected } = new URL(url);
      expect(requests).toEqual(Array(2).fill(`POST ${expected} /hook?a=1`));
      expect(connections()).toBe(1);
    },
  );

  // Asked before anything is sent: with a wrong rule, this test must not send to the internet.
  const sender = createSender({ lookup: neverAsked, development: true, allow: ['10.0.0.0/8', '0.0.0.0/8'] });
  const refused = elsewhere.filter((url) => !sender.canReach(url));
  test('canReach refuses HTTP to anything else, also with allow', () => {
    expect(refused).toEqual(elsewhere);
  });

  test.each(refused)('to %s nothing is sent', async (url) => {
    expect(await sender.send(post(url))).toEqual(forbidden);
  });

  test.each([
    ['without development', {}],
    ['with allow: localhost', { allow: ['localhost'] }],
    ['with allow: 127.0.0.0/8', { allow: ['127.0.0.0/8', '::1/128'] }],
  ])('to this machine %s: canReach refuses, and nothing is sent', async (_name, options) => {
    const { port, connections } = await startServer('127.0.0.1');
    const strict = start(options);
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      const url = `http://${host}:${port}/`;
      expect(strict.canReach(url)).toBe(false);
      expect(await strict.send(post(url))).toEqual(forbidden);
    }
    expect(connections()).toBe(0);
  });

  test('to a port where nothing listens fails as connect', async () => {
    const outcome = await start({ development: true }).send(post('http://127.0.0.1:1/'));
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'connect' });
  });

  test('a closed sender sends nothing', async () => {
    const { port, connections } = await startServer('127.0.0.1');
    const closed = start({ development: true });
    await closed.close();
    await expect(closed.send(post(`http://127.0.0.1:${port}/`))).rejects.toThrow('This sender is closed.');
    expect(connections()).toBe(0);
  });
});

test.each(['8.8.8.8', '10.0.0.1', 'partner.example', 'app.localhost', '::ffff:127.0.0.1', '127.partner.example'])(
  'the connector itself opens no connection to %s',
  async (hostname) => {
    const connect = loopbackConnector(AbortSignal.abort());
    const error = await new Promise((resolve) => connect({ hostname, port: '1' }, (...[failure]) => resolve(failure)));
    expect(error).toMatchObject({ message: `${hostname} is not this machine.` });
  },
);
