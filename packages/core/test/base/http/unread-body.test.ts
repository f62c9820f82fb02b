import { EventEmitter, once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ByteStream, unreadBody } from '../../../src/base/http/unread-body.ts';
import { runs } from '../../support/runs.ts';

const readBody = (stream: ByteStream, most: number) => unreadBody(stream).read(most);
const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 30 }), { maxLength: 8 });

test('a stream of Node.js, however it is cut, up to the limit; one byte more is too large', async () => {
  await fc.assert(
    fc.asyncProperty(chunks, fc.integer({ min: -3, max: 3 }), async (parts, room) => {
      const whole = Buffer.concat(parts);
      const most = Math.max(whole.length + room, 0);
      const body = await readBody(Readable.from(parts, { objectMode: false }), most);
      expect(body instanceof Uint8Array ? Buffer.from(body) : body).toEqual(
        whole.length <= most ? whole : { tooLarge: true },
      );
    }),
    runs,
  );
});

test('exactly the limit', async () => {
  const kilobytes = (bytes: number) => readBody(Readable.from([Buffer.alloc(bytes)], { objectMode: false }), 8_192);
  expect(await kilobytes(8_192)).toHaveLength(8_192);
  expect(await kilobytes(8_193)).toEqual({ tooLarge: true });
});

test('no body at all, also where none is taken', async () => {
  expect(await readBody(Readable.from([]), 0)).toEqual(new Uint8Array());
  expect(await readBody(Readable.from([Buffer.of(1)], { objectMode: false }), 0)).toEqual({ tooLarge: true });
});

describe('a body that is too large', () => {
  test('is detected before its end', async () => {
    const stream = new PassThrough();
    const reading = readBody(stream, 10);
    stream.write(Buffer.alloc(11));
    expect(await reading).toEqual({ tooLarge: true });
  });

  test('is discarded, so that the connection can be reused', async () => {
    const stream = new PassThrough({ highWaterMark: 16 });
    const reading = readBody(stream, 10);
    const ended = new Promise((resolve) => stream.on('end', resolve));
    for (let times = 0; times < 100; times++) stream.write(Buffer.alloc(100));
    stream.end();
    expect(await reading).toEqual({ tooLarge: true });
    await ended;
  });

  test('takes no memory, whatever its size', async () => {
    const stream = new EventEmitter();
    const reading = readBody(stream as never, 10);
    // More than any array holds: making one would throw in the listener, and end the process.
    for (let times = 0; times < 3; times++) stream.emit('data', { length: 2 ** 52 });
    expect(() => stream.emit('end')).not.toThrow();
    expect(await reading).toEqual({ tooLarge: true });
  });

  test('an error after the detection changes nothing', async () => {
    const stream = new PassThrough();
    const reading = readBody(stream, 1);
    stream.write(Buffer.alloc(2));
    expect(await reading).toEqual({ tooLarge: true });
    stream.destroy(new Error('reset'));
  });
});

describe('a caller that disconnects', () => {
  test('an error of the stream', async () => {
    const stream = new PassThrough();
    const reading = readBody(stream, 10);
    stream.write(Buffer.alloc(3));
    stream.destroy(new Error('reset'));
    expect(await reading).toEqual({ aborted: true });
  });

  test('an error before the body is read', async () => {
    const stream = new PassThrough();
    const body = unreadBody(stream);
    const closed = new Promise((resolve) => stream.on('close', resolve));
    stream.destroy(new Error('reset'));
    await closed;
    expect(await body.read(10)).toEqual({ aborted: true });
  });

  test('a close before the end', async () => {
    const stream = new PassThrough();
    const reading = readBody(stream, 10);
    stream.write(Buffer.alloc(3));
    stream.destroy();
    expect(await reading).toEqual({ aborted: true });
  });

  test('a close before the body is read', async () => {
    const stream = new PassThrough();
    stream.write(Buffer.alloc(3));
    stream.destroy();
    await once(stream, 'close');
    expect(await readBody(stream, 10)).toEqual({ aborted: true });
  });

  test('a close after the end is no abort', async () => {
    const stream = new PassThrough();
    const reading = readBody(stream, 10);
    stream.end(Buffer.from('abc'));
    expect(Buffer.from((await reading) as Uint8Array).toString()).toBe('abc');
    stream.destroy();
  });
});

test('no byte is taken from a stream before it is read', async () => {
  const stream = new PassThrough({ highWaterMark: 16 });
  const body = unreadBody(stream);
  stream.end(Buffer.alloc(16));
  expect([stream.readableFlowing, stream.listenerCount('data'), stream.readableEnded]).toEqual([null, 0, false]);
  expect(await body.read(16)).toHaveLength(16);
});

test('a stream that was already read throws instead of waiting', async () => {
  const stream = new PassThrough();
  stream.end('x');
  stream.resume();
  await new Promise((resolve) => stream.on('end', resolve));
  expect(() => unreadBody(stream)).toThrow('The body was read before');
});
