import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBody } from '../../src/http/read-body.ts';
import { settled } from '../support/clock.ts';
import { platform } from '../support/kit.ts';

const limit = 8_192;

/** Sends chunk after chunk until the body is decided, and tells how many bytes that took. */
const bytesUntilDecided = async (chunkSizes: readonly number[]) => {
  const stream = new EventEmitter();
  let decided = false;
  const reading = readBody(stream, limit).then((body) => {
    decided = true;
    return body;
  });
  let sent = 0;
  for (let turn = 0; !decided; turn++) {
    const size = chunkSizes[turn % chunkSizes.length] as number;
    sent += size;
    stream.emit('data', new Uint8Array(size));
    await Promise.resolve().then(() => undefined);
  }
  return { body: await reading, sent };
};

test('a body without an end is refused within the limit and one chunk', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 500, max: 65_536 }), { minLength: 1, maxLength: 20 }), async (sizes) => {
      const { body, sent } = await bytesUntilDecided(sizes);
      expect(body).toEqual({ tooLarge: true });
      expect(sent).toBeGreaterThan(limit);
      expect(sent).toBeLessThanOrEqual(limit + Math.max(...sizes));
    }),
    { numRuns: 1_000, seed: 20_241_121 },
  );
});

test('of a body that is refused no byte is kept', async () => {
  const chunk = new Uint8Array(16_384);
  const stream = new EventEmitter();
  const kept: unknown[] = [];
  const body = readBody(stream, limit);
  stream.emit('data', chunk);
  kept.push(await body);
  expect(kept).toEqual([{ tooLarge: true }]);
});

test('every route states how much it reads: login 8 KiB, the host’s own 1 MiB, the others nothing', () => {
  const { kit } = platform({ pathAliases: true });
  const own = kit.accountRoute('PUT', '/organisations/:organisationId/x', () => expect.unreachable());
  expect(own.maxBodyBytes).toBe(1_048_576);
  for (const { path, maxBodyBytes } of kit.routes) {
    expect(maxBodyBytes, path).toBe(/\/(login|token)$/.test(path) ? limit : 0);
  }
});

test('a stream of Node.js that never ends is refused while it still sends', async () => {
  let sent = 0;
  const endless = new Readable({
    read() {
      sent += 1_024;
      this.push(new Uint8Array(1_024));
    },
  });
  expect(await readBody(endless, limit)).toEqual({ tooLarge: true });
  expect(endless.readableEnded).toBe(false);
  endless.on('error', () => undefined).destroy();
  await settled();
});
