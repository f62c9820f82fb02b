import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unreadBody } from '../../../src/base/http/unread-body.ts';
import { settled } from '../../support/clock.ts';
import { platform } from '../../support/kit.ts';
import { runs } from '../../support/runs.ts';

const limit = 8_192;

/** Sends chunk after chunk until the body is decided, and tells how many bytes that took. */
const bytesUntilDecided = async (chunkSizes: readonly number[]) => {
  const stream = new EventEmitter();
  let decided = false;
  const reading = unreadBody(stream)
    .read(limit)
    .then((body) => {
      decided = true;
      return body;
    });
  let sent = 0;
  for (let turn = 0; !decided; turn++) {
    const size = chunkSizes[turn % chunkSizes.length] as number;
    sent += size;
    stream.emit('data', new Uint8Array(size));
    await settled();
  }
  return { body: await reading, sent };
};

test('a body without an end is refused within the limit and one chunk', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 500, max: 65_536 }), { minLength: 1, maxLength: 20 }),
      async (sizes) => {
        const { body, sent } = await bytesUntilDecided(sizes);
        expect(body).toEqual({ tooLarge: true });
        expect(sent).toBeGreaterThan(limit);
        expect(sent).toBeLessThanOrEqual(limit + Math.max(...sizes));
      },
    ),
    runs,
  );
});

test('every route has its limit: login 8 KiB, routes of the host 1 MiB, others none', () => {
  const { kit } = platform({ api: { pathAliases: true } });
  const own = kit.accountRoute('PUT', '/organisations/:organisationId/x', () => expect.unreachable(), {
    right: 'none',
  });
  expect(own.maxBodyBytes).toBe(1_048_576);
  for (const { path, maxBodyBytes } of kit.routes) {
    expect(maxBodyBytes, path).toBe(/\/(login|token|revoke)$/.test(path) ? limit : 0);
  }
});
