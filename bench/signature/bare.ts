import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { signBody, signingKey, verifySignature } from '@partnerkit/core/wire';
import { atLeast, compared, inTurns, type Line } from '../measure.ts';
import type { Sized } from '../sizes.ts';
import { bodyOf, secret } from './load.ts';
import { repeated } from './sides.ts';

const rounds = 7;
/** Bytes that a side hashes in a round. */
const roundBytes = 60_000_000;

/** Sign and verify against a bare `createHmac`, with one key and a text body. */
export async function* bare(sized: Sized): AsyncGenerator<Line> {
  const key = signingKey(secret);
  const raw = createSecretKey(Buffer.from(secret));
  for (const [size, bytes] of Object.entries({ '300 B': 300, '1 KB': 1_024, '10 KB': 10_240 })) {
    const times = Math.ceil(sized(roundBytes, 1_000) / (bytes + 1_000));
    const body = bodyOf(bytes);
    const hashed = (): string => createHmac('sha1', raw).update(body, 'utf8').digest('hex');
    const header = hashed();
    const expected = Buffer.from(header);
    const wrong = signBody(key, `${body} `);
    if (verifySignature(body, wrong, [key]) === 'valid') throw new Error('A wrong signature was accepted.');
    const signing = await inTurns(
      {
        partnerkit: repeated(
          times,
          () => signBody(key, body),
          (signed) => signed === header,
        ),
        createHmac: repeated(times, hashed, (signed) => signed === header),
      },
      sized(rounds, 1),
    );
    yield compared(`sign ${size}`, signing.partnerkit, '`createHmac`', signing.createHmac, atLeast(0.9));
    const verifying = await inTurns(
      {
        partnerkit: repeated(
          times,
          () => verifySignature(body, header, [key]) === 'valid',
          (isRight) => isRight === true,
        ),
        createHmac: repeated(
          times,
          () => timingSafeEqual(Buffer.from(hashed()), expected),
          (isRight) => isRight === true,
        ),
      },
      sized(rounds, 1),
    );
    yield compared(`verify ${size}`, verifying.partnerkit, '`createHmac`', verifying.createHmac, atLeast(0.9));
  }
}
