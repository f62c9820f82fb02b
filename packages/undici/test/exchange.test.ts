import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { exchange } from '../src/exchange.ts';
import { createTimeouts } from '../src/timeouts.ts';
import { post, startReceiver, startSender, startTcp, startTls, startTlsAnswer } from './loopback.ts';

const timed = async <T>(work: Promise<T>) => {
  const startedAt = performance.now();
  return { outcome: await work, elapsed: performance.now() - startedAt };
};
const failed = (reason: string) => ({ kind: 'failed', reason, durationMs: expect.any(Number) });
const reset = failed('reset');
const head = 'HTTP/1.1 200 OK\r\n';

describe('answers', () => {
  test('status, Retry-After and body are returned as received', async () => {
    const { url } = await startReceiver({
      answer: (_, response) => response.writeHead(503, { 'retry-after': '120' }).end('später 🙂'),
    });
    const outcome = await startSender().send(post(url));
    expect(outcome).toEqual({
      kind: 'answered',
      status: 503,
      retryAfter: '120',
      body: 'später 🙂',
      durationMs: expect.any(Number),
    });
    expect(Number.isInteger(outcome.durationMs)).toBe(true);
  });

  test('a redirect is a response, and its target is never requested', async () => {
    const target = await startReceiver();
    const { url, requests } = await startReceiver({
      answer: (_, response) => response.writeHead(302, { location: target.url }).end(),
    });
    expect(await startSender().send(post(url))).toMatchObject({ kind: 'answered', status: 302 });
    expect(requests).toHaveLength(1);
    expect(target.requests).toEqual([]);
  });

  test('an informational response is skipped', async () => {
    const { url } = await startTlsAnswer(
      `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${head}content-length: 2\r\n\r\nok`,
    );
    expect(await startSender().send(post(url))).toMatchObject({ kind: 'answered', status: 200, body: 'ok' });
  });

  describe('informational answers', () => {
    const early = (bytes = 0) => `HTTP/1.1 103 Early Hints\r\nlink: ${'x'.repeat(bytes)}\r\n\r\n`;
    const final = `${head}content-length: 2\r\n\r\nok`;

    test('eight before the response are skipped', async () => {
      const { url } = await startTlsAnswer(early().repeat(8) + final);
      expect(await startSender().send(post(url))).toMatchObject({ kind: 'answered', status: 200, body: 'ok' });
    });

    test('nine are reset', async () => {
      const { url } = await startTlsAnswer(early().repeat(9) + final);
      expect(await startSender().send(post(url))).toEqual(reset);
    });

    test('few with long headers in total are reset', async () => {
      const { url } = await startTlsAnswer(early(6_000).repeat(3) + final);
      expect(await startSender().send(post(url))).toEqual(reset);
    });

    test('an endless row ends the attempt and its socket, with the deadline far away', async () => {
      const ended = Promise.withResolvers<void>();
      const { url } = await startTls((socket) =>
        socket.once('data', () => {
          socket.on('close', ended.resolve);
          const pour = () => {
            while (!socket.destroyed && socket.write(early().repeat(1_000)));
          };
          socket.on('drain', pour);
          pour();
        }),
      );
      expect(await startSender().send(post(url, { deadline: 60_000 }))).toEqual(reset);
      await ended.promise;
    });
  });

  test('of a repeated Retry-After the first counts', async () => {
    const { url } = await startTlsAnswer(`${head}retry-after: 5\r\nretry-after: 9\r\ncontent-length: 0\r\n\r\n`);
    expect(await startSender().send(post(url))).toMatchObject({ retryAfter: '5' });
  });

  test.each([
    ['headers too long', `${head}x: ${'y'.repeat(40_000)}\r\n\r\n`],
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['a protocol that was not asked for', 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
    // RFC 9110 §15.2.1 would have it passed over, but undici ends the connection.
    ['an unasked 100', `HTTP/1.1 100 Continue\r\n\r\n${head}content-length: 0\r\n\r\n`],
  ])('%s is reset', async (_, bytes) => {
    const { url } = await startTlsAnswer(bytes);
    expect(await startSender().send(post(url))).toEqual(reset);
  });

  test('a socket that ends amid the headers, or before them, is reset', async () => {
    const amid = await startTls((socket) => socket.once('data', () => socket.end(`${head}content-le`)));
    const before = await startTls((socket) => socket.once('data', () => socket.destroy()));
    expect(await startSender().send(post(amid.url))).toEqual(reset);
    expect(await startSender().send(post(before.url))).toEqual(reset);
  });
});

describe('bodies', () => {
  const endless = (headers: string) => {
    const ended = Promise.withResolvers<void>();
    const onSocket = (socket: Socket) =>
      socket.once('data', () => {
        socket.on('close', ended.resolve).write(`${head}${headers}\r\n`);
        const pour = () => {
          while (!socket.destroyed && socket.write('x'.repeat(65_536)));
        };
        socket.on('drain', pour);
        pour();
      });
    return { onSocket, ended: ended.promise };
  };

  test.for([
    ['of a length', 'content-length: 1000000000000\r\n'],
    ['until the end of the socket', 'connection: close\r\n'],
  ] as const)('an endless one, %s, is cut at 4096 bytes and the socket is destroyed', async ([, headers]) => {
    const { onSocket, ended } = endless(headers);
    const { url } = await startTls(onSocket);
    const { outcome, elapsed } = await timed(startSender().send(post(url)));
    expect(outcome).toMatchObject({ kind: 'answered', status: 200, body: 'x'.repeat(4_096) });
    expect(elapsed).toBeLessThan(1_900);
    await ended;
  });

  test('a character that the limit cuts in two is left out', async () => {
    const { url } = await startReceiver({ answer: (_, response) => response.end(`x${'é'.repeat(4_096)}`) });
    expect(await startSender().send(post(url))).toMatchObject({ body: `x${'é'.repeat(2_047)}` });
  });

  test('bytes that are no UTF-8 are replaced', async () => {
    const { url } = await startReceiver({ answer: (_, response) => response.end(Buffer.from([0x61, 0xff, 0x62])) });
    expect(await startSender().send(post(url))).toMatchObject({ body: 'a\ufffdb' });
  });

  test('one that stalls is cut after 2 s, and the deadline no longer counts', async () => {
    const { url } = await startTlsAnswer(`${head}content-length: 100\r\n\r\nsome`);
    const { outcome, elapsed } = await timed(startSender().send(post(url, { deadline: 1_500 })));
    expect(outcome).toMatchObject({ kind: 'answered', status: 200, body: 'some' });
    expect(elapsed).toBeGreaterThan(1_900);
  });

  test('one that drips is cut after 2 s too: further bytes do not extend it', async () => {
    const { url } = await startTls((socket) => {
      socket.once('data', () => socket.write(`${head}content-length: 4000\r\n\r\n`));
      const drip = setInterval(() => socket.write('x'), 50);
      socket.on('close', () => clearInterval(drip));
    });
    const outcome = await startSender().send(post(url));
    expect(outcome).toMatchObject({ kind: 'answered', status: 200, body: expect.stringMatching(/^x{2,41}$/) });
  });

  test('one that breaks off leaves the outcome as it is', async () => {
    const { url } = await startTls((socket) =>
      socket.once('data', () => socket.write(`${head}content-length: 100\r\n\r\nsome`, () => socket.destroy())),
    );
    expect(await startSender().send(post(url))).toMatchObject({ kind: 'answered', status: 200, body: 'some' });
  });
});

describe('the deadline', () => {
  const deadline = 200;
  const expectTimeout = async (url: string, sender = startSender()) => {
    const outcome = await sender.send(post(url, { deadline }));
    expect(outcome).toEqual(failed('timeout'));
    expect(outcome.durationMs).toBeGreaterThanOrEqual(deadline - 1);
  };

  test('covers a lookup that never ends', async () => {
    await expectTimeout('https://partner.test', startSender({ lookup: () => new Promise(() => {}) }));
  });

  test('covers a TLS handshake that never ends', async () => {
    await expectTimeout((await startTcp(() => {})).url);
  });

  test('covers a response that never comes, and destroys the socket', async () => {
    const ended = Promise.withResolvers<void>();
    const { url } = await startTls((socket) => socket.on('close', ended.resolve).resume());
    await expectTimeout(url);
    await ended.promise;
  });

  test('covers headers that drip', async () => {
    const { url } = await startTls((socket) => {
      socket.once('data', () => socket.write(head));
      const drip = setInterval(() => socket.write('x: y\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    await expectTimeout(url);
  });

  test('is not extended by informational responses', async () => {
    const { url } = await startTls((socket) => {
      const drip = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 40);
      socket.on('close', () => clearInterval(drip));
    });
    await expectTimeout(url);
  });

  test('once passed, nothing is sent, though the connection comes later', async () => {
    const received: Buffer[] = [];
    const { server, url } = await startTls((socket) =>
      socket.on('data', (bytes) => {
        received.push(bytes);
        socket.destroy();
      }),
    );
    const addresses = Promise.withResolvers<string[]>();
    await expectTimeout(url, startSender({ lookup: () => addresses.promise }));
    addresses.resolve(['127.0.0.1']);
    const [connection] = await once(server, 'connection');
    await once(connection, 'close');
    expect(received).toEqual([]);
  });
});

describe('the client', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** An exchange whose client is the test. */
  const start = (deadline = 5_000) => {
    const onDone = vi.fn();
    const abort = vi.fn();
    const controller = { abort } as unknown as Dispatcher.DispatchController;
    let handler: Dispatcher.DispatchHandler = {};
    const dispatch = (given: Dispatcher.DispatchHandler) => {
      handler = given;
    };
    const outcome = exchange({ deadline, timeouts: createTimeouts(), dispatch, onDone });
    return { onDone, abort, controller, outcome, handler };
  };

  test('is done at the end of an answer, in the turn in which the outcome is known', async () => {
    const { onDone, controller, outcome, handler } = start();
    handler.onRequestStart?.(controller, undefined);
    handler.onResponseStart?.(controller, 204, {});
    handler.onResponseEnd?.(controller, {});
    expect(onDone).not.toHaveBeenCalled();
    expect(await outcome).toMatchObject({ kind: 'answered', status: 204, body: '' });
    expect(onDone).toHaveBeenCalledTimes(1);
  });

  test('is done when the request failed', async () => {
    const { onDone, controller, outcome, handler } = start();
    handler.onRequestStart?.(controller, undefined);
    handler.onResponseError?.(controller, new Error('The other side closed.'));
    expect(await outcome).toEqual(reset);
    expect(onDone).toHaveBeenCalledTimes(1);
  });

  test('is not done at the deadline but when it has aborted the request', async () => {
    const { onDone, abort, controller, outcome, handler } = start(1);
    expect(await outcome).toEqual(failed('timeout'));
    expect(onDone).not.toHaveBeenCalled();
    handler.onRequestStart?.(controller, undefined);
    expect(abort).toHaveBeenCalledTimes(1);
    handler.onResponseError?.(controller, new Error('Aborted.'));
    expect(onDone).toHaveBeenCalledTimes(1);
  });

  test('writes nothing after the deadline, though no timer has run yet', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const connectAfter = (time: number) => {
      const { abort, controller, outcome, handler } = start(200);
      const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + time);
      handler.onRequestStart?.(controller, undefined);
      now.mockRestore();
      return { abort, outcome };
    };
    expect(connectAfter(199).abort).not.toHaveBeenCalled();
    const { abort, outcome } = connectAfter(200);
    expect(abort).toHaveBeenCalledTimes(1);
    expect(await outcome).toEqual({ kind: 'failed', reason: 'timeout', durationMs: 200 });
  });
});
