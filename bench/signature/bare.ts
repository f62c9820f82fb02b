import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { signBody, signingKey, verifySignature } from '@partnerkit/core/receiver';
import { compare, type Figure } from '../measure.ts';
import { bodyOf, secret } from './load.ts';

/** Sign and verify against a bare `createHmac`, with one key and a text body. */
export async function* bare(): AsyncGenerator<Figure> {
  const key = signingKey(secret);
  const raw = createSecretKey(Buffer.from(secret));
  for (const bytes of [300, 1_024, 10_240]) {
    const body = bodyOf(bytes);
    const header = signBody(key, body);
    const expected = Buffer.from(header);
    yield await compare(
      `sign ${bytes} B`,
      0.9,
      (times) => {
        for (let i = 0; i < times; i++) signBody(key, body);
      },
      (times) => {
        for (let i = 0; i < times; i++) createHmac('sha1', raw).update(body, 'utf8').digest('hex');
      },
    );
    yield await compare(
      `verify ${bytes} B`,
      0.9,
      (times) => {
        for (let i = 0; i < times; i++) if (verifySignature(body, header, [key]).isErr()) throw new Error('refused');
      },
      (times) => {
        for (let i = 0; i < times; i++) {
          const computed = createHmac('sha1', raw).update(body, 'utf8').digest('hex');
          if (!timingSafeEqual(Buffer.from(computed), expected)) throw new Error('refused');
        }
      },
    );
  }
}
