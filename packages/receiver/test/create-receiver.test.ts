import { runInNewContext } from 'node:vm';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createReceiver, memorySeenKeys } from '../src/index.ts';
import { ask, verdict } from './support/ask.ts';
import { bytesOf, confidential, delivery, legacy, payed, request, secret } from './support/platform.ts';
import { failed, settled, setUp } from './support/receiver.ts';

describe('a valid event', () => {
  test('204, and its handler is called once, with the event', async () => {
    const onPayed = vi.fn();
    const otherwise = vi.fn();
    const { receiver } = setUp({ on: { RequestPayment: { payed: onPayed, cancel: otherwise } }, otherwise });
    expect(await ask(receiver, delivery())).toEqual({ status: 204, headers: {}, body: '' });
    expect(onPayed.mock.calls).toEqual([[payed]]);
    expect(otherwise).not.toHaveBeenCalled();
  });

  test('is answered after the handler has finished', async () => {
    const order: string[] = [];
    const otherwise = async (): Promise<void> => {
      await Promise.resolve();
      order.push('handled');
    };
    const { receiver } = setUp({ otherwise });
    await ask(receiver, delivery());
    order.push('answered');
    expect(order).toEqual(['handled', 'answered']);
  });

  test('needs no content type, and no options but a secret, a store and handlers', async () => {
    const receiver = createReceiver({ secrets: [secret], seen: memorySeenKeys(), on: {} });
    const { body, headers } = delivery();
    expect(
      await verdict(receiver, {
        method: 'POST',
        target: '/',
        headers: { ...headers, 'content-type': undefined },
        body,
      }),
    ).toBe('204');
  });

  test('unknown fields pass, in any place (specification §6.5)', async () => {
    const { handler, receiver } = setUp();
    const future = { version: 2, ...payed, data: { ...payed.data, nested: { new: [1] } }, sentBy: { id: 'x' } };
    expect(await verdict(receiver, delivery(future))).toBe('204');
    expect(handler.mock.calls).toEqual([[future]]);
  });

  test('a Buffer and a part of a larger Uint8Array are accepted', async () => {
    const text = JSON.stringify(payed);
    const pool = Buffer.from(`xx${text}yy`);
    for (const body of [Buffer.from(text), pool.subarray(2, -2), new Uint8Array(Buffer.from(text))]) {
      expect(await verdict(setUp().receiver, request(body, legacy(bytesOf(text))))).toBe('204');
    }
  });
});

describe('bodies that cannot be checked', () => {
  const good = delivery().headers;

  test('too large: 413, with and without a signature', async () => {
    const { claim, receiver } = setUp();
    expect(await verdict(receiver, request({ tooLarge: true }, good))).toBe('413 too_large');
    expect(await verdict(receiver, request({ tooLarge: true }))).toBe('413 too_large');
    expect(claim).not.toHaveBeenCalled();
  });

  test('cut off: 400', async () => {
    expect(await verdict(setUp().receiver, request({ aborted: true }, good))).toBe('400 aborted');
  });

  test('parsed before: 500 with the remedy', async () => {
    const { claim, handler, receiver } = setUp();
    for (const parsed of [payed, JSON.stringify(payed), null, undefined, {}]) {
      const answer = await ask(receiver, request({ parsed }, good));
      expect(answer.status).toBe(500);
      expect(answer.code).toBe('raw_body_needed');
      expect(JSON.parse(answer.body).detail).toMatch(/body parser.*mount the receiver before it.*raw bytes/);
    }
    expect(claim).not.toHaveBeenCalled();
    expect(handler).not.toHaveBeenCalled();
  });
});

describe('bodies from callers without an adapter', () => {
  const good = delivery();

  test.each<[string, unknown, string]>([
    ['undefined', undefined, '500 raw_body_needed'],
    ['null', null, '500 raw_body_needed'],
    ['a text', JSON.stringify(payed), '500 raw_body_needed'],
    ['an object', payed, '500 raw_body_needed'],
    ['a list of bytes', [...(good.body as Uint8Array)], '500 raw_body_needed'],
    ['512 KiB, which are checked', new Uint8Array(512 * 1_024), '401 wrong_signature'],
    ['one byte more than 512 KiB', new Uint8Array(512 * 1_024 + 1), '413 too_large'],
    ['bytes of another realm', runInNewContext('Uint8Array.from(bytes)', { bytes: good.body }), '204'],
  ])('%s', async (_name, body, expected) => {
    const { receiver } = setUp();
    expect(await verdict(receiver, { ...good, body: body as Uint8Array })).toBe(expected);
  });
});

describe('the route', () => {
  test('has the given path, serves POST, and reads twice the maximum of a platform', () => {
    const route = setUp().receiver.route('/hooks/partner');
    expect(route).toMatchObject({ path: '/hooks/partner', methods: ['POST'], maxBodyBytes: 512 * 1_024 });
  });

  test('POST is processed like handle()', async () => {
    const { handler, receiver } = setUp();
    const route = receiver.route('/webhooks');
    expect(await verdict(route, delivery())).toBe('204');
    expect(await verdict(receiver, delivery())).toBe('204');
    expect(handler).toHaveBeenCalledTimes(1);
    expect(await verdict(route, request(bytesOf('{}')))).toBe('401 missing_signature');
  });

  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY', 'post', ''])(
    '%j: 405, and nothing is processed, however well it is signed',
    async (method) => {
      const { claim, receiver } = setUp();
      const { body, headers } = delivery();
      const answer = await ask(receiver.route('/webhooks'), request(body, headers, method));
      expect([answer.status, answer.code, answer.headers['allow']]).toEqual([405, 'method_not_allowed', 'POST']);
      expect(claim).not.toHaveBeenCalled();
    },
  );
});

describe('a handler that fails', () => {
  const failing: readonly [string, () => void | Promise<void>, unknown][] = [
    [
      'throws',
      () => {
        throw new Error(confidential);
      },
      expect.objectContaining({ message: confidential }),
    ],
    [
      'rejects',
      async () => {
        throw new Error(confidential);
      },
      expect.objectContaining({ message: confidential }),
    ],
    [
      'throws a text',
      () => {
        throw confidential;
      },
      confidential,
    ],
    [
      'rejects with an object',
      () => Promise.reject({ status: 204, message: confidential }),
      expect.objectContaining({ status: 204 }),
    ],
    [
      'throws undefined',
      () => {
        throw undefined;
      },
      undefined,
    ],
    [
      'throws null',
      () => {
        throw null;
      },
      null,
    ],
    [
      'throws late',
      async () => {
        await Promise.resolve();
        throw new Error(confidential);
      },
      expect.any(Error),
    ],
  ];

  test.each(failing)(
    '%s: 503, onError is told once, and the next delivery is processed',
    async (_name, fail, cause) => {
      const otherwise = vi.fn().mockImplementationOnce(fail);
      const onError = vi.fn();
      const { receiver } = setUp({ otherwise, onError });
      expect(await verdict(receiver, delivery())).toBe(failed);
      expect(onError.mock.calls).toEqual([[cause, payed]]);
      expect(await verdict(receiver, delivery())).toBe('204');
      expect(await verdict(receiver, delivery())).toBe('204');
      expect(otherwise).toHaveBeenCalledTimes(2);
      expect(onError).toHaveBeenCalledTimes(1);
    },
  );

  test('without onError: 503 all the same', async () => {
    const otherwise = () => Promise.reject(new Error(confidential));
    const receiver = createReceiver({ secrets: [secret], seen: memorySeenKeys(), on: {}, otherwise });
    expect(await verdict(receiver, delivery())).toBe(failed);
  });

  test('onError is not called without a failure', async () => {
    const onError = vi.fn();
    const { receiver } = setUp({ onError });
    await ask(receiver, delivery());
    await ask(receiver, delivery());
    await ask(receiver, request(bytesOf('{}')));
    expect(onError).not.toHaveBeenCalled();
  });
});

describe('an onError that fails changes nothing', () => {
  const fails = () => Promise.reject(new Error(confidential));

  test('it throws', async () => {
    const onError = () => {
      throw new Error(confidential);
    };
    const { receiver } = setUp({ otherwise: vi.fn().mockImplementationOnce(fails), onError });
    expect(await verdict(receiver, delivery())).toBe(failed);
    expect(await verdict(receiver, delivery())).toBe('204');
  });

  test('it rejects: no rejection is left unhandled, which would end the process', async () => {
    const others = process.listeners('unhandledRejection');
    const unhandled = vi.fn();
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', unhandled);
    onTestFinished(() => {
      process.removeAllListeners('unhandledRejection');
      for (const listener of others) process.on('unhandledRejection', listener);
    });
    const { receiver } = setUp({ otherwise: vi.fn().mockImplementationOnce(fails), onError: fails });
    expect(await verdict(receiver, delivery())).toBe(failed);
    // Node.js tells of unhandled rejections before the next turn of its loop.
    await settled();
    expect(unhandled).not.toHaveBeenCalled();
    expect(await verdict(receiver, delivery())).toBe('204');
  });
});
