import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { exchange } from '../../src/sender/exchange.ts';
import { createTimeouts } from '../../src/sender/timeouts.ts';
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

    test('a hundred before the response are skipped', async () => {
      const { url } = await startTlsAnswer(early().repeat(100) + final);
      expect(await startSender().send(post(url))).toMatchObject({ kind: 'answered', status: 200, body: 'ok' });
    });

    test('few with more than 16 KiB of headers in total are too large', async () => {
      const { url } = await startTlsAnswer(early(6_000).repeat(3) + final);
      expect(await startSender().send(post(url))).toEqual(failed('http_headers_too_large'));
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
      expect(await startSender().send(post(url, { deadline: 60_000 }))).toEqual(failed('http_headers_too_large'));
      await ended.promise;
    });
  });

  test('of a repeated Retry-After the first counts', async () => {
    const { url } = await startTlsAnswer(`${head}retry-after: 5\r\nretry-after: 9\r\ncontent-length: 0\r\n\r\n`);
    expect(await startSender().send(post(url))).toMatchObject({ retryAfter: '5' });
  });

  test.each([
    ['headers too long', 'http_headers_too_large', `${head}x: ${'y'.repeat(40_000)}\r\n\r\n`],
    ['the status 0', 'http_protocol_error', 'HTTP/1.1 000 None\r\ncontent-length: 0\r\n\r\n'],
    ['the status 99', 'http_protocol_error', 'HTTP/1.1 099 None\r\ncontent-length: 0\r\n\r\n'],
    ['no HTTP', 'http_protocol_error', 'SSH-2.0-OpenSSH\r\n\r\n'],
    [
      'a protocol that was not asked for',
      'http_protocol_error',
      'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    ],
    [
      'a length beside chunks',
      'http_invalid_length',
      `${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    ],
    ['two lengths', 'http_invalid_length', `${head}content-length: 2\r\ncontent-length: 2\r\n\r\nok`],
    ['a length that is no number', 'http_invalid_length', `${head}content-length: x\r\n\r\nok`],
    ['a header name with a space', 'http_invalid_header', `${head}x frame: 1\r\ncontent-length: 2\r\n\r\nok`],
    ['a control character in a header', 'http_invalid_header', `${head}x: a\u0001b\r\ncontent-length: 2\r\n\r\nok`],
    ['bare line feeds', 'http_invalid_line_end', 'HTTP/1.1 200 OK\ncontent-length: 2\n\nok'],
  ])('%s: %s', async (_, reason, bytes) => {
    const { url } = await startTlsAnswer(bytes);
    expect(await startSender().send(post(url))).toEqual(failed(reason));
  });

  test('a socket that ends amid the headers is http_incomplete, and reset before them', async () => {
    const amid = await startTls((socket) => socket.once('data', () => socket.end(`${head}content-le`)));
    const before = await startTls((socket) => socket.once('data', () => socket.destroy()));
    expect(await startSender().send(post(amid.url))).toEqual(failed('http_incomplete'));
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
  const start = (deadline = 5_000, { bytes = 0 } = {}) => {
    const release = vi.fn();
    const abort = vi.fn();
    const closing = new AbortController();
    const controller = { abort } as unknown as Dispatcher.DispatchController;
    const handlers: Dispatcher.DispatchHandler[] = [];
    const connection = { bytes };
    const carrier = {
      dispatch: (handler: Dispatcher.DispatchHandler) => void handlers.push(handler),
      bytesRead: () => connection.bytes,
      socketError: () => undefined,
      release,
    };
    const outcome = exchange({ deadline, timeouts: createTimeouts(), carrier, signal: closing.signal });
    const [handler = {}] = handlers;
    return { release, abort, closing, controller, outcome, handler, handlers, connection };
  };
  const dropped = Object.assign(new Error('The other side closed.'), { code: 'ECONNRESET' });
  /** Resolves after everything that the end of this turn runs. */
  const nextTurn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

  test('is done at the end of an answer, in the turn in which the outcome is known', async () => {
    const { release, controller, outcome, handler } = start();
    handler.onRequestStart?.(controller, undefined);
    handler.onResponseStart?.(controller, 204, {});
    handler.onResponseEnd?.(controller, {});
    expect(release).not.toHaveBeenCalled();
    expect(await outcome).toMatchObject({ kind: 'answered', status: 204, body: '' });
    expect(release).toHaveBeenCalledTimes(1);
  });

  test('is done when the request failed', async () => {
    const { release, controller, outcome, handler } = start();
    handler.onRequestStart?.(controller, undefined);
    handler.onResponseError?.(controller, new Error('The other side closed.'));
    expect(await outcome).toEqual(reset);
    expect(release).toHaveBeenCalledTimes(1);
  });

  test('is not done at the deadline but when it has aborted the request', async () => {
    const { release, abort, controller, outcome, handler } = start(1);
    expect(await outcome).toEqual(failed('timeout'));
    expect(release).not.toHaveBeenCalled();
    handler.onRequestStart?.(controller, undefined);
    expect(abort).toHaveBeenCalledTimes(1);
    handler.onResponseError?.(controller, new Error('Aborted.'));
    expect(release).toHaveBeenCalledTimes(1);
  });

  describe('a reused connection that was dropped before a byte of the response', () => {
    test('is replaced once: the request is sent on a new one, and no third time', async () => {
      const { release, controller, outcome, handler, handlers, connection } = start(5_000, { bytes: 200 });
      handler.onRequestStart?.(controller, undefined);
      handler.onResponseError?.(controller, dropped);
      // node:https reports the end of the socket, too.
      handler.onResponseError?.(controller, dropped);
      await nextTurn();
      expect([handlers.length, release.mock.calls.length]).toEqual([2, 0]);
      connection.bytes = 0;
      handlers[1]?.onRequestStart?.(controller, undefined);
      handlers[1]?.onResponseError?.(controller, dropped);
      expect(await outcome).toEqual(reset);
      await nextTurn();
      expect([handlers.length, release.mock.calls.length]).toEqual([2, 1]);
    });

    test('is answered on the new one', async () => {
      const { controller, outcome, handler, handlers, connection } = start(5_000, { bytes: 200 });
      handler.onRequestStart?.(controller, undefined);
      handler.onResponseError?.(controller, dropped);
      await nextTurn();
      connection.bytes = 0;
      handlers[1]?.onRequestStart?.(controller, undefined);
      handlers[1]?.onResponseStart?.(controller, 204, {});
      handlers[1]?.onResponseEnd?.(controller, {});
      expect(await outcome).toMatchObject({ kind: 'answered', status: 204 });
    });

    test('ends the attempt when a byte of the response has come', async () => {
      const { controller, outcome, handler, handlers, connection } = start(5_000, { bytes: 200 });
      handler.onRequestStart?.(controller, undefined);
      connection.bytes = 201;
      handler.onResponseError?.(controller, dropped);
      expect(await outcome).toEqual(failed('http_incomplete'));
      await nextTurn();
      expect(handlers).toHaveLength(1);
    });

    test('ends the attempt when the sender is closed', async () => {
      const { closing, controller, outcome, handler, handlers } = start(5_000, { bytes: 200 });
      handler.onRequestStart?.(controller, undefined);
      closing.abort();
      handler.onResponseError?.(controller, dropped);
      expect(await outcome).toEqual(reset);
      await nextTurn();
      expect(handlers).toHaveLength(1);
    });

    test('is not replaced after the deadline, which stays that of the attempt', async () => {
      const { release, abort, controller, outcome, handler, handlers } = start(1, { bytes: 200 });
      handler.onRequestStart?.(controller, undefined);
      expect(await outcome).toEqual(failed('timeout'));
      expect(abort).toHaveBeenCalledTimes(1);
      handler.onResponseError?.(controller, dropped);
      await nextTurn();
      expect([handlers.length, release.mock.calls.length]).toEqual([1, 1]);
    });

    test('is not replaced when the deadline passes in that very turn', async () => {
      vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
      const { release, controller, outcome, handler, handlers } = start(200, { bytes: 200 });
      handler.onRequestStart?.(controller, undefined);
      handler.onResponseError?.(controller, dropped);
      vi.advanceTimersByTime(200);
      expect(await outcome).toEqual(failed('timeout'));
      await nextTurn();
      expect([handlers.length, release.mock.calls.length]).toEqual([1, 1]);
    });
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
