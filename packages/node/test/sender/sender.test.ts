import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { SendOutcome } from '@partnerkit/core/adapter';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { post, startReceiver, startSender, startTcp, startTls } from './loopback.ts';

const answered = expect.objectContaining({ kind: 'answered', status: 200 });
const reset = { kind: 'failed', reason: 'reset', durationMs: expect.any(Number) };

describe('the request', () => {
  test('is one POST of exactly these bytes and headers', async () => {
    const { port, requests } = await startReceiver();
    const body = '{"name":"Łukasz Müller","mood":"🙂"}';
    const headers = { 'content-type': 'application/json', 'x-webhook-signature': 'abc', authorization: 'Bearer t' };
    const url = `https://partner.test:${port}/hook%20s?a=b&c=%C3%A9#part`;
    expect(await startSender().send(post(url, { headers, body }))).toEqual(answered);
    expect(requests).toEqual([
      {
        method: 'POST',
        path: '/hook%20s?a=b&c=%C3%A9',
        body,
        headers: {
          ...headers,
          host: `partner.test:${port}`,
          connection: 'keep-alive',
          'content-length': String(Buffer.byteLength(body)),
        },
        rawHeaders: expect.any(Array),
      },
    ]);
    expect(Buffer.byteLength(body)).toBeGreaterThan(body.length);
  });

  test.each([
    ['a line break', { 'x-api-key': 'a\r\nx-evil: 1' }],
    ['a name with a space', { 'x key': 'a' }],
  ])('with a header that cannot be sent rejects: %s', async (_, headers) => {
    const { url, requests } = await startReceiver();
    await expect(startSender().send(post(url, { headers }))).rejects.toThrow(/invalid .*header|header .*valid/i);
    expect(requests).toEqual([]);
  });

  test('to a text that is not a URL rejects', async () => {
    await expect(startSender().send(post('partner.test'))).rejects.toThrow(TypeError);
  });
});

describe('sockets', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const startCounting = async (body = () => 'ok') => {
    const sockets: unknown[] = [];
    const receiver = await startReceiver({
      answer: (_, response) => {
        if (!sockets.includes(response.socket)) sockets.push(response.socket);
        response.end(body());
      },
    });
    return { ...receiver, sockets };
  };

  test('sends one after another share one', async () => {
    const { url, sockets, requests } = await startCounting();
    const sender = startSender();
    for (let count = 0; count < 5; count += 1) expect(await sender.send(post(url))).toEqual(answered);
    expect([requests.length, sockets.length]).toEqual([5, 1]);
  });

  test('simultaneous sends do not wait for each other', async () => {
    const { url, sockets } = await startCounting();
    const sender = startSender();
    await Promise.all(Array.from({ length: 5 }, () => sender.send(post(url))));
    expect(sockets).toHaveLength(5);
  });

  test('there are as many as simultaneous sends', async () => {
    const { url, sockets, requests } = await startCounting();
    const sender = startSender();
    let left = 80;
    const lane = async () => {
      while (left-- > 0) expect(await sender.send(post(url))).toEqual(answered);
    };
    await Promise.all(Array.from({ length: 8 }, lane));
    expect([requests.length, sockets.length]).toEqual([80, 8]);
  });

  test('a handshake that never ends delays no other send', async () => {
    const receiver = await startReceiver();
    let first = true;
    const { url } = await startTcp((socket) => {
      if (!first) socket.pipe(connect(receiver.port, '127.0.0.1')).pipe(socket);
      first = false;
    });
    const sender = startSender();
    const [stuck, other] = await Promise.all([300, 60_000].map((deadline) => sender.send(post(url, { deadline }))));
    expect(stuck).toMatchObject({ kind: 'failed', reason: 'timeout' });
    expect(other).toEqual(answered);
  });

  test('an old one is replaced, so that a changed name is followed', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { url, sockets } = await startCounting();
    const sender = startSender();
    await sender.send(post(url));
    vi.advanceTimersByTime(299_000);
    await sender.send(post(url));
    expect(sockets).toHaveLength(1);
    vi.advanceTimersByTime(2_000);
    await sender.send(post(url));
    expect(sockets).toHaveLength(2);
  });

  test('one that is in use when it is replaced still gets its response', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const slow = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const { url, requests } = await startReceiver({
      answer: async ({ body }, response) => {
        arrived.resolve();
        if (body === 'slow') await slow.promise;
        response.end();
      },
    });
    const sender = startSender();
    const outcome = sender.send(post(url, { body: 'slow' }));
    await arrived.promise;
    vi.advanceTimersByTime(301_000);
    expect(await sender.send(post(url))).toEqual(answered);
    slow.resolve();
    expect(await outcome).toEqual(answered);
    expect(requests).toHaveLength(2);
  });

  test('one that the server closed while it was idle is replaced', async () => {
    const closed: Promise<unknown>[] = [];
    const { url } = await startTls((socket) => {
      closed.push(once(socket, 'close'));
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
    });
    const sender = startSender();
    expect(await sender.send(post(url))).toEqual(answered);
    await closed[0];
    expect(await sender.send(post(url))).toEqual(answered);
    expect(closed).toHaveLength(2);
  });

  test('one with a body of 4096 bytes is kept, one with more is not', async () => {
    const length = { bytes: 4_096 };
    const { url, sockets } = await startCounting(() => 'x'.repeat(length.bytes));
    const sender = startSender();
    await sender.send(post(url));
    length.bytes = 4_097;
    await sender.send(post(url));
    expect(sockets).toHaveLength(1);
    await sender.send(post(url));
    expect(sockets).toHaveLength(2);
  });

  test('one that could not be opened is opened for the next send', async () => {
    const { url } = await startReceiver();
    const answers = [[], ['127.0.0.1']];
    const sender = startSender({ lookup: async () => answers.shift() ?? [] });
    expect(await sender.send(post(url))).toMatchObject({ kind: 'failed', reason: 'dns' });
    expect(await sender.send(post(url))).toEqual(answered);
  });

  /** A server that closes each connection at its second request, and counts requests and connections. */
  const startDropping = async (second: (socket: Socket) => void) => {
    const bodies: string[] = [];
    const sockets: Socket[] = [];
    const { url } = await startTls((socket: Socket) => {
      sockets.push(socket);
      let requests = 0;
      socket.on('data', (bytes) => {
        bodies.push(bytes.toString());
        requests += 1;
        if (requests === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
        else second(socket);
      });
    });
    return { url, bodies, sockets };
  };

  test('one that is dropped when a second request arrives on it is replaced, and the same bytes are sent', async () => {
    const { url, bodies, sockets } = await startDropping((socket) => socket.destroy());
    const sender = startSender();
    for (let count = 0; count < 3; count += 1) expect(await sender.send(post(url))).toEqual(answered);
    expect(new Set(bodies).size).toBe(1);
    expect([bodies.length, sockets.length]).toEqual([5, 3]);
  });

  test('of several that the server drops, none is tried twice', async () => {
    const { url, bodies, sockets } = await startDropping((socket) => socket.destroy());
    const sender = startSender();
    const all = () => Promise.all(Array.from({ length: 4 }, () => sender.send(post(url))));
    expect(await all()).toEqual([answered, answered, answered, answered]);
    expect(sockets).toHaveLength(4);
    expect(await all()).toEqual([answered, answered, answered, answered]);
    expect([bodies.length, sockets.length]).toEqual([12, 8]);
  });

  test('after one that the server dropped, no other idle one is tried', async () => {
    const { url, bodies, sockets } = await startDropping((socket) => socket.destroy());
    const sender = startSender();
    await Promise.all([sender.send(post(url)), sender.send(post(url))]);
    expect(await sender.send(post(url))).toEqual(answered);
    expect([bodies.length, sockets.length]).toEqual([4, 3]);
  });

  test('one that is dropped after a byte of the response ends the attempt', async () => {
    const { url, bodies } = await startDropping((socket) => socket.end('H'));
    const sender = startSender();
    expect(await sender.send(post(url))).toEqual(answered);
    expect(await sender.send(post(url))).toMatchObject({ kind: 'failed', reason: 'http_incomplete' });
    expect(bodies).toHaveLength(2);
  });

  test('a new one that is dropped ends the attempt', async () => {
    let connections = 0;
    const { url } = await startTls((socket) => {
      connections += 1;
      socket.once('data', () => socket.destroy());
    });
    expect(await startSender().send(post(url))).toEqual(reset);
    expect(connections).toBe(1);
  });
});

describe('close', () => {
  test('ends what is in flight, in whatever state', async () => {
    const answering = await startTls((socket) => socket.resume());
    const connecting = await startTcp(() => {});
    const sender = startSender();
    const outcomes: SendOutcome[] = [];
    for (const { url } of [answering, connecting]) {
      void sender.send(post(url)).then((outcome) => outcomes.push(outcome));
    }
    const [[waiting], [handshaking]] = await Promise.all([
      once(answering.server, 'secureConnection'),
      once(connecting.server, 'connection'),
    ]);
    const ends = [once(waiting, 'close'), once(handshaking.resume(), 'close')];
    await sender.close();
    expect(outcomes).toEqual([reset, reset]);
    await Promise.all(ends);
  });

  test('is final and can be called twice', async () => {
    const sender = startSender();
    await sender.close();
    await sender.close();
    await expect(sender.send(post('https://partner.test'))).rejects.toThrow('This sender is closed.');
  });
});
